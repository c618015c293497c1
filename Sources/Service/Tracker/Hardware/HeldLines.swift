internal import Hardware
internal import LinuxHardware
internal import Receivers
internal import SextantReactor
internal import SextantUnits

/// A GPIO output line that is kept open, whatever hardware is behind it.
protocol SettableLine: AnyObject {
    func set(active: Bool) throws(LineError)
}

/// A GPIO output line that is kept open as long as this object lives.
///
/// A class, because a dictionary cannot hold a noncopyable line.
final class HeldOutput<Line: OutputLine & ~Copyable>: SettableLine {
    private var line: Line

    init(_ line: consuming Line) { self.line = line }

    func set(active: Bool) throws(LineError) { try line.set(active: active) }
}

/// The accelerometer's interrupt line (a GPIO input), kept open as long as this object lives.
///
/// The line is read at its next change, or at the instant given to `look(at:)`; changes before that instant do not wake
/// the daemon.
final class HeldMotionLine {
    private let role: LineRole
    private let reactor: Reactor
    private let onEvent: (InputEvent) -> Void
    private var line: GPIOInputLine
    private var registration: Registration?
    private var alarm: Alarm?
    private var edges: [LineEdge] = []

    init(
        _ role: LineRole, _ line: consuming GPIOInputLine, reactor: Reactor, onEvent: @escaping (InputEvent) -> Void
    ) throws(LineError) {
        self.role = role
        self.reactor = reactor
        self.onEvent = onEvent
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

    func readLevel() throws(LineError) -> Bool { try line.readIsActive() }

    /// Sets when the line is read next: at this instant and not earlier; if the instant is nil, at the line's next
    /// change.
    func look(at instant: MonotonicInstant?) {
        if let instant {
            alarm?.set(at: instant)
        } else if let registration {
            do throws(SystemError) { try reactor.arm(registration, for: [.read, .once]) } catch {
                lose(LineError(.other, line: line.name, errno: error.errno, cause: "\(error)"))
            }
        }
    }

    private func look() {
        do throws(LineError) {
            edges.removeAll(keepingCapacity: true)
            try line.takeEdges(into: &edges)
            let hasRisen = edges.contains(where: \.isRising)
            onEvent(.shows(hasRisen: hasRisen, isActive: try line.readIsActive()))
        } catch {
            lose(error)
        }
    }

    private func lose(_ error: LineError) {
        stop()
        onEvent(.lost(HardwareFailure(error, role)))
    }

    private func stop() {
        if let registration { reactor.remove(registration) }
        registration = nil
        alarm = nil
    }
}
