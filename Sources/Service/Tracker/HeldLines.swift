internal import Hardware
internal import LinuxHardware
internal import Reactor
internal import Receivers

/// An output that is held, whatever it is a line of.
protocol SettableLine: AnyObject {
    func set(active: Bool) throws(LineError)
}

/// An output, held until this is gone; a class, because a dictionary cannot hold what has one owner.
final class HeldOutput<Line: OutputLine & ~Copyable>: SettableLine {
    private var line: Line

    init(_ line: consuming Line) { self.line = line }

    func set(active: Bool) throws(LineError) { try line.set(active: active) }
}

/// An input on a reactor, held until this is gone, that tells its edges.
final class HeldInput {
    private let role: LineRole
    private let reactor: Reactor
    private let told: (InputEvent) -> Void
    private var line: GPIOInputLine
    private var registration: Registration?
    private var edges: [LineEdge] = []

    init(
        _ role: LineRole, _ line: consuming GPIOInputLine, reactor: Reactor, told: @escaping (InputEvent) -> Void
    ) throws(LineError) {
        self.role = role
        self.reactor = reactor
        self.told = told
        self.line = line
        do throws(SystemError) {
            registration = try reactor.register(self.line.descriptor, for: .read) { [unowned self] _ in takeEdges() }
        } catch {
            throw LineError(.other, line: self.line.name, errno: error.errno, cause: "\(error)")
        }
    }

    deinit { stop() }

    func readIsActive() throws(LineError) -> Bool { try line.readIsActive() }

    private func takeEdges() {
        edges.removeAll(keepingCapacity: true)
        do throws(LineError) {
            try line.takeEdges(into: &edges)
            for edge in edges { told(.changed(InputEdge(role, edge.isRising, at: edge.instant))) }
        } catch {
            stop()
            told(.lost(HardwareFailure(error, role)))
        }
    }

    private func stop() {
        if let registration { reactor.remove(registration) }
        registration = nil
    }
}
