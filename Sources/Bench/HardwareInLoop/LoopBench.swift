internal import Emulation
internal import Glibc
internal import LinuxHardware
internal import Pictures
internal import Receivers
internal import SextantJSON
internal import SextantReactor
internal import SextantUnits

/// An emulated or real board with its agent, the program on the board through which scenarios act and observe.
///
/// A class, because the handlers of the bench's connections and the scenario's steps share it.
public final class LoopBench {
    public struct Settings: Sendable {
        /// The folder of the programs under test, as a path on the board.
        public var programs: String
        /// The path of the `sextant` program on this machine, which replays the flight recordings.
        public var replayer: String
        /// The folder on the board with the libraries that the programs need besides the system's; empty for none.
        public var libraries = ""
        /// The path of Sextant's package in a Debian guest.
        public var package = ""
        /// The folder for reports.
        public var output: String
        /// The limit in seconds for every wait for a state, which replaces the limits in the scenarios; nil to use the
        /// scenarios' limits.
        public var patience: Double?

        public init(programs: String, replayer: String, output: String) {
            self.programs = programs
            self.replayer = replayer
            self.output = output
        }
    }

    /// The kind of board, and how the bench connects to it.
    public enum Target {
        /// A guest in QEMU with emulated hardware.
        case guest(GuestMachine)
        /// A real board; the command runs the agent there, and the bench talks to the agent through the command's
        /// standard input and output.
        case device(command: [String])
    }

    let settings: Settings
    let target: Target
    let reactor: Reactor
    /// Prints lines of text at once, for people and for the log of a gate.
    private let tell: (String) -> Void
    /// The emulated hardware of the guest; nil for a real board.
    let board: EmulatedBoard?
    private(set) var machine: SpawnedProgram?
    private var bridge: LineLink?
    private var agent: LineLink?
    private var isBridgeReady = false
    /// The number of times that the guest was started by the host switch, restarted itself, or switched itself off
    /// without an alarm.
    var starts = GuestStarts()
    private var isInterrupted = false
    /// Whether the guest must be restarted before it is used again.
    var mustReset = false
    /// Whether a scenario has left Sextant's Debian package installed in the guest.
    var hasPackage = false
    private var orders = 0
    private var answers: [Int: JSONMembers] = [:]

    /// What the bench has observed in the current scenario.
    var record = RunRecording(start: Clock.now())

    public init(_ target: Target, _ settings: Settings, tell: @escaping (String) -> Void) throws(LoopFailure) {
        self.target = target
        self.tell = tell
        self.settings = settings
        do { reactor = try Reactor() } catch { throw LoopFailure(.board, "\(error)") }
        if case .guest = target { board = try EmulatedBoard(reactor: reactor) } else { board = nil }
        reactor.onWake { [reactor] _ in reactor.stop() }
        let heedSignal = { [unowned self] (_: Signal) in
            isInterrupted = true
            reactor.stop()
        }
        do { try reactor.onSignal(heedSignal) } catch { throw LoopFailure(.board, "\(error)") }
        board?.lineChanged = { [unowned self] role, state in
            record.note("\(role)", state, at: Clock.now())
        }
        board?.receiverChanged = { [unowned self] state in record.note(state, at: Clock.now()) }
        try start(isClean: true)
    }

    // MARK: The board's start and end

    /// Boots the guest, or connects to the real board, and waits until the agent there answers.
    ///
    /// A guest with a fresh disk that does not come up is booted once more: none of Sextant's programs has run in it, so
    /// the fault is not theirs; on a busy machine the guest's kernel can panic or hang. `scripts/test` reads the line
    /// that begins with `flake: `.
    ///
    /// - Parameter isClean: Whether the guest gets a fresh disk that no scenario has changed.
    func start(isClean: Bool) throws(LoopFailure) {
        do throws(LoopFailure) {
            try startOnce(isClean: isClean)
        } catch {
            guard isClean, error.kind == .board, board != nil, !isInterrupted else { throw error }
            tell("\(name) did not come up, and is booted once more: \(error)")
            cutSupply()
            try startOnce(isClean: isClean)
            let lines = error.description.split(whereSeparator: \.isNewline)
            let panic = lines.first { $0.contains("Kernel panic") }?.drop { " >".contains($0) }
            tell("flake: the boot of \(name): \(panic ?? lines[0])")
        }
    }

    private func startOnce(isClean: Bool) throws(LoopFailure) {
        switch target {
        case .guest(let guest):
            if isClean { try cleanDisk(of: guest) }
            try boot(guest)
        case .device(let command): try reach(command)
        }
        _ = try order(.hello(patience: settings.patience), within: bound(120))
    }

