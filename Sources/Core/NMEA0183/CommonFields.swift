// Decoders of the fields that several sentences share: time of day, coordinates, dates.

extension NMEAFields {
    /// `hhmmss.sss` as nanoseconds since midnight UTC; nil where the field is empty.
    ///
    /// A leap second (second 60) is accepted. Decimals past the ninth are dropped.
    @inline(__always)
    func timeOfDay(_ index: Int, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) -> Int64? {
        let field = range(index)
        guard !field.isEmpty else { return nil }
        let start = field.lowerBound
        guard field.count >= 6, let (hour, minute, second) = NMEAFields.threePairs(bytes, start..<start + 6) else {
            throw .notANumber(field: index)
        }
        guard hour < 24, minute < 60, second <= 60 else { throw .outOfRange(field: index) }
        var nanoseconds: Int64 = 0
        if field.count > 6 {
            guard bytes[start + 6] == 0x2E else { throw .notANumber(field: index) }
            let fraction = start + 7..<min(field.upperBound, start + 16)
            guard let value = NMEAFields.digits(bytes, fraction) else { throw .notANumber(field: index) }
            nanoseconds = Int64(value) &* FixedPoint.integerPower(9 - fraction.count)
        }
        return Int64(hour &* 3600 &+ minute &* 60 &+ second) &* 1_000_000_000 &+ nanoseconds
    }

    /// A latitude or longitude `ddmm.mmmm` and the hemisphere in the next field, as degrees, positive to the north and
    /// east; nil where either field is empty.
    ///
    /// Degrees and minutes are joined as integers and divided once, so no digit is lost.
    @inline(__always)
    func coordinate(
        _ index: Int, limit: Int64, in bytes: borrowing Span<UInt8>
    ) throws(NMEAFieldError) -> Double? {
        let field = range(index)
        guard !field.isEmpty, let hemisphere = character(index + 1, in: bytes) else { return nil }
        // The value is computed in minutes as a 64-bit integer; 180 degrees fit with up to 12 decimals of a minute.
        guard let number = FixedPoint(field, in: bytes), number.decimals <= 12, number.units >= 0 else {
            throw .notANumber(field: index)
        }
        let scale = FixedPoint.integerPower(number.decimals)
        let (degrees, wholeMinutes) = number.whole.quotientAndRemainder(dividingBy: 100)
        // In `ddmm` each degree counts as 100 but is 60 minutes, so 40 are subtracted for each degree.
        let total = number.units &- degrees &* 40 &* scale
        guard wholeMinutes < 60, total <= limit &* 60 &* scale else { throw .outOfRange(field: index) }
        let value = Double(total) / Double(60 &* scale)
        switch hemisphere {
        case 0x4E, 0x45, 0x6E, 0x65: return value
        case 0x53, 0x57, 0x73, 0x77: return -value
        default: throw .outOfRange(field: index + 1)
        }
    }

    @inline(__always)
    func latitude(_ index: Int, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) -> Double? {
        try coordinate(index, limit: 90, in: bytes)
    }

    @inline(__always)
    func longitude(_ index: Int, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) -> Double? {
        try coordinate(index, limit: 180, in: bytes)
    }

    /// A dilution of precision; nil where the field is empty, or the value is 0 or at least 90.
    ///
    /// Receivers write 0.00 or 99.99 for "unknown".
    @inline(__always)
    func dilution(_ index: Int, in bytes: borrowing Span<UInt8>) -> Double? {
        guard let value = decimal(index, in: bytes), value < 90, value > 0 else { return nil }
        return value
    }

    /// A course or heading in degrees from north, 0 up to 360; nil where the field is empty or out of range.
    @inline(__always)
    func angle(_ index: Int, in bytes: borrowing Span<UInt8>) -> Double? {
        NMEAFields.direction(decimal(index, in: bytes))
    }

    /// A direction in degrees, at least 0 and below 360; 360 becomes 0, and a value below 0 or above 360 becomes nil.
    @inline(__always)
    static func direction(_ value: Double?) -> Double? {
        guard let value, value >= 0, value <= 360 else { return nil }
        return value == 360 ? 0 : value
    }

    /// The positioning system mode indicator; nil where the field is empty or the letter unknown.
    @inline(__always)
    func mode(_ index: Int, in bytes: borrowing Span<UInt8>) -> ModeIndicator? {
        character(index, in: bytes).flatMap { ModeIndicator(rawValue: $0) }
    }
}

/// The mode indicator of RMC, VTG, GLL, GNS and THS.
///
/// Source: NMEA 0183 version 4.11, "Mode Indicator".
public enum ModeIndicator: UInt8, Sendable {
    case autonomous = 0x41  // A
    case differential = 0x44  // D
    case estimated = 0x45  // E
    case rtkFloat = 0x46  // F
    case manual = 0x4D  // M
    case notValid = 0x4E  // N
    case precise = 0x50  // P
    case rtkFixed = 0x52  // R
    case simulator = 0x53  // S
}
