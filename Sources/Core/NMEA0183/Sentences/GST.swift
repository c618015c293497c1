public import GNSS

/// Pseudorange error statistics.
///
/// Source: NMEA 0183 version 4.11, GST.
public struct GST: Sendable, Equatable {
    /// The time of day: nanoseconds since midnight UTC.
    public var timeOfDay: Int64?
    public var statistics: ErrorStatistics

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(9)
        timeOfDay = try fields.timeOfDay(1, in: bytes)
        statistics = ErrorStatistics()
        statistics.rangeRMS = fields.decimal(2, in: bytes)
        statistics.semiMajor = fields.decimal(3, in: bytes)
        statistics.semiMinor = fields.decimal(4, in: bytes)
        statistics.orientation = fields.decimal(5, in: bytes)
        statistics.latitude = fields.decimal(6, in: bytes)
        statistics.longitude = fields.decimal(7, in: bytes)
        statistics.altitude = fields.decimal(8, in: bytes)
    }
}

/// Satellite fault detection: the expected errors of the solution.
///
/// Source: NMEA 0183 version 4.11, GBS.
public struct GBS: Sendable, Equatable {
    /// The time of day: nanoseconds since midnight UTC.
    public var timeOfDay: Int64?
    /// The error in latitude that the receiver expects, in metres; its confidence is not stated.
    public var latitudeError: Double?
    public var longitudeError: Double?
    public var altitudeError: Double?
    /// The satellite most likely to have failed, by its NMEA number.
    public var failedSatellite: Int?

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(9)
        timeOfDay = try fields.timeOfDay(1, in: bytes)
        latitudeError = fields.decimal(2, in: bytes)
        longitudeError = fields.decimal(3, in: bytes)
        altitudeError = fields.decimal(4, in: bytes)
        failedSatellite = fields.integer(5, in: bytes)
    }
}
