internal import SextantJSON
internal import SextantUnits

/// The stored text of a record: a JSON object with the members that are sent, except the record's number and time.
enum RecordBody {
    static func of(_ fix: UplinkFix) -> [UInt8] {
        UplinkText.bytes { text in
            text.beginObject()
            text.member("\"latitude\":", fix.latitude, decimals: fix.isReduced ? 6 : 8)
            text.member("\"longitude\":", fix.longitude, decimals: fix.isReduced ? 6 : 8)
            text.member("\"horizontalAccuracy\":", fix.horizontalAccuracy, decimals: 2)
            if fix.isReduced {
                text.member("\"accuracyAuthorization\":", literal: "reduced")
            } else {
                text.member("\"altitudeAboveMeanSeaLevel\":", fix.altitude, decimals: 2)
                text.member("\"verticalAccuracy\":", fix.verticalAccuracy, decimals: 2)
                text.member("\"speed\":", fix.speed, decimals: 3)
                text.member("\"course\":", fix.course, decimals: 1)
                if !fix.regions.isEmpty { text.member("\"inrids\":", fix.regions) }
            }
            if fix.isSimulated { text.member("\"simulated\":", true) }
            text.endObject()
        }
    }

    static func of(_ event: UplinkEvent, isReduced: Bool) -> [UInt8] {
        UplinkText.bytes { text in
            text.beginObject()
            text.member("\"event_type\":", event.kind.rawValue)
            text.member("\"region\":", event.region)
            text.member("\"topic\":", event.topic)
            text.member("\"confirmed\":", event.confirmed)
            text.member("\"latitude\":", event.latitude, decimals: isReduced ? 6 : 8)
            text.member("\"longitude\":", event.longitude, decimals: isReduced ? 6 : 8)
            text.member("\"horizontalAccuracy\":", event.horizontalAccuracy, decimals: 2)
            if isReduced { text.member("\"accuracyAuthorization\":", literal: "reduced") }
            text.endObject()
        }
    }

    /// The text of an event that reports which fixes were dropped for lack of room.
    static func thinned(from: UTCInstant?, to: UTCInstant?, count: Int) -> [UInt8] {
        UplinkText.bytes { text in
            text.beginObject()
            text.member("\"event_type\":", literal: "thinned")
            text.member("\"from\":", from)
            text.member("\"to\":", to)
            text.member("\"count\":", count)
            text.endObject()
        }
    }

    /// Whether a record reveals where the board is more exactly than reduced accuracy allows; naming a region counts as
    /// exact.
    static func isPrecise(_ record: UplinkRecord) -> Bool {
        let members = RecordMembers(record.body)
        return members.region != nil || members.latitude != nil && !members.isReduced
    }
}

/// The members of a record's text that OwnTracks messages need.
struct RecordMembers {
    private(set) var kind: UplinkEvent.Kind?
    private(set) var region: String?
    private(set) var topic: String?
    private(set) var latitude: Double?
    private(set) var longitude: Double?
    private(set) var horizontalAccuracy: Double?
    private(set) var altitude: Double?
    private(set) var verticalAccuracy: Double?
    private(set) var speed: Double?
    private(set) var course: Double?
    private(set) var isReduced = false
    /// The identifiers of the regions in which the board was at the time of the record.
    private(set) var regions: [String] = []

    init(_ body: [UInt8]) {
        var scanner = JSONScanner(body)
        do throws(JSONScanError) {
            try scanner.enterObject()
            while let key = try scanner.nextKey() { try take(key, from: &scanner) }
        } catch {
            // Text that is not JSON was not written by this program, and is treated as if it had no members.
            return
        }
    }

    private mutating func take(_ key: String, from scanner: inout JSONScanner) throws(JSONScanError) {
        switch key {
        case "event_type": kind = UplinkEvent.Kind(rawValue: try scanner.string())
        case "region": region = try scanner.string()
        case "topic": topic = try scanner.string()
        case "latitude": latitude = try scanner.number()
        case "longitude": longitude = try scanner.number()
        case "horizontalAccuracy": horizontalAccuracy = try scanner.number()
        case "altitudeAboveMeanSeaLevel": altitude = try scanner.number()
        case "verticalAccuracy": verticalAccuracy = try scanner.number()
        case "speed": speed = try scanner.number()
        case "course": course = try scanner.number()
        case "inrids":
            try scanner.enterArray()
            while try scanner.nextElement() { regions.append(try scanner.string()) }
        case "accuracyAuthorization": isReduced = try scanner.string() == "reduced"
        default: try scanner.skip()
        }
    }
}
