internal import Boards
internal import Engine
internal import Receivers

/// The board beside its receiver: its lines, its sensors and its radio.
///
/// A class, because all of them call back.
final class BoardSide {
    let board: Board?
    let hardware: any TrackerHardware
    let feed: Feed
    let journal: Journal
    /// The levels that the board's resistors give to the outputs that were opened.
    private var safeLevels: [LineRole: Bool] = [:]
    /// The access to the board's sensors; nil where the board has none, or their bus cannot be opened.
    var compass: (any CompassPort)?
    /// Whether the accelerometer watches for motion, as it answered last.
    var watchesMotion = false
    /// The radio that hears beacons; nil where there is none.
    var radio: (any RadioPort)?

    init(_ board: Board?, _ hardware: any TrackerHardware, _ feed: Feed, _ journal: Journal) {
        self.board = board
        self.hardware = hardware
        self.feed = feed
        self.journal = journal
    }

    /// Leaves the board as it is without a daemon.
    func stop() {
        restLines()
        compass?.close()
    }
}

/// The board's GPIO lines.
extension BoardSide {
    /// Opens each line separately, so that one that is missing or held does not lose the others, and tells the Engine.
    func openLines() {
        guard let board else { return }
        var levels: [LineRole: Bool] = [:]
        var problems: [String] = []
        // The pulse line would wake the daemon every second, and the kernel's pps-gpio makes better use of it: it stays
        // free.
        for role in LineRole.allCases where board.lines[role] != nil && role != .pulsePerSecond {
            do throws(HardwareFailure) {
                levels[role] = try hardware.openLine(role) { [unowned self] in told($0) }
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

    /// Gives each output its resistor's level, for kernels that leave a line's level as it was when the line is
    /// released.
    private func restLines() {
        for role in LineRole.allCases {
            if let level = safeLevels[role] { setLine(role, level) }
        }
    }

    private func told(_ event: InputEvent) {
        switch event {
        case .shows(let hasRisen, let isActive): tellMotion(hasRisen: hasRisen, isActive)
        case .lost(let failure):
            journal.error(failure.description)
            feed(.lineChanged(.lost))
        }
    }

    /// Sets an output; a failure is logged once, until the output can be set again.
    func setLine(_ role: LineRole, _ level: Bool) {
        do throws(HardwareFailure) {
            try hardware.setLine(role, level)
            journal.complain(nil, about: "\(role)")
        } catch {
            journal.complain(error.description, about: "\(role)")
        }
    }
}
