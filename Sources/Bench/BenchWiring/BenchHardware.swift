public import BenchControl
public import Reactor
public import Receivers
public import Tracker
internal import Units

/// Hardware at the other end of the control socket.
public final class BenchHardware: TrackerHardware {
    private let device: String
    private let reactor: Reactor
    private let tell: (BenchReport) -> Void
    /// The port that is open, which belongs to the daemon.
    private weak var port: BenchPort?
    private var isPlugged = true
    private var appeared: () -> Void = {}
    private var edge: (InputEdge) -> Void = { _ in }
    private var roles: Set<LineRole> = []
    /// Whether the daemon has done something to its hardware since this was cleared.
    public var hasActed = false
    /// Edges that would have woken the daemon; the port's bytes wake it through its reactor.
    public private(set) var edgeCount: UInt64 = 0

    /// Hardware whose every change goes to `tell`.
    public init(device: String, reactor: Reactor, tell: @escaping (BenchReport) -> Void) {
        self.device = device
        self.reactor = reactor
        self.tell = tell
    }

    private func act(_ report: BenchReport) {
        hasActed = true
        tell(report)
    }

    // MARK: For the daemon

    public func openPort(baud: Int) throws(HardwareFailure) -> any ReceiverPort {
        guard isPlugged else {
            throw HardwareFailure("\(device): no such device; the harness has unplugged it", isMissing: true)
        }
        let opened = try BenchPort(reactor: reactor) { [unowned self] in act($0) }
        port = opened
        act(.setBaud(baud))
        return opened
    }

    public func watchDevice(_ appeared: @escaping () -> Void) { self.appeared = appeared }

    public func openLines(_ roles: [LineRole], edge: @escaping (InputEdge) -> Void) {
        self.roles = Set(roles)
        self.edge = edge
        for role in roles where !role.isInput { act(.setLine(role, false)) }
    }

    public func setLine(_ role: LineRole, _ level: Bool) throws(HardwareFailure) {
        guard roles.contains(role), !role.isInput else { throw HardwareFailure("\(role): not opened as an output") }
        act(.setLine(role, level))
    }

    // MARK: For the harness

    /// The receiver sends.
    public func feed(_ bytes: [UInt8]) { port?.feed(bytes) }

    /// Changes an input.
    ///
    /// - Returns: Whether the daemon listens to it.
    public func change(_ role: LineRole, to level: Bool) -> Bool {
        guard roles.contains(role), role.isInput else { return false }
        edgeCount += 1
        edge(InputEdge(role, level, at: reactor.now))
        return true
    }

    /// The receiver's device comes.
    public func plug() {
        guard !isPlugged else { return }
        isPlugged = true
        edgeCount += 1
        appeared()
    }

    /// The receiver's device goes away.
    public func unplug() {
        isPlugged = false
        port?.unplug()
    }
}

extension LineRole {
    fileprivate var isInput: Bool {
        switch self {
        case .pulsePerSecond, .motionInterrupt: true
        case .powerEnable, .backupSupply, .reset, .wake: false
        }
    }
}
