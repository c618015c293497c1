public import SextantUnits

/// The data of a place that a search needs: its position, population, areas and time zone.
///
/// The place's name is looked up only after the place was found. A record has 24 bytes in the table, little-endian; a
/// block of the table holds 16 consecutive records.
public struct PlaceRecord: Sendable, Hashable {
    /// The latitude in hundred-thousandths of a degree.
    public var latitudeE5: Int32
    /// The longitude in hundred-thousandths of a degree.
    public var longitudeE5: Int32
    public var population: UInt32
    /// The number of the smallest known area (county, state or country) in which the place lies.
    public var area: UInt32?
    /// The number of the city that this place is a part of, nil if of none; see `PlaceRules.isPart`.
    public var city: UInt32?
    /// The number of the country in the table of areas.
    public var country: UInt16
    /// The number of the time zone in the table's list of zones; less than 0x7FFF.
    public var zone: UInt16?
    /// Whether the source of the data calls the place a section of a city; a point's town is never a section.
    public var isSection: Bool

    public init(
        latitudeE5: Int32, longitudeE5: Int32, population: UInt32, area: UInt32?, city: UInt32?, country: UInt16,
        zone: UInt16?, isSection: Bool
    ) {
        self.latitudeE5 = latitudeE5
        self.longitudeE5 = longitudeE5
        self.population = population
        self.area = area
        self.city = city
        self.country = country
        self.zone = zone
        self.isSection = isSection
    }

    /// Degrees north.
    public var latitude: Double { Double(latitudeE5) / 100_000 }
    /// Degrees east.
    public var longitude: Double { Double(longitudeE5) / 100_000 }
    public var point: UnitVector { UnitVector(latitude: latitude, longitude: longitude) }
    /// The town's radius in metres, computed from its population; see `PlaceRules.urbanRadius`.
    public var radius: Double { PlaceRules.urbanRadius(population: population) }

    // MARK: Bytes

    public static let byteCount = 24
    /// The number of consecutive places in one block of the table.
    public static let perBlock = 16

    /// Reads a record; nil if the bytes are too few or the coordinates are out of range.
    public init?(at offset: Int, in bytes: borrowing Span<UInt8>) {
        guard offset >= 0, offset + PlaceRecord.byteCount <= bytes.count else { return nil }
        latitudeE5 = Int32(bitPattern: bytes.word(at: offset))
        longitudeE5 = Int32(bitPattern: bytes.word(at: offset + 4))
        population = bytes.word(at: offset + 8)
        let (area, city) = (bytes.word(at: offset + 12), bytes.word(at: offset + 16))
        let last = bytes.word(at: offset + 20)
        self.area = area == .max ? nil : area
        self.city = city == .max ? nil : city
        country = UInt16(truncatingIfNeeded: last)
        let zone = UInt16(last >> 16) & 0x7FFF
        self.zone = zone == 0x7FFF ? nil : zone
        isSection = last >> 31 == 1
        guard (-9_000_000...9_000_000).contains(latitudeE5), (-18_000_000...18_000_000).contains(longitudeE5) else {
            return nil
        }
    }

    public func write(to bytes: inout RecordWriter) {
        bytes.write(latitudeE5)
        bytes.write(longitudeE5)
        bytes.write(population)
        bytes.write(area ?? .max)
        bytes.write(city ?? .max)
        bytes.write(country)
        bytes.write((zone ?? 0x7FFF) & 0x7FFF | (isSection ? 0x8000 : 0))
    }
}

extension Span<UInt8> {
    /// The integer in the four bytes that begin at an offset, little-endian.
    func word(at offset: Int) -> UInt32 {
        var value: UInt32 = 0
        for byte in 0..<4 { value |= UInt32(self[offset + byte]) << UInt32(8 * byte) }
        return value
    }
}
