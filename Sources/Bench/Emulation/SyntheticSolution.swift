import GNSS
import SextantUnits

/// An emulated receiver's solution for one epoch, before it is encoded in messages.
struct SyntheticSolution: Sendable {
    /// The position and motion of one epoch; a solution without a fix has no position.
    struct Position: Sendable {
        var latitude: Double
        var longitude: Double
        var altitudeAboveMeanSeaLevel: Double
        var geoidSeparation: Double
        var velocity: VelocityNED
        var speed: Double
        var courseOverGround: Double
        /// Whether the speed is high enough for a meaningful course; otherwise NMEA leaves the course empty.
        var isMoving: Bool
        var horizontalAccuracy: Double
        var verticalAccuracy: Double
        var speedAccuracy: Double
        var courseAccuracy: Double
    }

    var stage: Acquisition.Stage
    /// The true time; the stage decides how much of it the receiver knows.
    var time: UTCInstant
    /// Nanoseconds by which the solution's time deviates from `time`.
    var clockError: Int64
    /// GPS time of week in milliseconds; while the time is unknown, milliseconds since the start.
    var timeOfWeek: UInt32
    var position: Position?
    var sky: SyntheticSky.View
    /// Whether this epoch reports the sky; one epoch a second does.
    var reportsSky: Bool

    var fixType: FixType { position == nil ? .noFix : stage.fixType }
    var isTimeKnown: Bool { stage != .nothing }
    var isDateKnown: Bool { stage != .nothing && stage != .time }
    var usedCount: Int { sky.satellites.count { $0.isUsed } }
}
