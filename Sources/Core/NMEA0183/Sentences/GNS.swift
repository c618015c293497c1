/// Fix data of several constellations.
///
/// Source: NMEA 0183 version 4.11, GNS.
public struct GNS: Sendable, Equatable {
    /// The time of day: nanoseconds since midnight UTC.
    public var timeOfDay: Int64?
    /// Latitude and longitude in degrees, positive to the north and east.
    public var latitude: Double?
    public var longitude: Double?
    /// The best mode indicator among those of all constellations.
    public var mode: ModeIndicator?
    public var satellitesUsed: Int?
    public var horizontalDilution: Double?
    /// The altitude above mean sea level in metres.
    public var altitudeAboveMeanSeaLevel: Double?
    /// The height of the geoid above the ellipsoid in metres.
    public var geoidSeparation: Double?
    /// The age of the differential correction in seconds.
    public var differentialAge: Double?
    public var differentialStation: Int?

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(10)
        timeOfDay = try fields.timeOfDay(1, in: bytes)
        latitude = try fields.latitude(2, in: bytes)
        longitude = try fields.longitude(4, in: bytes)
        mode = GNS.best(of: fields.range(6), in: bytes)
        satellitesUsed = fields.integer(7, in: bytes)
        horizontalDilution = fields.dilution(8, in: bytes)
        altitudeAboveMeanSeaLevel = fields.decimal(9, in: bytes)
        geoidSeparation = fields.decimal(10, in: bytes)
        differentialAge = fields.decimal(11, in: bytes)
        differentialStation = fields.integer(12, in: bytes)
    }

    /// The modes from best to worst; the solution gets the mode of its best constellation.
    private static let order: [ModeIndicator] = [
        .rtkFixed, .rtkFloat, .precise, .differential, .autonomous, .simulator, .manual, .estimated, .notValid,
    ]

    private static func best(of field: Range<Int>, in bytes: borrowing Span<UInt8>) -> ModeIndicator? {
        var best: Int?
        for offset in field {
            guard let rank = order.firstIndex(where: { $0.rawValue == bytes[offset] }) else { continue }
            best = min(best ?? rank, rank)
        }
        return best.map { order[$0] }
    }
}
