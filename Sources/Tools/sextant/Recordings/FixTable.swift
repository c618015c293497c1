internal import GNSS
internal import SextantJSON
internal import SextantUnits

/// Writes fixes as CSV rows; the field of an unknown value is empty.
enum FixTable {
    static func appendHeader(to text: inout TextBuffer) {
        text.append(
            "time,latitude,longitude,altitude,horizontalAccuracy,verticalAccuracy,speed,course\n" as StaticString)
    }

    /// Appends a CSV line for a fix; does nothing if the fix has no position or no time.
    static func append(_ fix: Fix, to text: inout TextBuffer) {
        guard fix.hasPosition, let time = fix.time else { return }
        text.append(time.roundedToMillisecond.nanoseconds / 1_000_000, decimals: 3)
        field(fix.latitude, decimals: 9, to: &text)
        field(fix.longitude, decimals: 9, to: &text)
        field(fix.altitudeAboveMeanSeaLevel, decimals: 3, to: &text)
        field(fix.horizontalAccuracy, decimals: 3, to: &text)
        field(fix.verticalAccuracy, decimals: 3, to: &text)
        field(fix.speed, decimals: 3, to: &text)
        field(fix.courseOverGround, decimals: 3, to: &text)
        text.append(0x0A)
    }

    private static func field(_ value: Double?, decimals: Int, to text: inout TextBuffer) {
        text.append(0x2C)
        if let value { text.append(value, decimals: decimals) }
    }
}

/// Writes GPX 1.1: one track, with a point for each fix.
///
/// Source: the GPX 1.1 schema, topografix.com/GPX/1/1.
enum GPXTrack {
    static func appendHead(to text: inout TextBuffer) {
        text.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Sextant" xmlns="http://www.topografix.com/GPX/1/1">
            <trk><trkseg>

            """ as StaticString)
    }

    static func appendTail(to text: inout TextBuffer) { text.append("</trkseg></trk>\n</gpx>\n" as StaticString) }

    /// Ends the GPX segment and begins another, because the path between the points before and after is unknown.
    static func appendGap(to text: inout TextBuffer) { text.append("</trkseg><trkseg>\n" as StaticString) }

    /// Appends a GPX point for a fix that has a position; the GPX schema prescribes the order of the elements.
    static func append(_ fix: Fix, to text: inout TextBuffer) {
        guard fix.hasPosition, let latitude = fix.latitude, let longitude = fix.longitude else { return }
        text.append("<trkpt lat=\"" as StaticString)
        text.append(latitude, decimals: 9)
        text.append("\" lon=\"" as StaticString)
        text.append(longitude, decimals: 9)
        text.append("\">" as StaticString)
        element("ele", fix.altitudeAboveMeanSeaLevel, decimals: 3, to: &text)
        if let time = fix.time {
            text.append("<time>" as StaticString)
            text.append(time)
            text.append("</time>" as StaticString)
        }
        element("geoidheight", fix.geoidSeparation, decimals: 3, to: &text)
        text.append("<fix>" as StaticString)
        text.append(kind(of: fix))
        text.append("</fix>" as StaticString)
        if let used = fix.satellitesUsed { element("sat", Double(used), decimals: 0, to: &text) }
        element("hdop", fix.dilution.horizontal, decimals: 2, to: &text)
        element("vdop", fix.dilution.vertical, decimals: 2, to: &text)
        element("pdop", fix.dilution.position, decimals: 2, to: &text)
        element("ageofdgpsdata", fix.differentialAge, decimals: 1, to: &text)
        text.append("</trkpt>\n" as StaticString)
    }

    private static func kind(of fix: Fix) -> StaticString {
        if fix.quality == .differential { return "dgps" }
        return fix.type.hasHeight ? "3d" : "2d"
    }

    private static func element(_ name: StaticString, _ value: Double?, decimals: Int, to text: inout TextBuffer) {
        guard let value else { return }
        text.append(0x3C)
        text.append(name)
        text.append(0x3E)
        text.append(value, decimals: decimals)
        text.append("</" as StaticString)
        text.append(name)
        text.append(0x3E)
    }
}
