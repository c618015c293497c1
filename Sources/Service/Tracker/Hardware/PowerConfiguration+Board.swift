internal import Beacons
internal import Boards
internal import Engine

extension PowerConfiguration {
    /// The power configuration of a board: its receiver, its batteries and the power that its parts draw.
    ///
    /// - Parameters:
    ///   - baud: The port's rate in the installation's own configuration, which overrides the board's; nil where the
    ///     rate is to be found, and may then be raised.
    ///   - longestUnwatchedRest: Seconds, from the installation's own configuration, which overrides the board's; nil
    ///     where it gives none.
    ///   - learned: The learned facts that were kept when the daemon last ran.
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
