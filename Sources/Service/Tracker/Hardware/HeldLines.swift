internal import Hardware
internal import LinuxHardware
internal import Receivers
internal import SextantReactor
internal import SextantUnits

/// A held output line of any kind.
protocol SettableLine: AnyObject {
    func set(active: Bool) throws(LineError)
}

/// An output line, held as long as this object lives.
///
/// A class, because a dictionary cannot hold a noncopyable line.
final class HeldOutput<Line: OutputLine & ~Copyable>: SettableLine {
    private var line: Line

    init(_ line: consuming Line) { self.line = line }

    func set(active: Bool) throws(LineError) { try line.set(active: active) }
}

/// The accelerometer's interrupt line, held as long as this object lives, which tells whether the board moves.
final class HeldMotionLine {
    private let role: LineRole
    private let reactor: Reactor
    private let told: (InputEvent) -> Void
    private let watchAnew: () -> Void
    private var line: GPIOInputLine
    private var registration: Registration?
    private var alarm: Alarm?
    private var hold = MotionHold()
    private var edges: [LineEdge] = []

    /// - Parameter watchAnew: Called when the line is checked during motion, for chips that hold the line until told to
    ///   watch anew.
    init(
        _ role: LineRole, _ line: consuming GPIOInputLine, reactor: Reactor, watchAnew: @escaping () -> Void,
        told: @escaping (InputEvent) -> Void
    ) throws(LineError) {
        self.role = role
        self.reactor = reactor
        self.told = told
        self.watchAnew = watchAnew
        self.line = line
        do throws(SystemError) {
            alarm = try Alarm(in: reactor) { [unowned self] in look() }
            registration = try reactor.register(self.line.descriptor, for: [.read, .once]) { [unowned self] _ in look()
            }
        } catch {
            throw LineError(.other, line: self.line.name, errno: error.errno, cause: "\(error)")
        }
    }

    deinit { stop() }

    /// Checks the line for the first time, and returns whether the board moves.
    func begin() throws(LineError) -> Bool {
        _ = try follow(at: Clock.now())
        return hold.isMoving
    }

    private func look() {
        do throws(LineError) {
            let now = Clock.now()
            guard let moves = try follow(at: now) else { return }
            told(.changed(InputEdge(role, moves, at: edges.first?.instant ?? now)))
        } catch {
            stop()
            told(.lost(HardwareFailure(error, role)))
        }
    }

    private func follow(at now: MonotonicInstant) throws(LineError) -> Bool? {
        edges.removeAll(keepingCapacity: true)
        try line.takeEdges(into: &edges)
        let outcome = hold.looked(
            hasRisen: edges.contains(where: \.isRising), isActive: try line.readIsActive(), at: now)
        if outcome.watchesAnew { watchAnew() }
        if let nextLook = outcome.nextLook {
            alarm?.set(at: nextLook)
        } else if let registration {
            do throws(SystemError) { try reactor.arm(registration, for: [.read, .once]) } catch {
                throw LineError(.other, line: line.name, errno: error.errno, cause: "\(error)")
            }
        }
        return outcome.change
    }

    private func stop() {
        if let registration { reactor.remove(registration) }
        registration = nil
        alarm = nil
    }
}
