public import GNSS

/// NAV-SAT (01 35): the satellites in view, 8 bytes of header and 12 per satellite.
///
/// The satellites are not copied: `satellite(at:in:)` decodes one of them from the payload.
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-SAT, message version 1; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavSAT: Sendable, Hashable {
    public static let messageID = UBXMessageID.navSAT
    static let headerByteCount = 8
    static let satelliteByteCount = 12

    /// GPS time of week of the navigation epoch, in milliseconds.
    public var timeOfWeekMilliseconds: UInt32
    /// How many satellites the payload holds.
    public var count: Int

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try requireGroup(payload, header: Self.headerByteCount, countAt: 5, item: Self.satelliteByteCount)
        try require(.version, payload[4], in: 1...1)
        timeOfWeekMilliseconds = payload.uint32(at: 0)
        count = Int(payload[5])
    }

    /// Appends the payload's satellites to an array until it holds `limit`; `payload` is the payload that this header
    /// was read from.
    public func append(
        satellitesIn payload: borrowing Span<UInt8>, to satellites: inout [Satellite], limit: Int
    ) {
        for index in 0..<count where satellites.count < limit {
            if let satellite = satellite(at: index, in: payload) { satellites.append(satellite) }
        }
    }

    /// One satellite of the payload that this header was read from; nil where its gnssId is not in `Constellation`.
    @inline(__always)
    public func satellite(at index: Int, in payload: borrowing Span<UInt8>) -> Satellite? {
        precondition(index >= 0 && index < count, "no such satellite")
        let offset = Self.headerByteCount + index * Self.satelliteByteCount
        // One 8-byte read fetches all fields of the satellite that precede its flags.
        let values = payload.uint64(at: offset)
        let flags = payload.uint32(at: offset + 8)
        guard let constellation = Constellation(rawValue: UInt8(truncatingIfNeeded: values)) else { return nil }
        var satellite = Satellite(
            id: SatelliteID(constellation, UInt8(truncatingIfNeeded: values >> 8)), isUsed: flags[bit: 3])
        satellite.carrierToNoise = SkyAngles.carrierToNoise(UInt8(truncatingIfNeeded: values >> 16))
        satellite.elevation = SkyAngles.elevation(Int8(truncatingIfNeeded: values >> 24))
        satellite.azimuth = SkyAngles.azimuth(Int16(truncatingIfNeeded: values >> 32), of: satellite.elevation)
        satellite.pseudorangeResidualDecimetres = Int16(truncatingIfNeeded: values >> 48)
        satellite.quality = UInt8(truncatingIfNeeded: flags[bits: 0, count: 3])
        satellite.health = Satellite.Health(rawValue: UInt8(truncatingIfNeeded: flags[bits: 4, count: 2])) ?? .unknown
        satellite.hasEphemeris = flags[bit: 11]
        return satellite
    }

    /// Appends a whole frame with at most the first 255 satellites.
    public static func encode(
        timeOfWeekMilliseconds: UInt32, satellites: borrowing Span<Satellite>, into bytes: inout [UInt8]
    ) {
        let count = min(satellites.count, 255)
        var payload: [UInt8] = []
        payload.reserveCapacity(headerByteCount + count * satelliteByteCount)
        payload.append(littleEndian: timeOfWeekMilliseconds)
        payload.append(1)
        payload.append(UInt8(count))
        payload.append(reserved: 2)
        for index in 0..<count { append(satellites[index], to: &payload) }
        UBXEncoder.append(messageID, payload: payload.span, into: &bytes)
    }

    private static func append(_ satellite: Satellite, to payload: inout [UInt8]) {
        var flags = UInt32(satellite.quality ?? 0) & 0x7
        flags[bit: 3] = satellite.isUsed
        flags[bits: 4, count: 2] = UInt32(satellite.health.rawValue)
        if satellite.hasEphemeris == true {
            flags[bits: 8, count: 3] = 1
            flags[bit: 11] = true
        }
        payload.append(satellite.id.constellation.rawValue)
        payload.append(satellite.id.number)
        payload.append(satellite.carrierToNoise ?? 0)
        payload.append(littleEndian: Int8(truncatingIfNeeded: satellite.elevation ?? SkyAngles.unknownElevation))
        payload.append(littleEndian: satellite.azimuth ?? 0)
        payload.append(littleEndian: satellite.pseudorangeResidualDecimetres ?? 0)
        payload.append(littleEndian: flags)
    }
}
