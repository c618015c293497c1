internal import Boards
internal import Configuration
internal import Engine
internal import Logging
internal import Receivers

/// The board's GPIO lines.
extension Tracker {
    /// Opens each line separately, so that one that is missing or held does not lose the others, and tells the Engine.
    func openLines() {
        guard configuration.power != nil, let board = settings.board else { return }
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
                logger.error("\(error.description)")
            }
        }
        let problem = problems.isEmpty ? nil : problems.joined(separator: ". ")
        feed(.linesOpened(Set(levels.keys), problem: problem))
        guard let moves = levels[.motionInterrupt] else { return }
        tellMotion(moves)
        warnOfSleepingSensor()
    }

    /// Gives each output its resistor's level, for kernels that leave a line's level as it was when the line is
    /// released.
    func restLines() {
        for role in LineRole.allCases {
            if let level = safeLevels[role] { setLine(role, level) }
        }
    }

    private func told(_ event: InputEvent) {
        switch event {
        case .changed(let edge): if edge.role == .motionInterrupt { tellMotion(edge.level) }
        case .lost(let failure):
            logger.error("\(failure.description)")
            // A motion that can no longer be sensed may be happening, so the board counts as moving.
            tellMotion(true)
        }
    }

    /// Sets an output; a failure is logged once, until the output can be set again.
    func setLine(_ role: LineRole, _ level: Bool) {
        do throws(HardwareFailure) {
            try hardware.setLine(role, level)
            complain(nil, about: "\(role)")
        } catch {
            complain(error.description, about: "\(role)")
        }
    }
}
