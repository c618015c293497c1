public import GNSS
public import SextantUnits

/// A fix that is held back for later delivery: 96 bytes, with all that a report to the client says.
///
/// The record, little-endian: version (1 byte: 2), fix type (1), quality (1), flags (1; bit 0: time validated, bit 1:
/// user known, bits 2 to 7: the session's number), user (4), the hashes of the client's name (8) and of its program's
/// label (8), sequence (8), time in nanoseconds since 1970 (8), latitude and longitude in degrees (8 each, IEEE 754),
/// then in 4 bytes each, with not-a-number where unknown: altitude above mean sea level, height above the ellipsoid,
/// horizontal accuracy, vertical accuracy, speed, its accuracy, course, its accuracy, geoid separation, satellites
/// used.
public struct DeferredFix: Sendable, Equatable {
    /// The fix's number in its queue, counted from 1.
    public var sequence: UInt64
    private var type: FixType
    private var quality: FixQuality
    private var isTimeValidated: Bool
    private var time: Int64
    private var latitude: Double
    private var longitude: Double
    private var numbers: Numbers

    private typealias Numbers = InlineArray<10, Float>

    public static let byteCount = 96
    private static let version: UInt8 = 2
    private static let unknownTime = Int64.min

    /// - Returns: Nil where the fix has no position.
    public init?(_ fix: Fix, sequence: UInt64) {
        guard fix.hasPosition, let latitude = fix.latitude, let longitude = fix.longitude else { return nil }
        self.sequence = sequence
        type = fix.type
        quality = fix.quality
        isTimeValidated = fix.isTimeValidated
        time = fix.time?.nanoseconds ?? DeferredFix.unknownTime
        self.latitude = latitude
        self.longitude = longitude
        numbers = [
            DeferredFix.packed(fix.altitudeAboveMeanSeaLevel), DeferredFix.packed(fix.heightAboveEllipsoid),
            DeferredFix.packed(fix.horizontalAccuracy), DeferredFix.packed(fix.verticalAccuracy),
            DeferredFix.packed(fix.speed), DeferredFix.packed(fix.speedAccuracy),
            DeferredFix.packed(fix.courseOverGround), DeferredFix.packed(fix.courseAccuracy),
            DeferredFix.packed(fix.geoidSeparation), DeferredFix.packed(fix.satellitesUsed.map { Double($0) }),
        ]
    }

    /// The fix, with every member that the record keeps.
    public var fix: Fix {
        var fix = Fix()
        fix.type = type
        fix.quality = quality
        fix.isTimeValidated = isTimeValidated
        fix.time = time == DeferredFix.unknownTime ? nil : UTCInstant(nanoseconds: time)
        fix.latitude = latitude
        fix.longitude = longitude
        // No conversion is needed: both `CompactOptional` and the record store an unknown number as not-a-number.
        fix.altitudeAboveMeanSeaLevel = Double(numbers[0])
        fix.heightAboveEllipsoid = Double(numbers[1])
        fix.horizontalAccuracy = Double(numbers[2])
        fix.verticalAccuracy = Double(numbers[3])
        fix.speed = Double(numbers[4])
        fix.speedAccuracy = Double(numbers[5])
        fix.courseOverGround = Double(numbers[6])
        fix.courseAccuracy = Double(numbers[7])
        fix.geoidSeparation = Double(numbers[8])
        fix.satellitesUsed = numbers[9].isNaN ? nil : UInt8(exactly: numbers[9])
        return fix
    }

    private static func packed(_ value: Double?) -> Float { value.map { Float($0) } ?? .nan }

    public static func == (left: DeferredFix, right: DeferredFix) -> Bool {
        left.sequence == right.sequence && left.fix == right.fix
    }
}

/// The form in which a fix is stored.
extension DeferredFix {
    /// Writes the record, byte after byte.
    public func encode(_ key: DeferredKey, to append: (UInt8) -> Void) {
        func write(_ value: some FixedWidthInteger) {
            for index in 0..<(value.bitWidth / 8) { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
        }
        write(DeferredFix.version)
        write(type.rawValue)
        write(DeferredFix.code(of: quality))
        write((isTimeValidated ? 1 : 0) | (key.userID == nil ? 0 : 2) | key.session << 2 as UInt8)
        write(key.userID ?? 0)
        write(key.client)
        write(key.label)
        write(sequence)
        write(time)
        write(latitude.bitPattern)
        write(longitude.bitPattern)
        for index in numbers.indices { write(numbers[index].bitPattern) }
    }

    /// Reads a record; nil where it has another version or is damaged.
    public static func decode(_ bytes: borrowing Span<UInt8>) -> (key: DeferredKey, fix: DeferredFix)? {
        guard bytes.count == byteCount, bytes[0] == version, let type = FixType(rawValue: bytes[1]), type.hasPosition,
            let quality = quality(of: bytes[2])
        else { return nil }
        var fix = Fix()
        fix.type = type
        fix.quality = quality
        fix.isTimeValidated = bytes[3] & 1 != 0
        fix.latitude = Double(bitPattern: bytes.littleEndian(at: 40))
        fix.longitude = Double(bitPattern: bytes.littleEndian(at: 48))
        guard var decoded = DeferredFix(fix, sequence: bytes.littleEndian(at: 24)), DeliveryFilter.isValid(fix) else {
            return nil
        }
        decoded.time = bytes.littleEndian(at: 32)
        for index in decoded.numbers.indices {
            decoded.numbers[index] = Float(bitPattern: bytes.littleEndian(at: 56 + 4 * index))
        }
        let user: UInt32 = bytes.littleEndian(at: 4)
        let key = DeferredKey(
            userID: bytes[3] & 2 == 0 ? nil : user, clientHash: bytes.littleEndian(at: 8),
            labelHash: bytes.littleEndian(at: 16), session: bytes[3] >> 2)
        return (key, decoded)
    }

    /// Each quality is stored as its index in this list, so that reordering the cases of `FixQuality` spoils no stored
    /// record.
    private static let qualities: [FixQuality] = [
        .unknown, .invalid, .autonomous, .differential, .rtkFixed, .rtkFloat, .deadReckoning, .surveyedTime,
        .manualInput, .simulated, .precise,
    ]

    private static func code(of quality: FixQuality) -> UInt8 {
        UInt8(qualities.firstIndex(of: quality) ?? 0)
    }

    private static func quality(of code: UInt8) -> FixQuality? {
        Int(code) < qualities.count ? qualities[Int(code)] : nil
    }
}

extension RecordFields {
    /// Reads or writes a fix as a part of another record, in which the fix belongs to no session.
    public mutating func code(_ fix: inout DeferredFix?) throws(DamagedRecord) {
        var bytes: [UInt8] = []
        fix?.encode(DeferredKey(userID: nil, clientHash: 0, labelHash: 0, session: 0)) { bytes.append($0) }
        try code(raw: &bytes, count: DeferredFix.byteCount)
        guard let read = DeferredFix.decode(bytes.span)?.fix else { throw DamagedRecord() }
        fix = read
    }
}
