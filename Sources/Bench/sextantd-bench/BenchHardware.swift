internal import BenchControl
internal import Reactor
internal import Receivers
internal import Tracker
internal import Units

/// Hardware at the other end of the control socket.
final class BenchHardware: TrackerHardware {
    private let device: String
    private let reactor: Reactor
    private let tell: (BenchReport) -> Void
    /// The port that is open, which belongs to the daemon.
    private weak var port: BenchPort?
    private var isPlugged = true
    private var appeared: () -> Void = {}
    private var edge: (LineEdge) -> Void = { _ in }
    private var roles: Set<LineRole> = []
    /// Whether the daemon has done something to its hardware since this was cleared.
    var hasActed = false
    /// Edges that would have woken the daemon; the port's bytes wake it through its reactor.
    private(set) var edgeCount: UInt64 = 0

    init(device: String, reactor: Reactor, tell: @escaping (BenchReport) -> Void) {
        self.device = device
        self.reactor = reactor
        self.tell = tell
    }

    private func act(_ report: BenchReport) {
        hasActed = true
        tell(report)
    }

    // MARK: For the daemon

    func openPort(baud: Int) throws(HardwareFailure) -> any ReceiverPort {
        guard isPlugged else {
            throw HardwareFailure("\(device): no such device; the harness has unplugged it", isMissing: true)
        }
        let opened = try BenchPort(reactor: reactor) { [unowned self] in act($0) }
        port = opened
        act(.setBaud(baud))
        return opened
    }

    func watchDevice(_ appeared: @escaping () -> Void) { self.appeared = appeared }

    func openLines(_ roles: [LineRole], edge: @escaping (LineEdge) -> Void) {
        self.roles = Set(roles)
        self.edge = edge
        for role in roles where !role.isInput { act(.setLine(role, false)) }
    }

    func setLine(_ role: LineRole, _ level: Bool) throws(HardwareFailure) {
        guard roles.contains(role), !role.isInput else { throw HardwareFailure("\(role): not opened as an output") }
        act(.setLine(role, level))
    }

    // MARK: For the harness

    func feed(_ bytes: [UInt8]) { port?.feed(bytes) }

    /// Changes an input.
    ///
    /// - Returns: Whether the daemon listens to it.
    func change(_ role: LineRole, to level: Bool) -> Bool {
        guard roles.contains(role), role.isInput else { return false }
        edgeCount += 1
        edge(LineEdge(role, level, at: reactor.now))
        return true
    }

    func plug() {
        guard !isPlugged else { return }
        isPlugged = true
        edgeCount += 1
        appeared()
    }

    func unplug() {
        isPlugged = false
        port?.unplug()
    }
}

extension LineRole {
    var isInput: Bool {
        switch self {
        case .pulsePerSecond, .motionInterrupt: true
        case .powerEnable, .backupSupply, .reset, .wake: false
        }
    }
}
