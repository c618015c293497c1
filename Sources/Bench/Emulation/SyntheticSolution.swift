import GNSS
import SextantUnits

/// An emulated receiver's solution for one epoch, before it is put into messages.
struct SyntheticSolution: Sendable {
    /// The position and motion of one epoch; a solution without a fix has none.
    struct Position: Sendable {
        var latitude: Double
        var longitude: Double
        var altitudeAboveMeanSeaLevel: Double
        var geoidSeparation: Double
        var velocity: VelocityNED
        var speed: Double
        var courseOverGround: Double
        /// Whether the speed is high enough for a course to mean something; otherwise NMEA leaves the course empty.
        var isMoving: Bool
        var horizontalAccuracy: Double
        var verticalAccuracy: Double
        var speedAccuracy: Double
        var courseAccuracy: Double
    }

    var stage: Acquisition.Stage
    /// The true time; what the receiver knows of it depends on the stage.
    var time: UTCInstant
    /// Nanoseconds by which the solution misses `time`.
    var clockError: Int64
    /// Milliseconds of GPS time of week, or since the start while the time is unknown.
    var timeOfWeek: UInt32
    var position: Position?
    var sky: SyntheticSky.View
    /// Whether the sky is to be reported: once a second.
    var reportsSky: Bool

    var fixType: FixType { position == nil ? .noFix : stage.fixType }
    var isTimeKnown: Bool { stage != .nothing }
    var isDateKnown: Bool { stage != .nothing && stage != .time }
    var usedCount: Int { sky.satellites.count { $0.isUsed } }
}
