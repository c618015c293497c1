internal import Emulation
internal import HostSleep
internal import SextantJSON
internal import SextantReactor
internal import SextantUnits

extension ScenarioRun {
    /// The largest number of seconds of the host's sleep that the bench skips; it is less than a month because a host
    /// switch's alarm repeats after a month.
    private static let longestSleep = 28 * 86_400

    func carryOut(_ step: HostSleepStep) throws(LoopFailure) -> StepResult {
        guard let board = bench.board else { return .failed("no emulated board") }
        if case .fit(let model) = step {
            hostSwitch = model
            bench.starts = GuestStarts()
            board.fit(model.chip(at: board.utc))
            let text = BoardFolder.boardText(isMotionWired: isMotionWired, hostSwitch: model)
            _ = try bench.order(.write(path: folder.board, text: text))
            return .passed
        }
        guard let chip = board.hostSwitch else { return .failed("the board has no switch; switch <model> comes first") }
        board.live()
        switch step {
        case .fit: return .passed
        case .skipSleep: return try skipSleep(of: board)
        case .loseAlarm: chip.loseAlarm()
        case .cutPower:
            chip.cutSupply()
            try bench.followSwitch()
        case .carry(let metres):
            board.metresEast = metres
            board.place(board.receiver.model, ephemerisAge: 600, speed: 0)
        case .setClock(let seconds): chip.clock.instant = UTCInstant(nanoseconds: Int64(seconds) * 1_000_000_000)
        case .fault(let register, let fault): chip.faults[register] = fault
        case .expectHalted(let seconds):
            let isHalted = try bench.wait(seconds) { !bench.isGuestUp }
            return isHalted ? vouched : .failed("it is still on; \(lastWords)")
        case .expectAsleep(let seconds):
            let isAsleep = try bench.wait(seconds) { !chip.isHostOn }
            return isAsleep ? vouched : .failed("the switch has not cut the supply; \(lastWords)")
        case .expectSoundDisk: return try checkDisk()
        case .expectAwake(let cause, let seconds): return try awake(by: cause, of: chip, within: seconds)
        case .expectRestart(let seconds):
            let before = restartsSeen
            let isSo = try bench.wait(seconds) { bench.starts.byItself > before }
            restartsSeen = bench.starts.byItself
            return isSo ? try greet() : .failed("it has not restarted; \(lastWords)")
        case .expectReason(let word, let seconds): return try reason(word, within: seconds)
        }
        return .passed
    }

    /// The result of a step that expected the guest to be off; a failure if the guest switched itself off without an
    /// alarm to wake it.
    private var vouched: StepResult {
        guard bench.starts.offWithoutAlarm == 0 else {
            return .failed("it switched itself off while no alarm stood in the switch")
        }
        return .passed
    }

    /// Replays the journal of the guest's disk, as the guest's next start would, and checks the whole file system.
    private func checkDisk() throws(LoopFailure) -> StepResult {
        guard !bench.isGuestUp, case .guest(let guest) = bench.target else {
            return .failed("the guest is on; its disk is checked while it is off")
        }
        let said = bench.settings.output + "/disk.log"
        let command = "/sbin/e2fsck -p \(guest.disk); [ $? -le 1 ] && /sbin/e2fsck -fn \(guest.disk)"
        let status = try Output.status(of: ["/bin/sh", "-c", command], printingTo: said)
        return status == 0 ? .passed : .failed("e2fsck finds faults: \(said)")
    }

    private func skipSleep(of board: EmulatedBoard) throws(LoopFailure) -> StepResult {
        guard !bench.isGuestUp else { return .failed("the guest is on; no time is skipped while it runs") }
        let seconds = board.skipSleep(atMost: ScenarioRun.longestSleep)
        guard seconds < ScenarioRun.longestSleep else { return .failed("the switch does not start the board") }
        return .measured("\(seconds) s")
    }

    /// Waits until the host switch has started the guest for the expected cause, and the agent in the guest answers.
    private func awake(
        by cause: WakeCause, of chip: EmulatedHostSwitch, within seconds: Double
    ) throws(LoopFailure) -> StepResult {
        let isSo = try bench.wait(seconds) { chip.isHostOn && bench.isGuestUp && chip.wakes.count > wakesSeen }
        guard isSo else { return .failed("the switch has not started it; \(lastWords)") }
        wakesSeen = chip.wakes.count
        let found = chip.wakes.last ?? .unknown
        guard found == cause else { return .failed("the switch has started it by \(found)") }
        return try greet()
    }

    /// Waits until the agent in a guest that has just started answers, and resumes following the daemon's log.
    private func greet() throws(LoopFailure) -> StepResult {
        let start = Clock.now()
        _ = try bench.order(.hello(patience: bench.settings.patience), within: bench.bound(120))
        logStart = bench.record.said.count
        try setUnitLimits()
        try followJournal()
        return .measured(
            "its agent answers after \(LoopReport.seconds(Double(Clock.now().nanoseconds(since: start)) / 1e9)) s")
    }

    private func reason(_ word: String, within seconds: Double) throws(LoopFailure) -> StepResult {
        let deadline = Clock.now().advanced(byNanoseconds: Int64(seconds * 1e9))
        while true {
            let reasons = try status()?.value(at: "host.reasons")
            let found = if case .array(let words)? = reasons { words.map { $0.plain } } else { [String]() }
            if found.contains(word) { return .passed }
            guard Clock.now() < deadline else {
                return .failed("it stays on for \(found.joined(separator: ", ")); \(lastWords)")
            }
            try bench.wait(0.3)
        }
    }
}
