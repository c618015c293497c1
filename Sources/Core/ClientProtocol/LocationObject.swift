internal import ClientVocabulary
public import GNSS
public import SextantJSON
public import SextantUnits

/// Writes a location as JSON: the members of an epoch without its satellites, and the location's age.
public enum LocationObject {
    /// The members of a `location` event other than those that describe the location itself.
    public struct Context: Sendable, Equatable {
        /// The id of the request that the location answers; nil for none.
        public var id: String?
        public var session: UInt8
        /// The event's number, if the daemon keeps the event until the client acknowledges that number; nil for other
        /// reports.
        public var number: UInt64?
        public var isSignificantChange: Bool
        /// Whether another location event of this batch of deferred locations follows.
        public var hasMore: Bool

        public init(
            id: String? = nil, session: UInt8 = 0, number: UInt64? = nil, isSignificantChange: Bool = false,
            hasMore: Bool = false
        ) {
            self.id = id
            self.session = session
            self.number = number
            self.isSignificantChange = isSignificantChange
            self.hasMore = hasMore
        }
    }

    /// Appends one `location` event as a line (one JSON object).
    ///
    /// - Parameters:
    ///   - age: Seconds since the location was measured; nil if that is not known.
    ///   - source: Whether software or an accessory gave the position, instead of the board's own receiver.
    public static func append(
        _ fix: Fix, age: Double?, source: Source = Source(), _ context: Context = Context(),
        to text: inout TextBuffer
    ) {
        begin(context, to: &text)
        appendMembers(fix, age: age, source: source, to: &text)
        text.endObject()
        text.append(0x0A)
    }

    /// Appends one `location` event as a line (one JSON object), for a client with reduced accuracy.
    public static func append(
        reduced place: ReducedPlace, age: Double?, source: Source = Source(), _ context: Context = Context(),
        to text: inout TextBuffer
    ) {
        begin(context, to: &text)
        appendMembers(reduced: place, age: age, source: source, to: &text)
        text.endObject()
        text.append(0x0A)
    }

    /// Appends the members that describe a location to a JSON object.
    public static func appendMembers(
        _ fix: Fix, age: Double?, source: Source, to text: inout TextBuffer
    ) {
        text.reserve(1024)
        EpochObject.append(withoutUnknownCourse(fix), to: &text)
        if let ellipse = fix.ellipse {
            text.beginObject(.ellipse)
            text.member(.semiMajor, ellipse.semiMajor, decimals: 3)
            text.member(.semiMinor, ellipse.semiMinor, decimals: 3)
            text.member(.orientation, ellipse.orientation, decimals: 1)
            text.endElement()
        }
        append(age: age, source, to: &text)
    }

    /// A copy of the fix that lacks the course if the course can be wrong by 180°, as it is when a receiver stands
    /// still.
    private static func withoutUnknownCourse(_ fix: Fix) -> Fix {
        guard let accuracy = fix.courseAccuracy, accuracy >= 180 else { return fix }
        var known = fix
        known.courseOverGround = nil
        known.courseAccuracy = nil
        return known
    }

    public static func appendMembers(
        reduced place: ReducedPlace, age: Double?, source: Source, to text: inout TextBuffer
    ) {
        text.member(.time, place.time)
        text.member(.latitude, place.latitude, decimals: 6)
        text.member(.longitude, place.longitude, decimals: 6)
        text.member(.horizontalAccuracy, place.horizontalAccuracy, decimals: 0)
        append(age: age, source, to: &text)
    }

    private static func begin(_ context: Context, to text: inout TextBuffer) {
        text.begin(.location)
        text.member(.id, context.id)
        ClientEvent.appendSession(context.session, to: &text)
        text.member(.number, context.number)
        if context.isSignificantChange { text.member(.service, literal: "significantChange") }
        if context.hasMore { text.member(.more, true) }
    }

    private static func append(age: Double?, _ source: Source, to text: inout TextBuffer) {
        text.member(.age, age, decimals: 3)
        if source.isSimulated { text.member(.simulated, true) }
        if source.isAccessory { text.member(.accessory, true) }
    }

    /// The origin of a position.
    public struct Source: Sendable, Equatable {
        /// Whether software made the position: by simulation, or by replaying a recording.
        public var isSimulated: Bool
        /// Whether the GNSS receiver is not part of the board but connected by USB, Bluetooth or network.
        public var isAccessory: Bool

        public init(isSimulated: Bool = false, isAccessory: Bool = false) {
            self.isSimulated = isSimulated
            self.isAccessory = isAccessory
        }
    }

    /// The location that a client with reduced accuracy gets.
    public struct ReducedPlace: Sendable, Equatable {
        public var time: UTCInstant?
        /// The latitude and, as `longitude`, the longitude of a point that stands for the board's surroundings, and not
        /// for its position; degrees, WGS 84.
        public var latitude: Double
        public var longitude: Double
        /// The radius, in metres, of the circle about `latitude` and `longitude` in which the board is.
        public var horizontalAccuracy: Double

        public init(time: UTCInstant?, latitude: Double, longitude: Double, horizontalAccuracy: Double) {
            self.time = time
            self.latitude = latitude
            self.longitude = longitude
            self.horizontalAccuracy = horizontalAccuracy
        }
    }
}
