public import GNSS
internal import SextantUnits

/// A sentence that says where the vehicle's nose points, or how the vehicle is turned: HDT, THS, HDG, HDM, ROT, and
/// sentences of compasses and inertial systems.
///
/// Sources: NMEA 0183 version 4.11 for the standard sentences; the sources of the others stand with their decoders
/// below.
public struct AttitudeSentence: Sendable, Equatable {
    /// The values of the sentence; empty where the sentence says that they are not valid.
    public var attitude = Attitude()
    /// The magnetic variation in degrees, positive to the east (HDG).
    public var magneticVariation: Double?

    /// True heading, HDT.
    init(hdt fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(2)
        attitude.heading = fields.angle(1, in: bytes)
    }

    /// True heading and its mode, THS.
    init(ths fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(3)
        let isValid = fields.character(2, in: bytes) != 0x56
        attitude.heading = isValid ? fields.angle(1, in: bytes) : nil
    }

    /// A magnetic sensor's heading with its deviation and the variation, HDG.
    init(hdg fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(2)
        magneticVariation = AttitudeSentence.signed(fields, 4, bytes)
        let deviation = AttitudeSentence.signed(fields, 2, bytes) ?? 0
        attitude.magneticHeading = fields.angle(1, in: bytes).map { sensor in Angle.turn(sensor + deviation) }
    }

    /// Magnetic heading, HDM.
    init(hdm fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(2)
        attitude.magneticHeading = fields.angle(1, in: bytes)
    }

    /// Rate of turn, ROT.
    init(rot fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(3)
        let isValid = fields.character(2, in: bytes) == 0x41
        attitude.rateOfTurn = isValid ? fields.decimal(1, in: bytes) : nil
    }

    /// SkyTraq's heading by two antennas, PSTI,036, whose angles are valid only with a fixed RTK solution.
    ///
    /// Source: SkyTraq, PX1172RH, sentence "PSTI,036", by the field list in gpsd's NMEA driver.
    init(psti036 fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(8)
        guard fields.mode(7, in: bytes) == .rtkFixed else { return }
        attitude.heading = fields.angle(4, in: bytes)
        attitude.pitch = fields.decimal(5, in: bytes)
        attitude.roll = fields.decimal(6, in: bytes)
    }

    /// The compass of True North Technologies, PTNTHTM.
    ///
    /// An angle without a decimal point is in 65536ths of a turn. Source: the field list in gpsd's NMEA driver.
    init(ptnthtm fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(8)
        attitude.heading = NMEAFields.direction(AttitudeSentence.turn(fields, 1, bytes))
        attitude.pitch = AttitudeSentence.turn(fields, 3, bytes)
        attitude.roll = AttitudeSentence.turn(fields, 5, bytes)
        attitude.dip = AttitudeSentence.turn(fields, 7, bytes)
    }

    /// OceanServer's compass, OHPR.
    ///
    /// Source: the field list in gpsd's NMEA driver.
    init(ohpr fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(6)
        attitude.heading = fields.angle(1, in: bytes)
        attitude.pitch = fields.decimal(2, in: bytes)
        attitude.roll = fields.decimal(3, in: bytes)
        attitude.temperature = fields.decimal(4, in: bytes)
        attitude.depth = fields.decimal(5, in: bytes).map { $0 * AttitudeSentence.foot }
    }

    /// The attitude of an inertial system, PASHR with a time in its first field.
    ///
    /// Source: the field list in gpsd's NMEA driver, there for Oxford Technical Solutions.
    init(pashr fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(6)
        guard fields.character(3, in: bytes) == 0x54 else { return }
        attitude.heading = fields.angle(2, in: bytes)
        attitude.roll = fields.decimal(4, in: bytes)
        attitude.pitch = fields.decimal(5, in: bytes)
    }

    private static let foot = 0.3048

    /// A number, 0 to 180, whose sign is in the next field: E positive, W negative.
    private static func signed(
        _ fields: borrowing NMEAFields, _ index: Int, _ bytes: borrowing Span<UInt8>
    ) -> Double? {
        guard let value = fields.decimal(index, in: bytes), value >= 0, value <= 180 else { return nil }
        switch fields.character(index + 1, in: bytes) {
        case 0x45: return value
        case 0x57: return 0 - value
        default: return nil
        }
    }

    private static func turn(
        _ fields: borrowing NMEAFields, _ index: Int, _ bytes: borrowing Span<UInt8>
    ) -> Double? {
        guard let number = FixedPoint(fields.range(index), in: bytes) else { return nil }
        return number.decimals > 0 ? number.value : number.value * 360 / 65_536
    }
}