    private func cleanDisk(of guest: GuestMachine) throws(LoopFailure) {
        guard let clean = guest.cleanDisk else { return }
        let said = settings.output + "/copy.log"
        guard try Output.status(of: ["cp", "--sparse=always", clean, guest.disk], printingTo: said) == 0 else {
            throw LoopFailure(.file, "\(guest.disk): no copy of \(clean); \(said) says why")
        }
        _ = unsafe unlink(said)
    }

    func boot(_ guest: GuestMachine) throws(LoopFailure) {
        guard let board else { return }
        let bridgePipe = try SocketPair()
        let agentPipe = try SocketPair()
        do {
            let nothing = try Descriptor(opening: "/dev/null", flags: O_RDWR)
            machine = try SpawnedProgram(
                guest.command(serial: board.terminal.slavePath, clock: board.utc), input: bridgePipe.far,
                output: agentPipe.far,
                errors: nothing)
        } catch let failure as LoopFailure {
            throw failure
        } catch {
            throw LoopFailure(.board, "\(error)")
        }
        bridge = try LineLink(bridgePipe.near, reactor: reactor) { [unowned self] line in hear(line) }
        agent = try LineLink(agentPipe.near, reactor: reactor) { [unowned self] line in take(line) }
    }

    private func reach(_ command: [String]) throws(LoopFailure) {
        let pipe = try SocketPair()
        let errors = Descriptor(adopting: dup(2))
        machine = try SpawnedProgram(command, input: pipe.far, output: pipe.far, errors: errors)
        agent = try LineLink(pipe.near, reactor: reactor) { [unowned self] line in take(line) }
    }

    /// Restarts the guest and all hardware that shares the guest's supply.
    ///
    /// - Parameter isClean: Whether the guest gets a fresh disk that no scenario has changed.
    func reset(isClean: Bool = false) throws(LoopFailure) {
        cutSupply()
        mustReset = false
        if isClean { hasPackage = false }
        try start(isClean: isClean)
    }

    /// Ends the guest as a power cut would: every program stops at once, and only the contents of the disk stay.
    func cutSupply() {
        machine = nil
        agent = nil
        bridge = nil
        isBridgeReady = false
        board?.powerCycleBridge()
        for name in record.running { record.program(name, endedAs: .lost, at: Clock.now()) }
    }

    /// Whether the bench can go on after a failure; a guest that has ended or hangs is marked for a restart.
    func goesOn(after failure: LoopFailure) -> Bool {
        switch failure.kind {
        case .refusal: return true
        case .board:
            guard board != nil, !isInterrupted else { return false }
            mustReset = true
            return true
        case .scenario, .file: return false
        }
    }

    // MARK: The bridge's plug

    private func hear(_ line: String) {
        if line == "ready" {
            isBridgeReady = true
            // A CP2112 bridge that has a host switch on its I2C bus is a part of the board, so the bridge is plugged in
            // as soon as the guest is ready.
            if board?.hostSwitch != nil { bridge?.send(EmulatedBoard.plug) }
        } else if let answer = board?.answer(line) {
            bridge?.send(answer)
        }
    }

    /// Plugs the CP2112 bridge into the guest and waits until the guest's kernel offers its GPIO lines and I2C bus.
    func plugBridge() throws(LoopFailure) {
        guard try wait(bound(20), until: { isBridgeReady }) else {
            throw LoopFailure(.board, "the guest's pipe to /dev/uhid has not come up\(lastConsoleLines)")
        }
        bridge?.send(EmulatedBoard.plug)
        try run("ls /dev/gpiochip0 /dev/i2c-*", within: 10)
    }

    func unplugBridge() throws(LoopFailure) {
        bridge?.send("unplug")
        try run("[ ! -e /dev/gpiochip0 ]", within: 10)
        board?.powerCycleBridge()
    }

    /// Repeats a shell command on the board until it succeeds.
    private func run(_ command: String, within seconds: Double) throws(LoopFailure) {
        let deadline = Clock.now().advanced(byNanoseconds: Int64(bound(seconds) * 1e9))
        while true {
            do throws(LoopFailure) {
                try run(["/bin/sh", "-c", command])
                return
            } catch {
                guard error.kind == .refusal, Clock.now() < deadline else { throw error }
            }
            try wait(0.1)
        }
    }

    // MARK: Time

    /// The limit of a wait for a state, in seconds: the settings' `patience`, or the given limit if that is nil.
    func bound(_ seconds: Double) -> Double { settings.patience ?? seconds }

