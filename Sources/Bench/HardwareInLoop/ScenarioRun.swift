internal import Emulation
internal import Glibc
internal import Hardware
internal import Pictures
internal import Receivers
internal import SextantJSON
internal import SextantReactor
internal import SextantUnits

/// The outcome of a step.
public enum StepResult: Sendable, Equatable {
    case passed
    /// The step passed; the text says what was measured.
    case measured(String)
    /// The step passed, because the board refused a command as expected; the text is the command's error message.
    case refused(String)
    case failed(String)
    /// The step was skipped; the text says what it needs that the board does not have.
    case skipped(String)
    /// The step was skipped because it depends on an earlier step that was skipped; the text is that step's.
    case restsOn(String)
}

/// The outcome of a scenario.
public struct ScenarioResult: Sendable {
    public struct Line: Sendable {
        public var text: String
        public var result: StepResult
        /// Seconds from the scenario's start to the step's start.
        public var start: Double
        public var seconds: Double
    }

    public var name: String
    public var lines: [Line] = []
    public var seconds = 0.0
    /// For each of the daemon's flight recordings, the outcome of replaying it, as text.
    public var replays: [String] = []
    /// The last lines of the scenario's log; empty if the scenario has passed.
    public var lastLines: [String] = []
    /// The spans of time in which nothing drove the receiver's supply line `powerEnable`, as text.
    public var undriven: [String] = []

    public var hasPassed: Bool {
        lines.allSatisfy { if case .failed = $0.result { false } else { true } }
    }

    /// Adds a failure that was found after the scenario's last step.
    mutating func fail(_ text: String, _ why: String) {
        lines.append(Line(text: text, result: .failed(why), start: seconds, seconds: 0))
    }

    /// The scenario's outcome as a word: `passed`, `FAILED`, or `skipped` if no expectation was checked.
    var word: String {
        guard hasPassed else { return "FAILED" }
        let isShown = lines.contains { line in
            switch line.result {
            case .skipped, .restsOn: false
            case .passed, .measured, .refused, .failed: Scenario.expects(line.text)
            }
        }
        return isShown ? "passed" : "skipped"
    }
}

/// Carries out the steps of one scenario on an emulated or real board.
///
/// A class, because handlers of the bench run while a step waits.
final class ScenarioRun {
    let bench: LoopBench
    let scenario: Scenario
    let folder: BoardFolder
    /// The number of times that the scenario has started the daemon; each start has its own flight recording.
    private(set) var starts = 0
    private(set) var clients: [String] = []
    /// Whether the board file connects the accelerometer's interrupt to a GPIO line.
    var isMotionWired = false
    /// The model of the board's host switch; nil for none.
    var hostSwitch: FittedSwitch?
    /// The numbers of events that the scenario's steps have waited for so far: starts of the guest by the host switch,
    /// and restarts by the guest itself (`restartsSeen`).
    var wakesSeen = 0
    var restartsSeen = 0
    /// The index, among all recorded output lines, of the first line that the daemon can have printed since its latest
    /// start.
    var logStart = 0
    /// The number of level changes of GPIO lines that had been recorded when the scenario's last command was given.
    var commandStart = 0
    /// Whether the daemon should be running; if it ends by itself meanwhile, a step that waits for a state fails at
    /// once.
    var isDaemonWanted = false
    private var recordings: [(name: String, bytes: [UInt8])] = []

    private var isInstallation: Bool { scenario.system == .debian }

    init(_ scenario: Scenario, on bench: LoopBench) {
        self.scenario = scenario
        self.bench = bench
        folder =
            switch (scenario.system, bench.board) {
            case (.debian, _): .installed
            case (.bare, nil): BoardFolder(path: "/tmp/sextant-hil")
            case (.bare, _): BoardFolder(path: "/run/sextant-hil")
            }
    }

    // MARK: The whole

    func carryOut() throws(LoopFailure) -> ScenarioResult {
        var result = ScenarioResult(name: scenario.name)
        try prepare()
        bench.record = RunRecording(start: Clock.now())
        tellFirstStates()
        var skipped: String?
        for line in scenario.lines {
            let start = bench.record.seconds(Clock.now())
            let outcome = try outcome(of: line, &skipped)
            let end = bench.record.seconds(Clock.now())
            result.lines.append(.init(text: line.text, result: outcome, start: start, seconds: end - start))
            bench.record.picture.caption(line.text, from: start, to: end, outcome.tone)
            if case .failed = outcome {
                // If the whole board hangs, the daemon is not to blame: the hang is reported as a failure of its own,
                // and the board is restarted.
                if !bench.mustReset, hostSwitch == nil, let failure = bench.hang() {
                    result.fail("the board", failure.description)
                }
                break
            }
        }
        result.seconds = bench.record.seconds(Clock.now())
        result.undriven = bench.record.undriven("powerEnable", until: Clock.now()).map { span in
            "\(LoopReport.seconds(span.from)) to \(LoopReport.seconds(span.to)) s, \(span.wasOn ? "ON" : "off")"
        }
        // If the board is about to be restarted, its programs need not be ended.
        if !bench.mustReset { try end(&result) }
        result.replays = try replays(&result)
        return result
    }

