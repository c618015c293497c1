internal import Emulation
internal import Glibc
internal import Hardware
internal import Pictures
internal import Receivers
internal import SextantJSON
internal import SextantReactor
internal import SextantUnits

extension ScenarioRun {
    func carryOut(_ step: Step) throws(LoopFailure) -> StepResult {
        switch step {
        case .wireMotion:
            isMotionWired = true
            try writeFiles()
        case .startDaemon:
            try startDaemon()
            return try expect(.expectLog("serving ", within: bench.bound(20)))
        case .stopDaemon: return try stop()
        case .killDaemon:
            try end("daemon", signal: SIGKILL)
        case .startClient(let name, let words): try startClient(name, words)
        case .endClient(let name): try endClient(name)
        case .reboot: try reboot()
        case .setClock(let seconds):
            _ = try bench.order(.clock(seconds ?? Int(Clock.utc().nanoseconds / 1_000_000_000)))
        case .fillDisk: try fillDisk()
        case .emptyDisk: try bench.run(["/bin/rm", "-f", folder.state + "/filling"])
        case .remount(let isReadOnly):
            try bench.run(["/bin/mount", "-o", isReadOnly ? "remount,ro" : "remount,rw", folder.state])
        case .calibrateCompass:
            let program = environment + ["SEXTANT_SOCKET=\(folder.socket)", program("sextant")]
            try bench.run(program + ["compass", "use", folder.path + "/calibration.json"])
        case .wait(let seconds): try bench.wait(seconds)
        case .carryReceiver(let file): try carryReceiver(along: file)
        case .unplugBridge: try bench.unplugBridge()
        case .plugBridge: try bench.plugBridge()
        case .letGo(let role): try letGo(role)
        case .plugUSBReceiver:
            bench.board?.plugIntoUSB(.neoM9N)
            try bench.run(["/bin/systemctl", "start", ScenarioRun.usbReceiver])
        case .unplugUSBReceiver:
            try bench.run(["/bin/systemctl", "stop", ScenarioRun.usbReceiver])
            bench.board?.unplugFromUSB()
        case .installPackage, .havePackage, .editLine, .run, .retry, .refuse, .runInside, .refuseInside:
            return try carryOutInstallation(step)
        case .placeReceiver, .turnField, .shake, .silence, .holdBus, .removeChip, .unplugUART, .replugUART:
            changeHardware(step)
        case .hostSleep(let step): return try carryOut(step)
        default: return try expect(step)
        }
        return .passed
    }

    private func changeHardware(_ step: Step) {
        guard let board = bench.board else { return }
        board.live()
        switch step {
        case .placeReceiver(let model, let isCold, let speed):
            board.place(model, ephemerisAge: isCold ? nil : 600, speed: speed)
        case .turnField(let degrees): board.heading = degrees
        case .shake(let isShaken): board.isShaken = isShaken
        case .silence(let address, true): board.bridge.silentAddresses.insert(address)
        case .silence(let address, false): board.bridge.silentAddresses.remove(address)
        case .holdBus(let isHeld): board.bridge.isBusStuck = isHeld
        case .removeChip(let address, let isRemoved):
            for chip in [board.magnetometer, board.accelerometer] where chip.address == address {
                chip.isPresent = !isRemoved
                if !isRemoved { chip.powerCycle() }
            }
        case .unplugUART: board.isUARTPlugged = false
        case .replugUART(let baud):
            board.place(board.receiver.model, ephemerisAge: 600, speed: 0, baud: baud)
            board.isUARTPlugged = true
        default: break
        }
    }

    private func stop() throws(LoopFailure) -> StepResult {
        guard try end("daemon", signal: SIGTERM) else {
            return .failed("it has not ended within \(Int(bench.bound(10))) s")
        }
        guard bench.record.ended["daemon"] == .status(0) else {
            return .failed("it ended as \(bench.record.ended["daemon"].map { "\($0)" } ?? "")")
        }
        return .passed
    }

    private func reboot() throws(LoopFailure) {
        isDaemonWanted = false
        // The daemon's flight recording is in the guest's RAM and would be lost in a restart, so the bench fetches it
        // first.
        try fetchRecording()
        try bench.run(["/bin/sync"])
        try bench.reset()
        try mountDisk()
        try writeFiles()
        try bench.plugBridge()
    }

