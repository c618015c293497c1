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
    ///   - longestUnwatchedRest: The longest time in seconds for which the receiver may stay off while no motion sensor
    ///     would report that the board moves; nil for the time in the board's file.
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
