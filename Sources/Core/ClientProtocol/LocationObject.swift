public import GNSS
public import JSON
public import Units

/// Writes where the board is: the members of an epoch but for the satellites, and how old it is.
public enum LocationObject {
    /// What a line says beside the position.
    public struct Context: Sendable, Equatable {
        /// What the client called the request that this answers.
        public var id: String?
        public var session: UInt8
        /// Of an event that is kept until it is acknowledged.
        public var number: UInt64?
        public var isSignificantChange: Bool
        /// Whether the next line belongs to the same array.
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

    /// Appends one `location` event, a line.
    ///
    /// - Parameters:
    ///   - age: Seconds since the solution; nil where that cannot be known.
    ///   - source: Where the position is from, where that is not a receiver of the board's own.
    public static func append(
        _ fix: Fix, age: Double?, source: Source = Source(), _ context: Context = Context(),
        to text: inout TextBuffer
    ) {
        begin(context, to: &text)
        appendMembers(fix, age: age, source: source, to: &text)
        text.endObject()
        text.append(0x0A)
    }

    /// Appends one `location` event of reduced accuracy, a line.
    public static func append(
        reduced place: ReducedPlace, age: Double?, source: Source = Source(), _ context: Context = Context(),
        to text: inout TextBuffer
    ) {
        begin(context, to: &text)
        appendMembers(reduced: place, age: age, source: source, to: &text)
        text.endObject()
        text.append(0x0A)
    }

    /// Appends the members that say where.
    public static func appendMembers(
        _ fix: Fix, age: Double?, source: Source, to text: inout TextBuffer
    ) {
        text.reserve(1024)
        EpochObject.append(withoutUnknownCourse(fix), to: &text)
        append(age: age, source, to: &text)
    }

    /// A receiver that stands still goes on giving a course, and says that it may be wrong by half a turn.
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
        text.member("\"time\":", place.time)
        text.member("\"latitude\":", place.latitude, decimals: 6)
        text.member("\"longitude\":", place.longitude, decimals: 6)
        text.member("\"horizontalAccuracy\":", place.horizontalAccuracy, decimals: 0)
        append(age: age, source, to: &text)
    }

    private static func begin(_ context: Context, to text: inout TextBuffer) {
        text.beginObject()
        text.member("\"event\":", literal: "location")
        text.member("\"id\":", context.id)
        ClientEvent.appendSession(context.session, to: &text)
        text.member("\"number\":", context.number.map { Int(clamping: $0) })
        if context.isSignificantChange { text.member("\"service\":", literal: "significantChange") }
        if context.hasMore { text.member("\"more\":", true) }
    }

    private static func append(age: Double?, _ source: Source, to text: inout TextBuffer) {
        text.member("\"age\":", age, decimals: 3)
        if source.isSimulated { text.member("\"simulated\":", true) }
        if source.isAccessory { text.member("\"accessory\":", true) }
    }

    /// Where a position is from.
    public struct Source: Sendable, Equatable {
        /// Made by software: a bench, or a replayed recording.
        public var isSimulated: Bool
        /// From a receiver that is no part of the board: at its USB, Bluetooth or network.
        public var isAccessory: Bool

        public init(isSimulated: Bool = false, isAccessory: Bool = false) {
            self.isSimulated = isSimulated
            self.isAccessory = isAccessory
        }
    }

    /// All that a client of reduced accuracy learns.
    public struct ReducedPlace: Sendable, Equatable {
        public var time: UTCInstant?
        /// Degrees, WGS 84; a place that stands for its surroundings.
        public var latitude: Double
        public var longitude: Double
        /// Metres.
        public var horizontalAccuracy: Double

        public init(time: UTCInstant?, latitude: Double, longitude: Double, horizontalAccuracy: Double) {
            self.time = time
            self.latitude = latitude
            self.longitude = longitude
            self.horizontalAccuracy = horizontalAccuracy
        }
    }
}