    private func fillDisk() throws(LoopFailure) {
        _ = try bench.order(
            .run(["/bin/dd", "if=/dev/zero", "of=\(folder.state)/filling", "bs=4096"], timeout: 60))
    }

    private func letGo(_ role: LineRole) throws(LoopFailure) {
        guard let offset = EmulatedBoard.lines.first(where: { $0.role == role })?.offset else { return }
        // libgpiod 1 takes the chip as its first argument, libgpiod 2 as an option.
        let commands = "gpioget cp2112_gpio \(offset) 2>/dev/null || gpioget --chip cp2112_gpio \(offset)"
        try bench.run(["/bin/sh", "-c", commands])
    }

    // MARK: Expectations

    private func expect(_ step: Step) throws(LoopFailure) -> StepResult {
        switch step {
        case .expectFix(let seconds):
            let before = bench.record.fixes.count
            let hasCome = try comes(within: seconds) { bench.record.fixes.count > before }
            return hasCome ? .passed : .failed("no fix came; \(lastWords)")
        case .expectNoFix(let seconds):
            let before = bench.record.fixes.count
            let hasCome = try bench.wait(seconds) { bench.record.fixes.count > before }
            return hasCome ? .failed("a fix came") : .passed
        case .expectLocation(let metres, let seconds): return try location(within: metres, inTime: seconds)
        case .expectLocationHeld(let metres, let percent, let seconds):
            return try location(within: metres, percent: percent, lasting: seconds)
        case .expectLine(let role, let level, let seconds):
            let isSo = try comes(within: seconds) { bench.board?.state(of: role).level == level }
            return isSo ? .passed : .failed("it is still \(level ? "off" : "on"); \(lastWords)")
        case .expectDriven(let role, let isDriven, let seconds):
            let isSo = try comes(within: seconds) { bench.board?.state(of: role).isDriven == isDriven }
            return isSo ? .passed : .failed("it is still \(isDriven ? "undriven" : "driven"); \(lastWords)")
        case .expectLineStays(let role, let level, let seconds): return try stays(role, level, seconds)
        case .expectLevels(let role, let wanted): return levels(role, wanted)
        case .expectStarts(let count, let tolerance, let seconds):
            return try starts(count, tolerance: tolerance, within: seconds)
        case .expectHeading(let degrees, let tolerance, let seconds):
            return try heading(degrees, tolerance: tolerance, within: seconds)
        case .expectStatus(let path, let value, let seconds): return try status(path, value, within: seconds)
        case .expectLog(let text, let seconds):
            func isSaid() -> Bool {
                bench.record.said[logStart...].contains { $0.program == "daemon" && $0.text.contains(text) }
            }
            // The wait for a line of the daemon's log also stops when the daemon ends, because it then prints nothing
            // more.
            try bench.wait(seconds) { isSaid() || !isDaemonRunning }
            return isSaid() ? .passed : .failed("not said; \(lastWords)")
        default: return .failed("no expectation")
        }
    }

    /// Waits until a state is reached, but at most for `seconds`; gives up early if the daemon has ended by itself.
    ///
    /// - Returns: Whether the state was reached.
    private func comes(within seconds: Double, _ condition: () -> Bool) throws(LoopFailure) -> Bool {
        try bench.wait(seconds) { condition() || hasDaemonDied }
        return condition()
    }

    /// Whether the daemon has ended although no step ended it.
    private var hasDaemonDied: Bool { isDaemonWanted && !isDaemonRunning }

    /// The last line of the daemon's log, or how the daemon ended, for a failure's message.
    var lastWords: String {
        if hasDaemonDied {
            return
                "the daemon has ended by itself, as \(bench.record.ended["daemon"].map { "\($0)" } ?? "nobody knows")"
        }
        guard let last = bench.record.said.last(where: { $0.program == "daemon" }) else {
            return "the daemon said nothing"
        }
        return "the daemon last said: \(last.text)"
    }

    private func stays(_ role: LineRole, _ level: Bool, _ seconds: Double) throws(LoopFailure) -> StepResult {
        guard let board = bench.board, board.state(of: role).level == level else {
            return .failed("it is \(level ? "off" : "on") already")
        }
        let changes = bench.record.changes.count
        let hasChanged = try bench.wait(seconds) {
            bench.record.changes[changes...].contains { $0.line == "\(role)" && $0.state.level != level }
        }
        return hasChanged ? .failed("it was \(level ? "off" : "on")") : .passed
    }

