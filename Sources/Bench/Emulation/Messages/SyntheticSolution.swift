import GNSS
import SextantUnits

/// An emulated receiver's navigation solution for one epoch, before it is encoded in messages.
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
    /// The true time; the solution's `stage` decides how much of it the receiver knows.
    var time: UTCInstant
    /// The nanoseconds by which the time that the receiver reports deviates from the true `time`.
    var clockError: Int64
    /// GPS time of week in milliseconds; as long as the receiver does not know the time, milliseconds since its start.
    var timeOfWeek: UInt32
    var position: Position?
    var sky: SyntheticSky.View
    /// Whether the satellites in view are reported in this epoch; a synthetic receiver reports them once per second.
    var reportsSky: Bool

    var fixType: FixType { position == nil ? .noFix : stage.fixType }
    var isTimeKnown: Bool { stage != .nothing }
    var isDateKnown: Bool { stage != .nothing && stage != .time }
    var usedCount: Int { sky.satellites.count { $0.isUsed } }
}
