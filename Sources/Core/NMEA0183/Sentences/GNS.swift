/// Fix data of several systems.
///
/// Source: NMEA 0183 version 4.11, GNS.
public struct GNS: Sendable, Equatable {
    /// Nanoseconds since midnight UTC.
    public var timeOfDay: Int64?
    /// Degrees, positive to the north and east.
    public var latitude: Double?
    public var longitude: Double?
    /// The best of the systems' mode indicators.
    public var mode: ModeIndicator?
    public var satellitesUsed: Int?
    public var horizontalDilution: Double?
    /// Metres.
    public var altitudeAboveMeanSeaLevel: Double?
    /// Metres.
    public var geoidSeparation: Double?
    /// Seconds.
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

    /// From best to worst; the solution is as good as the best system in it.
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