    private func heading(
        _ degrees: Double, tolerance: Double, within seconds: Double
    ) throws(LoopFailure) -> StepResult {
        let begin = Clock.now()
        var last: Double?
        let isSo = try comes(within: seconds) {
            guard let heading = bench.record.heading, heading.instant > begin else { return false }
            last = heading.degrees
            let error = abs(heading.degrees - degrees).truncatingRemainder(dividingBy: 360)
            return min(error, 360 - error) <= tolerance
        }
        return isSo ? .passed : .failed(last.map { "the last was \($0)°" } ?? "no heading came; \(lastWords)")
    }

    /// Requests the daemon's status; nil if no daemon answers.
    func status() throws(LoopFailure) -> JSONValue? {
        let order = AgentOrder.ask(socket: folder.socket, request: #"{"request":"status"}"#, event: "status")
        guard isDaemonRunning else { return nil }
        do throws(LoopFailure) {
            guard let answer = try bench.order(order).text("output") else { return nil }
            return try? JSONValue(parsing: Array(answer.utf8))
        } catch {
            // If the agent answers but the daemon does not, the caller asks again later; if the agent does not answer,
            // the board hangs.
            guard error.kind == .refusal else { throw error }
            return nil
        }
    }

    private func status(_ path: String, _ value: String, within seconds: Double) throws(LoopFailure) -> StepResult {
        let deadline = Clock.now().advanced(byNanoseconds: Int64(seconds * 1e9))
        while true {
            let found = try status()?.value(at: path)?.plain
            if found == value { return .passed }
            guard Clock.now() < deadline, !hasDaemonDied else {
                return .failed("it is \(found ?? "not told"); \(lastWords)")
            }
            try bench.wait(0.3)
        }
    }

    /// Whether the GNSS receiver is off or asleep: its supply line `powerEnable` or its `wake` line is low.
    private var isReceiverAtRest: Bool {
        [LineRole.powerEnable, .wake].contains { bench.board?.state(of: $0).level == false }
    }

    /// Waits for `count` starts of the receiver, each a rise of the line `powerEnable` or `wake`, and compares the time
    /// of each with the start time that the daemon's status announced.
    private func starts(
        _ count: Int, tolerance: Double, within seconds: Double
    ) throws(LoopFailure) -> StepResult {
        let deadline = Clock.now().advanced(byNanoseconds: Int64(seconds * 1e9))
        var announced: MonotonicInstant?
        var errors: [Double] = []
        var seen = bench.record.changes.count
        while errors.count < count {
            guard Clock.now() < deadline else {
                return .failed("\(errors.count) starts as announced: \(Self.text(errors)); \(lastWords)")
            }
            try bench.wait(0.25)
            for change in bench.record.changes[seen...] where change.line != "motionInterrupt" && change.state.level {
                guard let instant = announced else { continue }
                // Both lines, `powerEnable` and `wake`, can rise at one start of the receiver, but the start must count
                // only once.
                announced = nil
                let error = Double(change.instant.nanoseconds(since: instant)) / 1e9
                guard abs(error) <= tolerance else {
                    return .failed("the line rose \(Self.text([error])) s after the time that was announced")
                }
                errors.append(error)
            }
            seen = bench.record.changes.count
            guard isReceiverAtRest else { continue }
            let before = Clock.now()
            guard case .number(let next)? = try status()?.value(at: "power.nextStart"), next > 0.5 else { continue }
            // The daemon computed the status at an unknown instant between request and answer; the middle of the two is
            // used.
            let middle = Clock.now().nanoseconds(since: before) / 2
            announced = before.advanced(byNanoseconds: middle + Int64(next * 1e9))
        }
        return .measured("\(Self.text(errors)) s after the time that was announced")
    }

    private static func text(_ errors: [Double]) -> String {
        errors.map { SVGText.number($0) }.joined(separator: ", ")
    }
}

extension StepResult {
    var tone: TimelinePicture.Tone {
        switch self {
        case .passed, .measured, .refused: .good
        case .failed: .bad
        case .skipped, .restsOn: .off
        }
    }
}