    /// Carries out one step; an error becomes a failed step, which ends the scenario but not the bench.
    private func outcome(of line: Scenario.Line, _ skipped: inout String?) throws(LoopFailure) -> StepResult {
        do throws(LoopFailure) {
            return try carryOut(line, &skipped)
        } catch {
            guard bench.goesOn(after: error) else { throw error }
            return .failed(error.description)
        }
    }

    private func carryOut(_ line: Scenario.Line, _ skipped: inout String?) throws(LoopFailure) -> StepResult {
        if let skipped { return .restsOn(skipped) }
        if line.needsEmulation, bench.board == nil {
            if line.step.changesHardware { skipped = line.text }
            return .skipped("needs emulated hardware")
        }
        return try carryOut(bench.settings.patience.map { line.step.waiting(atMost: $0) } ?? line.step)
    }

    /// Records the levels of the GPIO lines and the receiver's state at the scenario's start, so that the picture
    /// begins with them.
    private func tellFirstStates() {
        guard let board = bench.board else { return }
        for (role, _, _) in EmulatedBoard.lines {
            bench.record.note("\(role)", board.state(of: role), at: bench.record.start)
        }
        bench.record.note(board.receiver.powerState, at: bench.record.start)
    }

    // MARK: Before and after

    /// Brings the board into the initial state that every scenario begins with, without traces of an earlier scenario.
    private func prepare() throws(LoopFailure) {
        if let board = bench.board {
            // Removes the host switch that an earlier scenario put on the board, however that scenario ended.
            board.fit(nil)
            if bench.mustReset || bench.hasPackage && scenario.wantsNoPackage { try bench.reset(isClean: true) }
            board.bridge.silentAddresses = []
            board.bridge.isBusStuck = false
            for chip in [board.magnetometer, board.accelerometer] { chip.isPresent = true }
            for chip in board.bridge.chips { chip.powerCycle() }
            board.heading = 0
            board.isShaken = false
            board.isUARTPlugged = true
            board.place(.neoM8N, ephemerisAge: 600, speed: 0)
            if !isInstallation { try mountDisk() }
            _ = try bench.order(.clock(Int(Clock.utc().nanoseconds / 1_000_000_000)))
            try bench.plugBridge()
        }
        guard !isInstallation else {
            try setUnitLimits()
            // The bench writes the board's configuration file itself; users are told in the documentation how to write
            // one.
            _ = try bench.order(.write(path: folder.board, text: BoardFolder.boardText(isMotionWired: false)))
            try followJournal()
            return
        }
        try bench.run([
            "/bin/sh", "-c",
            "mkdir -p \(folder.state) && rm -rf \(folder.state)/* \(folder.path)/*.flight",
        ])
        try writeFiles()
    }

    func mountDisk() throws(LoopFailure) {
        try bench.run([
            "/bin/sh", "-c",
            "mkdir -p \(folder.state); mountpoint -q \(folder.state) || mount -t ext4 /dev/vda \(folder.state)",
        ])
    }

    func writeFiles() throws(LoopFailure) {
        let files = [
            (folder.board, BoardFolder.boardText(isMotionWired: isMotionWired, hostSwitch: hostSwitch)),
            (folder.path + "/clients.d/bench.json5", BoardFolder.manifestText),
            (folder.path + "/policy.json5", BoardFolder.policyText),
            (folder.path + "/calibration.json", BoardFolder.calibrationText),
        ]
        for (path, text) in files { _ = try bench.order(.write(path: path, text: text)) }
    }

    private func end(_ result: inout ScenarioResult) throws(LoopFailure) {
        do throws(LoopFailure) {
            try endAll(&result)
        } catch {
            guard bench.goesOn(after: error) else { throw error }
            result.fail("the end", error.description)
            bench.mustReset = bench.board != nil
        }
    }

    private func endAll(_ result: inout ScenarioResult) throws(LoopFailure) {
        // The guest is restarted after a scenario with a host switch, because the guest can be off and its clock
        // differs from this machine's.
        guard hostSwitch == nil else {
            clients = []
            bench.mustReset = true
            return
        }
        for name in clients { try end(name, signal: SIGTERM) }
        clients = []
        // When a program that watches GPIO edges ends, the kernel's driver hid-cp2112 can sleep with a spinlock held;
        // so the guest is restarted instead.
        guard !isMotionWired else {
            try fetchRecording()
            bench.mustReset = true
            return
        }
        if isDaemonRunning, try !end("daemon", signal: SIGTERM) {
            result.fail("the end", "the daemon has not ended \(Int(bench.bound(10))) s after SIGTERM")
            try end("daemon", signal: SIGKILL)
        }
        try fetchRecording()
        if isInstallation {
            // In this scenario systemd runs the daemon, which can keep the bridge in use, so after a failure the guest
            // is booted anew.
            try endInstallation(result)
        } else if bench.board != nil {
            try bench.run(["/bin/sh", "-c", "mount -o remount,rw \(folder.state) 2>/dev/null; exit 0"])
            try bench.unplugBridge()
        }
    }

