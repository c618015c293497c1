/// The position of an object in a region table (of streets, houses and points of interest): 8 bytes, little-endian.
public struct ObjectPoint: Sendable, Hashable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double

    public static let byteCount = 8
    /// The number of consecutive objects in one block of the table.
    public static let perBlock = 16

    /// Reads a point; nil if the bytes are too few or the coordinates are out of range.
    public init?(at offset: Int, in bytes: borrowing Span<UInt8>) {
        guard offset >= 0, offset + ObjectPoint.byteCount <= bytes.count else { return nil }
        latitude = Double(Int32(bitPattern: bytes.word(at: offset))) / 10_000_000
        longitude = Double(Int32(bitPattern: bytes.word(at: offset + 4))) / 10_000_000
        guard PlaceRules.isPlace(latitude: latitude, longitude: longitude) else { return nil }
    }

    public var unit: UnitVector { UnitVector(latitude: latitude, longitude: longitude) }
}
