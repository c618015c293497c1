internal import Boards
internal import Engine
internal import Receivers

/// The board's hardware besides the receiver: its GPIO lines, its sensors and its radio.
///
/// A class, because the lines, the sensors and the radio call it back.
final class BoardSide {
    let board: Board?
    let hardware: any TrackerHardware
    let feed: Feed
    let journal: Journal
    /// The level to which the board's resistor pulls each GPIO output that was opened.
    private var safeLevels: [LineRole: Bool] = [:]
    /// The access to the board's magnetometer and accelerometer; nil if the board has none, or if their bus cannot be
    /// opened.
    var sensorPort: (any SensorPort)?
    /// Whether the accelerometer watches for motion, according to its last answer.
    var watchesMotion = false
    /// The Bluetooth radio that receives beacons; nil if there is none.
    var radio: (any RadioPort)?

    init(_ board: Board?, _ hardware: any TrackerHardware, _ feed: Feed, _ journal: Journal) {
        self.board = board
        self.hardware = hardware
        self.feed = feed
        self.journal = journal
    }

    /// Leaves the board's lines, sensors and radio in the state that they have without a daemon.
    func stop() {
        restLines()
        sensorPort?.close()
    }
}

/// The board's GPIO lines.
extension BoardSide {
    /// Opens each GPIO line separately, so that a missing or busy line does not affect the others, and tells the Engine
    /// (the daemon's logic) which could be opened.
    func openLines() {
        guard let board else { return }
        var levels: [LineRole: Bool] = [:]
        var problems: [String] = []
        // The receiver's PPS line is not opened here: it would wake the daemon every second, and the kernel's pps-gpio
        // driver timestamps the pulses better.
        for role in LineRole.allCases where board.lines[role] != nil && role != .pulsePerSecond {
            do throws(HardwareFailure) {
                levels[role] = try hardware.openLine(role) { [unowned self] in handle($0) }
                safeLevels[role] = role.isOutput ? board.lines[role]?.safe.map { $0 == .active } : nil
            } catch {
                problems.append(error.description)
                journal.error(error.description)
            }
        }
        let problem = problems.isEmpty ? nil : problems.joined(separator: ". ")
        feed(.linesOpened(Set(levels.keys), problem: problem))
        guard let level = levels[.motionInterrupt] else { return }
        tellMotion(hasRisen: false, level)
        warnOfSleepingSensor()
    }

    /// Sets each GPIO output to its resistor's level, since some kernels leave a line's level as it was when the line
    /// is released.
    private func restLines() {
        for role in LineRole.allCases {
            if let level = safeLevels[role] { setLine(role, level) }
        }
    }

    private func handle(_ event: InputEvent) {
        switch event {
        case .shows(let hasRisen, let isActive): tellMotion(hasRisen: hasRisen, isActive)
        case .lost(let failure):
            journal.error(failure.description)
            feed(.lineChanged(.lost))
        }
    }

    /// Sets a GPIO output; a failure is logged once, until the output can be set again.
    func setLine(_ role: LineRole, _ level: Bool) {
        do throws(HardwareFailure) {
            try hardware.setLine(role, level)
            journal.complain(nil, about: "\(role)")
        } catch {
            journal.complain(error.description, about: "\(role)")
        }
    }
}
