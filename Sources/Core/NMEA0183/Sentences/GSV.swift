public import GNSS

/// Satellites in view, up to four in a sentence.
///
/// Source: NMEA 0183 version 4.11, GSV.
public struct GSV: Sendable, Equatable {
    /// How many sentences form the sky view, and which of them this sentence is, counted from 1.
    public var sentenceCount: Int
    public var sentenceNumber: Int
    /// How many satellites the whole sky view holds.
    public var satellitesInView: Int?
    /// How many satellites this sentence holds.
    public var count: Int
    /// The signal id of NMEA 4.10 and later, within the talker's system; nil in older versions and for 0.
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

    /// Appends the sentence's satellites, as long as `satellites` has fewer than `limit`.
    public func append(
        satellitesOf talker: NMEATalker, fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>,
        to satellites: inout [Satellite], limit: Int
    ) {
        let numbering = NMEASatelliteNumbering(talker: talker, systemID: nil)
        for index in 0..<count where satellites.count < limit {
            if let satellite = satellite(at: index, by: numbering, fields: fields, in: bytes) {
                satellites.append(satellite)
            }
        }
    }

    /// The satellite at position `index` of the sentence, counted from 0; nil where its satellite number is empty or
    /// not assigned.
    @inline(__always)
    public func satellite(
        at index: Int, by numbering: NMEASatelliteNumbering, fields: borrowing NMEAFields,
        in bytes: borrowing Span<UInt8>
    ) -> Satellite? {
        guard let digits = SatelliteDigits(fields, 4 &+ index &* 4, in: bytes) else {
            return satellite(ofAnyShapeAt: index, by: numbering, fields: fields, in: bytes)
        }
        guard let id = numbering.satellite(digits.number) else { return nil }
        var satellite = Satellite(id: id)
        satellite.elevation = GSV.elevation(degrees: digits.elevation)
        satellite.azimuth = GSV.azimuth(degrees: digits.azimuth)
        // A number of two digits always fits in a UInt8.
        let carrierToNoise = UInt8(truncatingIfNeeded: digits.carrierToNoise)
        satellite.carrierToNoise = carrierToNoise == 0 ? nil : carrierToNoise
        satellite.signal = signalID == nil ? nil : signal(of: id)
        return satellite
    }

    /// Decodes a satellite whose fields are empty or of unusual length.
    @inline(never)
    private func satellite(
        ofAnyShapeAt index: Int, by numbering: NMEASatelliteNumbering, fields: borrowing NMEAFields,
        in bytes: borrowing Span<UInt8>
    ) -> Satellite? {
        let first = 4 + index * 4
        guard let number = fields.integer(first, in: bytes), let id = numbering.satellite(number) else { return nil }
        var satellite = Satellite(id: id)
        satellite.elevation = GSV.elevation(fields, first + 1, bytes)
        satellite.azimuth = fields.integer(first + 2, in: bytes).flatMap { GSV.azimuth(degrees: $0) }
        satellite.carrierToNoise = fields.integer(first + 3, in: bytes).flatMap { $0 == 0 ? nil : UInt8(exactly: $0) }
        satellite.signal = signal(of: id)
        return satellite
    }

    @inline(never)
    private func signal(of id: SatelliteID) -> UInt8? {
        signalID.flatMap { NMEASignal.ubxSignal($0, of: id.constellation) }
    }

    @inline(__always)
    private static func azimuth(degrees: Int) -> Int16? {
        degrees < 360 ? Int16(truncatingIfNeeded: degrees) : degrees == 360 ? 0 : nil
    }

    @inline(__always)
    private static func elevation(
        _ fields: borrowing NMEAFields, _ index: Int, _ bytes: borrowing Span<UInt8>
    ) -> Int16? {
        let range = fields.range(index)
        guard !range.isEmpty, range.count <= 4 else { return nil }
        guard let degrees = fields.integer(index, in: bytes) else { return decimalElevation(range, bytes) }
        return elevation(degrees: degrees)
    }

    @inline(__always)
    private static func elevation(degrees: Int) -> Int16? {
        degrees <= 90 ? Int16(truncatingIfNeeded: degrees) : nil
    }

    /// Decodes an elevation with a sign or a decimal point, as some receivers write it.
    @inline(never)
    private static func decimalElevation(_ range: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Int16? {
        guard let value = FixedPoint(range, in: bytes)?.value, abs(value) <= 90 else { return nil }
        return Int16(value)
    }
}

/// The four numbers that a sentence gives for a satellite, if they have their usual form, read in two steps of eight
/// bytes.
///
/// The form is `nn,nn,nnn,nn` or, for a satellite that is not tracked, `nn,nn,nnn,`; the separators' positions show it.
private struct SatelliteDigits {
    var number: Int
    var elevation: Int
    var azimuth: Int
    /// The carrier-to-noise ratio in dB-Hz; 0 where the field is empty.
    var carrierToNoise: Int

    /// Reads a satellite's four fields, beginning with field number `first`; nil where they are not in the usual form.
    @inline(__always)
    init?(_ fields: borrowing NMEAFields, _ first: Int, in bytes: borrowing Span<UInt8>) {
        guard let (start, ends) = fields.nextFour(first), start &+ 13 <= bytes.count else { return nil }
        let isTracked = ends == 0x000D_000A_0006_0003
        guard isTracked || ends == 0x000B_000A_0006_0003 else { return nil }
        // Safety: both words end before `start` + 13, which is in the span, and every bit pattern is a UInt64.
        let (front, back) = unsafe (
            bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start &+ 1, as: UInt64.self).littleEndian,
            bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start &+ 5, as: UInt64.self).littleEndian
        )
        // The two words hold nn,nn,nn and n,nnn,nn; the XOR turns digits into their values, and commas into zeros.
        let upper = front ^ 0x3030_2C30_302C_3030
        let lower = (back ^ 0x3030_2C30_3030_2C30) & (isTracked ? ~0 : 0x0000_FFFF_FFFF_FFFF)
        guard SWAR.areDigits(upper), SWAR.areDigits(lower) else { return nil }
        let (upperPairs, lowerPairs) = (SWAR.pairs(upper), SWAR.pairs(lower))
        number = SWAR.byte(0, of: upperPairs)
        elevation = SWAR.byte(3, of: upperPairs)
        azimuth = SWAR.byte(2, of: lowerPairs) &* 10 &+ SWAR.byte(4, of: lower)
        carrierToNoise = SWAR.byte(6, of: lowerPairs)
    }
}
