internal import Boards
internal import Engine
internal import Receivers

extension PowerConfiguration {
    /// What a board lets the Engine switch, and what that costs.
    ///
    /// - Parameters:
    ///   - baud: The port's rate by the installation's own word, which stands above the board's; nil where it is to be
    ///     found, and may then be raised.
    ///   - longestUnwatchedRest: Seconds, by the installation's own word, which stands above the board's; nil where it
    ///     says nothing.
    ///   - learned: What was kept when the daemon last ran.
    init(_ board: Board, baud: Int?, longestUnwatchedRest: Double?, learned: [UInt8]?) {
        self.init(
            model: board.receiver.model, draw: board.receiver.draw, startTimes: board.receiver.startTimes,
            baud: baud ?? PowerConfiguration.usualBaud, hasPersistentBackup: board.backup == .battery,
            motionSensorDraw: board.motion?.milliwatts, hostIdleMilliwatts: board.host.idleMilliwatts,
            hostWakeMillijoules: board.host.wakeMillijoules, batteryWattHours: board.batteryWattHours,
            longestUnwatchedRest: longestUnwatchedRest ?? board.longestUnwatchedRest, learned: learned)
    }
}
