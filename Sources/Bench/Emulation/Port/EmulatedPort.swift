public import SextantReactor
internal import SextantUnits

/// Plays the script of an emulated receiver (which bytes to write, and when) on a pseudo-terminal, in real time.
///
/// While no program has the terminal open, the bytes are lost, as with a UART. Bytes that a program writes are read and
/// ignored. A class, because the reactor's handlers share it.
public final class EmulatedPort {
    private let reactor: Reactor
    private let link: String?
    private var script: ReceiverScript
    private var terminal: PseudoTerminal?
    private var next: Step?
    /// The instant at which the script began; nil while the script waits for a program to open the terminal.
    private var start: MonotonicInstant?
    private var input = [UInt8](repeating: 0, count: 4096)
    private let ended: () -> Void
    /// The instant, after the script's last step, at which the playback ends; nil until that step has been carried out.
    private var endAt: MonotonicInstant?
    /// The time in nanoseconds that programs have to read the last bytes; bytes still unread when the terminal closes
    /// are lost.
    private static let farewell: Int64 = 500_000_000

    /// Opens the pseudo-terminal; `ended` is called half a second after the script's last step.
    ///
    /// - Parameters:
    ///   - link: The path of a symbolic link to the terminal, or nil for none.
    ///   - waits: If true, the script begins when a program opens the terminal; if false, at once.
    public init(
        _ script: ReceiverScript, link: String?, waits: Bool, reactor: Reactor, ended: @escaping () -> Void
    ) throws(SystemError) {
        self.script = script
        self.link = link
        self.reactor = reactor
        self.ended = ended
        try connect()
        next = self.script.next()
        reactor.onWake { [unowned self] instant in play(to: instant) }
        if !waits { begin() }
    }

    private func begin() {
        start = Clock.now()
        setWake()
    }

    /// The path at which the program under test finds the terminal; nil while the receiver is unplugged.
    public var path: String? { terminal.map { $0.linkPath ?? $0.slavePath } }

    private func play(to instant: MonotonicInstant) {
        while let step = next, let due = due(step), due <= instant {
            carryOut(step)
            next = script.next()
        }
        if let endAt, endAt <= instant { return ended() }
        if next == nil, endAt == nil { endAt = instant.advanced(byNanoseconds: EmulatedPort.farewell) }
        setWake()
    }

    private func due(_ step: Step) -> MonotonicInstant? { start?.advanced(byNanoseconds: step.at) }

    private func setWake() {
        if let instant = next.flatMap(due) ?? endAt { reactor.setWake(at: instant) }
    }

    private func carryOut(_ step: Step) {
        switch step.action {
        case .write(let bytes): write(bytes)
        case .disconnect:
            terminal?.unregister(from: reactor)
            terminal = nil
        case .reconnect: try? connect()
        }
    }

    private func connect() throws(SystemError) {
        let opened = try PseudoTerminal(link: link)
        try opened.register(with: reactor) { [unowned self] event in
            switch event {
            case .useChanged: if start == nil, terminal?.isSlaveOpen == true { begin() }
            case .readable: while case .bytes? = terminal?.read(into: &input) {}
            }
        }
        terminal = opened
    }

    /// Writes bytes to the terminal; they are lost if no program has the terminal open or the terminal is full.
    private func write(_ bytes: [UInt8]) {
        guard let terminal, terminal.isSlaveOpen else { return }
        _ = terminal.write(bytes.span)
    }
}
