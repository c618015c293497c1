public import GNSS
internal import SextantUnits

/// The place that a client was last told, from which the next significant change is measured.
///
/// The record, little-endian: version (1 byte: 1), latitude and longitude in degrees and horizontal accuracy in metres
/// (8 bytes each, IEEE 754).
public struct NotifiedPlace: Sendable, Equatable {
    /// Degrees.
    public let latitude: Double
    /// Degrees.
    public let longitude: Double
    /// The radius that holds 68 % of errors in metres; 0 for the middle of a cell.
    public let accuracy: Double

    public static let byteCount = 25
    private static let version: UInt8 = 1

    /// The accuracy in metres assumed for a fix without one: a plain receiver's 68 % in town.
    static let assumedAccuracy = 25.0

    /// - Parameter isCoarse: Whether the fix is the middle of a cell, whose width is not an error.
    /// - Returns: Nil where the fix has no valid position.
    public init?(_ fix: Fix, isCoarse: Bool) {
        guard fix.type.hasPosition, let latitude = fix.latitude, let longitude = fix.longitude else { return nil }
        self.init(
            latitude: latitude, longitude: longitude,
            accuracy: isCoarse ? 0 : fix.horizontalAccuracy ?? NotifiedPlace.assumedAccuracy)
    }

    private init?(latitude: Double, longitude: Double, accuracy: Double) {
        // NaN fails every comparison.
        guard abs(latitude) <= 90, abs(longitude) <= 180, accuracy >= 0, accuracy.isFinite else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
    }

    /// The distance over the ground to another place; metres.
    func distance(to other: NotifiedPlace) -> Double {
        Geodesic.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude, longitude: other.longitude)
    }

    public func encode() -> [UInt8] {
        var record = RecordWriter()
        record.write(NotifiedPlace.version)
        record.write(latitude)
        record.write(longitude)
        record.write(accuracy)
        return record.bytes
    }

    /// Reads a record; nil where it has another version or is damaged.
    public static func decode(_ bytes: Span<UInt8>) -> NotifiedPlace? {
        guard bytes.count == byteCount else { return nil }
        var record = RecordReader(bytes)
        guard record.integer(UInt8.self) == version, let latitude = record.double(), let longitude = record.double(),
            let accuracy = record.double()
        else { return nil }
        return NotifiedPlace(latitude: latitude, longitude: longitude, accuracy: accuracy)
    }
}
