internal import ArgumentParser
internal import ClientVocabulary
internal import DaemonClient
internal import GNSS
internal import SextantJSON
internal import SextantUnits

enum HistoryFormat: String, ExpressibleByArgument, CaseIterable {
    case csv
    case gpx
    case geojson
}

/// Writes a track in one of the output formats.
struct HistoryText: ~Copyable {
    private let format: HistoryFormat
    private var text = TextBuffer(capacity: 1 << 16)
    private var features = HistoryFeatures()
    private var last: HistoryPoint?

    init(format: HistoryFormat) { self.format = format }

    /// The longest time between two points of the same part of the track, in nanoseconds; after a longer time another
    /// part begins.
    private static let gap: Int64 = 3_600_000_000_000

    mutating func append(_ point: HistoryPoint) {
        if last == nil { begin() }
        let isApart = last.map { point.isAfterSleep || point.time.nanoseconds - $0.time.nanoseconds > HistoryText.gap }
        switch format {
        case .csv: FixTable.append(point.fix, to: &text)
        case .gpx:
            if isApart == true { GPXTrack.appendGap(to: &text) }
            GPXTrack.append(point.fix, to: &text)
        case .geojson:
            if isApart == true || last.map({ abs($0.longitude - point.longitude) > 180 }) ?? false {
                features.endPart(to: &text)
            }
            features.append(point, to: &text)
        }
        last = point
    }

    private mutating func begin() {
        switch format {
        case .csv: FixTable.appendHeader(to: &text)
        case .gpx: GPXTrack.appendHead(to: &text)
        case .geojson: text.append("{\"type\":\"FeatureCollection\",\"features\":[\n" as StaticString)
        }
    }

    /// Writes what ends the document; the track must have at least one point.
    mutating func end() throws(CommandFailure) {
        switch format {
        case .csv: break
        case .gpx: GPXTrack.appendTail(to: &text)
        case .geojson:
            features.endPart(to: &text)
            text.append("\n]}\n" as StaticString)
        }
        try flush()
    }

    mutating func flush() throws(CommandFailure) { try StandardOutput.write(&text) }
}

/// Writes a track as GeoJSON features, one for each part of the track; the property `coordTimes` has the times of the
/// points.
///
/// Source: RFC 7946; it has no member for times, and other programs call such a member `coordTimes`.
private struct HistoryFeatures {
    private var first: HistoryPoint?
    /// The times of the points of the part that is being written.
    private var times: [UTCInstant] = []
    private var isFirstPart = true

    mutating func append(_ point: HistoryPoint, to text: inout TextBuffer) {
        defer { times.append(point.time) }
        guard let first else {
            self.first = point
            return
        }
        if times.count == 1 {
            begin("LineString", to: &text)
            text.append(0x5B)
            position(first, to: &text)
        }
        text.append(0x2C)
        position(point, to: &text)
    }

    /// Ends the feature of the part that is being written, if one was begun.
    mutating func endPart(to text: inout TextBuffer) {
        guard let first, let start = times.first, let end = times.last else { return }
        if times.count == 1 {
            begin("Point", to: &text)
            position(first, to: &text)
        } else {
            text.append(0x5D)
        }
        text.append("},\"properties\":{" as StaticString)
        text.member("\"start\":", start)
        text.member("\"end\":", end)
        text.beginArray("\"coordTimes\":")
        for time in times { text.member("", time) }
        text.endArray()
        text.endObject()
        text.append(0x7D)
        self.first = nil
        times.removeAll(keepingCapacity: true)
    }

    private mutating func begin(_ type: StaticString, to text: inout TextBuffer) {
        if !isFirstPart { text.append(",\n" as StaticString) }
        isFirstPart = false
        text.append("{\"type\":\"Feature\",\"geometry\":{\"type\":\"" as StaticString)
        text.append(type)
        text.append("\",\"coordinates\":" as StaticString)
    }

    private func position(_ point: HistoryPoint, to text: inout TextBuffer) {
        text.append(0x5B)
        text.append(point.longitude, decimals: 7)
        text.append(0x2C)
        text.append(point.latitude, decimals: 7)
        if let altitude = point.altitude {
            text.append(0x2C)
            text.append(altitude, decimals: 1)
        }
        text.append(0x5D)
    }
}

extension HistoryPoint {
    /// The point as a receiver's fix, because the CSV and GPX writers take fixes.
    var fix: Fix {
        var fix = Fix()
        fix.type = altitude == nil ? .twoD : .threeD
        fix.time = time
        fix.latitude = latitude
        fix.longitude = longitude
        fix.altitudeAboveMeanSeaLevel = altitude
        fix.horizontalAccuracy = line.number(.horizontalAccuracy)
        fix.speed = line.number(.speed)
        fix.courseOverGround = line.number(.course)
        return fix
    }
}
