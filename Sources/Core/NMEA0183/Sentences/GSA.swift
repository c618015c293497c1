public import GNSS

/// Dilution of precision and the satellites used.
///
/// Source: NMEA 0183 version 4.11, GSA.
///
/// Receivers with several constellations send one sentence for each (or several with the talker GN).
public struct GSA: Sendable, Equatable {
    /// The navigation mode, field 2.
    public enum Mode: UInt8, Sendable {
        case noFix = 1
        case twoD = 2
        case threeD = 3
    }

    public var mode: Mode?
    public var positionDilution: Double?
    public var horizontalDilution: Double?
    public var verticalDilution: Double?
    /// The GNSS system id of NMEA 4.10 and later: 1 GPS, 2 GLONASS, 3 Galileo, 4 BeiDou, 5 QZSS, 6 NavIC.
    public var systemID: Int?
    /// How many fields the sentence has for satellite numbers: 12, but 24 for some receivers.
    public var slots: Int

    public init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(5)
        mode = fields.integer(2, in: bytes).flatMap { UInt8(exactly: $0).flatMap(Mode.init(rawValue:)) }
        // A sentence has six fields, its address included, besides its 12 or 24 satellites and perhaps a system id; so
        // there is a system id only among 19 or 31 fields.
        let count = fields.count
        let hasSystemID = count == 19 || count == 31
        slots = max(0, count - (hasSystemID ? 7 : 6))
        positionDilution = fields.dilution(3 + slots, in: bytes)
        horizontalDilution = fields.dilution(4 + slots, in: bytes)
        verticalDilution = fields.dilution(5 + slots, in: bytes)
        systemID = hasSystemID ? fields.hexadecimalDigit(6 + slots, in: bytes) : nil
    }

    /// Appends the satellites of all satellite fields, without removing duplicates.
    public func append(
        satellitesOf talker: NMEATalker, fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>,
        to satellites: inout [SatelliteID]
    ) {
        let numbering = NMEASatelliteNumbering(talker: talker, systemID: systemID)
        for slot in 0..<slots {
            if let id = satellite(at: slot, by: numbering, fields: fields, in: bytes) { satellites.append(id) }
        }
    }

    /// The satellite in one of the satellite fields; nil where the field is empty or its number is not assigned.
    @inline(__always)
    public func satellite(
        at slot: Int, by numbering: NMEASatelliteNumbering, fields: borrowing NMEAFields,
        in bytes: borrowing Span<UInt8>
    ) -> SatelliteID? {
        fields.integer(3 &+ slot, in: bytes).flatMap { numbering.satellite($0) }
    }
}
