public import GNSS

/// Satellites in view, up to four a sentence.
///
/// Source: NMEA 0183 version 4.11, GSV.
public struct GSV: Sendable, Equatable {
    /// How many sentences make this sky view, and which of them this is, from 1.
    public var sentenceCount: Int
    public var sentenceNumber: Int
    /// How many satellites the whole view holds.
    public var satellitesInView: Int?
    /// How many satellites this sentence holds.
    public var count: Int
    /// The signal id of NMEA 4.10 and later, within the talker's system; nil before, and where the receiver sends 0.
    public var signalID: Int?

    public init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(4)
        guard let total = fields.integer(1, in: bytes), let number = fields.integer(2, in: bytes) else {
            throw .notANumber(field: fields.isEmpty(1) ? 1 : 2)
        }
        guard number >= 1, number <= max(total, 1) else { throw .outOfRange(field: 2) }
        sentenceCount = total
        sentenceNumber = number
        satellitesInView = fields.integer(3, in: bytes)
        let values = fields.count - 4
        count = values / 4
        let signal = values % 4 == 1 ? fields.hexadecimalDigit(fields.count - 1, in: bytes) : nil
        signalID = signal == 0 ? nil : signal
    }

    /// Appends the sentence's satellites, up to `limit` in all.
    public func append(
        satellitesOf talker: NMEATalker, fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>,
        to satellites: inout [Satellite], limit: Int
    ) {
        for index in 0..<count where satellites.count < limit {
            if let satellite = satellite(at: index, talker: talker, fields: fields, in: bytes) {
                satellites.append(satellite)
            }
        }
    }

    /// The satellite in one of the sentence's places, or nil where its number is empty or nobody's.
    @inline(__always)
    public func satellite(
        at index: Int, talker: NMEATalker, fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>
    ) -> Satellite? {
        let first = 4 + index * 4
        guard let number = fields.integer(first, in: bytes),
            let id = NMEASatelliteNumber.satellite(number, talker: talker, systemID: nil)
        else { return nil }
        var satellite = Satellite(id: id)
        satellite.elevation = GSV.elevation(fields, first + 1, bytes)
        satellite.azimuth = fields.integer(first + 2, in: bytes).flatMap { $0 <= 360 ? Int16($0 % 360) : nil }
        satellite.carrierToNoise = fields.integer(first + 3, in: bytes).flatMap { $0 == 0 ? nil : UInt8(exactly: $0) }
        satellite.signal = signalID.flatMap { NMEASignal.ubxSignal($0, of: id.constellation) }
        return satellite
    }

    @inline(__always)
    private static func elevation(
        _ fields: borrowing NMEAFields, _ index: Int, _ bytes: borrowing Span<UInt8>
    ) -> Int16? {
        let range = fields.range(index)
        guard !range.isEmpty, range.count <= 4 else { return nil }
        guard let degrees = fields.integer(index, in: bytes) else { return decimalElevation(range, bytes) }
        return degrees <= 90 ? Int16(truncatingIfNeeded: degrees) : nil
    }

    /// With a sign or a point, as some receivers write it.
    @inline(never)
    private static func decimalElevation(_ range: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Int16? {
        guard let value = FixedPoint(range, in: bytes)?.value, abs(value) <= 90 else { return nil }
        return Int16(value)
    }
}