    /// Lets the board run until a condition holds, but at most for `seconds`.
    ///
    /// - Returns: Whether the condition holds.
    @discardableResult
    func wait(_ seconds: Double, until condition: () throws(LoopFailure) -> Bool = { false }) throws(LoopFailure)
        -> Bool
    {
        let deadline = Clock.now().advanced(byNanoseconds: Int64(seconds * 1e9))
        while true {
            board?.live()
            try followSwitch()
            if isInterrupted { throw LoopFailure(.board, "interrupted") }
            if try condition() { return true }
            guard Clock.now() < deadline else { return false }
            if let machine, let status = machine.status {
                throw LoopFailure(.board, "\(name) has ended with status \(status)\(lastConsoleLines)")
            }
            reactor.setWake(at: min(board?.nextEvent ?? deadline, deadline))
            do { try reactor.run() } catch { throw LoopFailure(.board, "\(error)") }
        }
    }

    // MARK: The agent

    /// Takes a line (one JSON object) from the agent: the answer to an order, or the output or end of a program that
    /// the agent started.
    private func take(_ text: String) {
        guard let line = JSONMembers(parsing: Array(text.utf8)) else { return }
        if let id = line.number("id") {
            answers[Int(id)] = line
        } else if let name = line.text("name") {
            let now = Clock.now()
            if let said = line.text("line") { record.program(name, said: said, at: now) }
            if let status = line.number("ended") { record.program(name, endedAs: .status(Int(status)), at: now) }
        }
    }

    /// The board's name in the messages of failures.
    private var name: String {
        switch target {
        case .guest(let guest): guest.name
        case .device: "the board"
        }
    }

    /// The last lines of the guest's console, for the end of a failure's message, from the kernel's panic on if it has
    /// one; empty for a real board.
    private var lastConsoleLines: String {
        guard case .guest(let guest) = target else { return "" }
        let all = ((try? Output.text(of: guest.console)) ?? "").split(whereSeparator: \.isNewline)
        guard !all.isEmpty else { return "; its console, \(guest.console), is empty" }
        let panic = all.firstIndex { $0.contains("Kernel panic") }
        let lines = panic.map { all[$0...].prefix(8) } ?? all.suffix(8)
        return "; the last lines of its console, \(guest.console):" + lines.map { "\n            > \($0)" }.joined()
    }

    /// Asks the agent to answer and returns the failure if it does not; nil if the agent answers.
    func hang() -> LoopFailure? {
        do throws(LoopFailure) {
            _ = try order(.hello(patience: settings.patience), within: 30)
            return nil
        } catch {
            return goesOn(after: error) ? error : nil
        }
    }

    /// Sends an order to the agent and waits for the answer.
    ///
    /// - Parameter given: The limit of the wait in seconds; nil for the settings' `patience` or, if that is nil, 60 s.
    func order(_ order: AgentOrder, within given: Double? = nil) throws(LoopFailure) -> JSONMembers {
        let seconds = given ?? bound(60)
        orders += 1
        let id = orders
        agent?.send(order.line(id: id))
        let isAnswered = try wait(seconds) { answers[id] != nil || agent?.hasEnded ?? true }
        guard isAnswered, let answer = answers.removeValue(forKey: id) else {
            throw LoopFailure(
                .board, "\(name) hangs: its agent has not answered for \(Int(seconds)) s\(lastConsoleLines)")
        }
        guard answer.number("status") != -1 else {
            throw LoopFailure(.refusal, "the board's agent: \(answer.text("errors") ?? "no reason given")")
        }
        return answer
    }

    /// Runs a command on the board and returns its output; throws if the command fails.
    @discardableResult
    func run(_ words: [String], input: String = "") throws(LoopFailure) -> String {
        let answer = try order(.run(words, input: input, timeout: Int(bound(30))), within: bound(30) + 30)
        guard answer.number("status") == 0 else {
            throw LoopFailure(.refusal, "\(words.joined(separator: " ")): \(answer.text("errors") ?? "")")
        }
        return answer.text("output") ?? ""
    }

    /// Reads a file from the board piece by piece; empty if the file does not exist.
    func contents(of path: String) throws(LoopFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let answer = try order(.read(path: path, offset: bytes.count))
            let piece = Hexadecimal.bytes(answer.text("bytes") ?? "")
            bytes += piece
            guard !piece.isEmpty, Double(bytes.count) < answer.number("total") ?? 0 else { return bytes }
        }
    }
}
