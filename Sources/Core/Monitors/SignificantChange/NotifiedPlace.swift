public import GNSS
internal import Units

/// Where a client was last told that the board is: what the next significant change is measured from.
///
/// The record, little-endian: version (1 byte: 1), latitude and longitude in degrees and horizontal accuracy in metres
/// (8 bytes each, IEEE 754).
public struct NotifiedPlace: Sendable, Equatable {
    /// Degrees.
    public let latitude: Double
    /// Degrees.
    public let longitude: Double
    /// Metres, 68 %; 0 for the middle of a cell.
    public let accuracy: Double

    public static let byteCount = 25
    private static let version: UInt8 = 1

    /// Metres that a fix is taken to be good for whose receiver does not say: a plain receiver's 68 % in town.
    static let assumedAccuracy = 25.0

    /// - Parameter isCoarse: Whether it is the middle of a cell; one cell is not another, however wide they are.
    /// - Returns: Nil where the fix has no position that can be.
    public init?(_ fix: Fix, isCoarse: Bool) {
        guard fix.type.hasPosition, let latitude = fix.latitude, let longitude = fix.longitude else { return nil }
        self.init(
            latitude: latitude, longitude: longitude,
            accuracy: isCoarse ? 0 : fix.horizontalAccuracy ?? NotifiedPlace.assumedAccuracy)
    }

    private init?(latitude: Double, longitude: Double, accuracy: Double) {
        // A not-a-number is not smaller than anything.
        guard abs(latitude) <= 90, abs(longitude) <= 180, accuracy >= 0, accuracy.isFinite else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
    }

    /// Metres over the ground.
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
