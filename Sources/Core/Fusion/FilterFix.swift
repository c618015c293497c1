public import GNSS

/// The part of a receiver's fix that the estimator uses.
public struct FilterFix: Sendable, Hashable {
    /// The number of the receiver that gave the fix.
    public var receiver: UInt8
    /// The latitude in degrees north.
    public var latitude: Double
    /// The longitude in degrees east.
    public var longitude: Double
    /// The altitude in metres above mean sea level.
    public var altitude: Double?
    /// Radius that holds 68 % of the horizontal errors, as the receiver claims; metres.
    public var horizontalAccuracy: Double?
    /// Vertical accuracy as the receiver claims; metres, 68 %.
    public var verticalAccuracy: Double?
    /// The speed over ground, in metres per second.
    public var speed: Double?
    /// The course over ground in degrees from true north.
    public var course: Double?
    /// Accuracy of the speed as the receiver claims; metres per second, 68 %.
    public var speedAccuracy: Double?

    public init(
        receiver: UInt8 = 0, latitude: Double, longitude: Double, altitude: Double? = nil,
        horizontalAccuracy: Double? = nil, verticalAccuracy: Double? = nil, speed: Double? = nil,
        course: Double? = nil, speedAccuracy: Double? = nil
    ) {
        self.receiver = receiver
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.speed = speed
        self.course = course
        self.speedAccuracy = speedAccuracy
    }

    /// Takes the values of a receiver's solution; nil where the solution has no position.
    ///
    /// Speed and course are computed from the velocity where the receiver does not give both.
    public init?(_ fix: Fix, receiver: UInt8) {
        guard fix.type.hasPosition, let latitude = fix.latitude, let longitude = fix.longitude else { return nil }
        self.init(
            receiver: receiver, latitude: latitude, longitude: longitude, altitude: fix.altitudeAboveMeanSeaLevel,
            horizontalAccuracy: fix.horizontalAccuracy, verticalAccuracy: fix.verticalAccuracy, speed: fix.speed,
            course: fix.courseOverGround, speedAccuracy: fix.speedAccuracy)
        guard speed == nil || course == nil, let velocity = fix.velocity else { return }
        let over = LocalVelocity(east: velocity.east, north: velocity.north, deviation: 0)
        speed = over.speed
        course = over.courseOverGround
    }
}

/// Why a fix was refused.
public enum FixRefusal: UInt8, Sendable, CaseIterable, Error {
    /// The fix's position is not finite, or its accuracy is not a number.
    case notANumber
    /// The fix's latitude is outside ±90 degrees or its longitude outside ±180.
    case outOfRange
    case negativeAccuracy
    /// The fix claims an accuracy worse than 100 km.
    case hopelessAccuracy
    /// The time of the fix is more than 2 s before the time of the estimate.
    case stale
    /// The same receiver has already given a fix with this time.
    case duplicate
    /// The fix is less than 30 ms apart from the same receiver's previous fix; no receiver measures so often.
    case tooSoon
    /// The fix is farther from the estimate than the uncertainty of both allows, and too few of the refused fixes
    /// before it agree with it.
    case outlier
}

/// How many fixes the filter has accepted since its creation, and how many it has refused for each reason.
public struct FilterCounters: Sendable, Hashable {
    public internal(set) var accepted: UInt64 = 0
    /// The number of times that the estimate was restarted at a place on which several refused fixes agreed.
    public internal(set) var reacquired: UInt64 = 0
    private var refused = InlineArray<8, UInt64>(repeating: 0)

    public init() {}

    public subscript(_ refusal: FixRefusal) -> UInt64 { refused[Int(refusal.rawValue)] }

    /// The number of fixes that were refused.
    public var rejected: UInt64 {
        var sum: UInt64 = 0
        for index in refused.indices { sum &+= refused[index] }
        return sum
    }

    mutating func count(_ refusal: FixRefusal) { refused[Int(refusal.rawValue)] &+= 1 }

    public static func == (left: FilterCounters, right: FilterCounters) -> Bool {
        left.accepted == right.accepted && left.reacquired == right.reacquired
            && FixRefusal.allCases.allSatisfy { left[$0] == right[$0] }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(accepted)
        hasher.combine(reacquired)
        for index in refused.indices { hasher.combine(refused[index]) }
    }
}
