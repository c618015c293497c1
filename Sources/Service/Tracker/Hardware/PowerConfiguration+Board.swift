internal import Beacons
internal import Boards
internal import Engine

extension PowerConfiguration {
    /// The power configuration of a board: its receiver, its backup supply, its battery and the power draw of its
    /// parts.
    ///
    /// - Parameters:
    ///   - baud: The port's baud rate from the installation's configuration, which overrides the board's; nil if the
    ///     rate is to be detected, and can then be raised.
    ///   - longestUnwatchedRest: Seconds, from the installation's configuration, which override the board's; nil if it
    ///     gives none.
    ///   - learned: The facts learned in earlier runs of the daemon, as they were stored.
    init(_ board: Board, baud: Int?, longestUnwatchedRest: Double?, learned: [UInt8]?) {
        self.init(
            model: board.receiver.model, draw: board.receiver.draw, startTimes: board.receiver.startTimes,
            baud: baud ?? PowerConfiguration.usualBaud, hasPersistentBackup: board.backup == .battery,
            motionSensorDraw: board.motion?.milliwatts, hostIdleMilliwatts: board.host.idleMilliwatts,
            hostWakeMillijoules: board.host.wakeMillijoules, batteryWattHours: board.batteryWattHours,
            longestUnwatchedRest: longestUnwatchedRest ?? board.longestUnwatchedRest, learned: learned)
        radioDraw = board.bluetooth?.listeningMilliwatts
    }
}