    // MARK: Programs

    /// Whether the daemon's log and socket can be used: the daemon runs, or systemd starts it, so that both always
    /// exist.
    var isDaemonRunning: Bool { isInstallation || bench.record.running.contains("daemon") }

    func startDaemon() throws(LoopFailure) {
        try fetchRecording()
        starts += 1
        isDaemonWanted = true
        logStart = bench.record.said.count
        let words =
            environment + [program("sextantd")]
            + (bench.board == nil
                ? ["--config", "/etc/sextant/sextant.json5"]
                : [
                    "--board", folder.board, "--clients", folder.path + "/clients.d", "--policy",
                    folder.path + "/policy.json5",
                ])
            + ["--socket", folder.socket, "--gpsd", "off", "--state-directory", folder.state]
            + ["--record", folder.recording("\(scenario.name)-\(starts)")]
        bench.record.programStarted("daemon", at: Clock.now())
        _ = try bench.order(.start(name: "daemon", words))
    }

    /// Starts a program on the board that follows the systemd journal, which holds the daemon's log if systemd starts
    /// the daemon.
    func followJournal() throws(LoopFailure) {
        _ = try bench.order(
            .start(
                name: "daemon",
                [
                    "/bin/journalctl", "--follow", "--lines", "0", "--output", "cat", "--unit", "sextantd", "--unit",
                    "sextant-host",
                ]))
    }

    func startClient(_ name: String, _ words: [String]) throws(LoopFailure) {
        clients.append(name)
        bench.record.programStarted(name, at: Clock.now())
        guard !isInstallation else {
            _ = try bench.order(.start(name: name, ["/usr/bin/sextant"] + words + ["--json"]))
            return
        }
        let program = environment + ["SEXTANT_SOCKET=\(folder.socket)", program("sextant")]
        _ = try bench.order(.start(name: name, program + words + ["--json"]))
    }

    func endClient(_ name: String) throws(LoopFailure) {
        clients.removeAll { $0 == name }
        try end(name, signal: SIGTERM)
    }

    /// The path of a program under test; on a real board only the program's name, so that the installed one is found in
    /// PATH.
    func program(_ name: String) -> String { bench.board == nil ? name : bench.settings.programs + "/" + name }

    var environment: [String] {
        let path = bench.board == nil ? ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"] : []
        let libraries = bench.settings.libraries
        return ["/usr/bin/env"] + path + (libraries.isEmpty ? [] : ["LD_LIBRARY_PATH=\(libraries)"])
    }

    /// Sends a signal to a program on the board and waits for the program's end.
    ///
    /// - Returns: Whether the program has ended.
    @discardableResult
    func end(_ name: String, signal: Int32) throws(LoopFailure) -> Bool {
        if name == "daemon" { isDaemonWanted = false }
        guard bench.record.running.contains(name) else { return true }
        _ = try bench.order(.signal(name: name, signal))
        return try bench.wait(bench.bound(10)) { bench.record.ended[name] != nil }
    }

    // MARK: Recordings

    /// Copies the flight recording of the daemon's latest run from the board, before a reboot or the daemon's next
    /// start destroys it.
    func fetchRecording() throws(LoopFailure) {
        guard starts > recordings.count else { return }
        let name = "\(scenario.name)-\(starts)"
        recordings.append((name, try bench.contents(of: folder.recording(name))))
    }

    /// Replays each flight recording on this machine; the scenario fails if a replay's output differs from the recorded
    /// output.
    private func replays(_ result: inout ScenarioResult) throws(LoopFailure) -> [String] {
        var said: [String] = []
        for (name, bytes) in recordings {
            guard !bytes.isEmpty else {
                // A daemon that ended at once leaves no recording, but then a step has failed already.
                if result.hasPassed { result.fail("replay \(name)", "the daemon has left no recording") }
                continue
            }
            let path = "\(bench.settings.output)/\(name).flight"
            try Output.write(bytes, to: path)
            let errors = path + ".replay"
            let status = try Output.status(
                of: [bench.settings.replayer, "replay", "--quiet", path], printingTo: errors)
            let text = (try? Output.text(of: errors)) ?? ""
            _ = unsafe unlink(errors)
            let words = text.split(separator: "\n").last.map(String.init) ?? "status \(status)"
            said.append("\(name).flight: \(words)")
            if status != 0 { result.fail("replay \(name)", "status \(status): \(words)") }
        }
        return said
    }
}
