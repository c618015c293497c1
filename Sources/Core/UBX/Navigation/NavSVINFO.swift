public import GNSS

/// NAV-SVINFO (01 30): the receiver's channels, 8 bytes of header and 12 per channel; NAV-SAT's forerunner on u-blox 5
/// to 7.
///
/// The channels are not copied: `satellite(at:in:)` decodes one of them from the payload.
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-SVINFO, and its appendix "Satellite numbering".
public struct NavSVINFO: Sendable, Hashable {
    public static let messageID = UBXMessageID.navSVINFO
    static let headerByteCount = 8
    static let channelByteCount = 12

    /// GPS time of week of the navigation epoch, in milliseconds.
    public var timeOfWeekMilliseconds: UInt32
    /// How many channels the payload holds.
    public var count: Int
    /// The bit field `globalFlags` (X1): the chip's generation in bits 2:0 (0 Antaris, 1 to 4 u-blox 5 to 8).
    public var globalFlags: UInt8

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try requireGroup(payload, header: Self.headerByteCount, countAt: 4, item: Self.channelByteCount)
        timeOfWeekMilliseconds = payload.uint32(at: 0)
        count = Int(payload[4])
        globalFlags = payload[5]
    }

    /// The satellite of one channel; nil where its number is not assigned to a constellation.
    public func satellite(at index: Int, in payload: borrowing Span<UInt8>) -> Satellite? {
        precondition(index >= 0 && index < count, "no such channel")
        let offset = Self.headerByteCount + index * Self.channelByteCount
        guard let id = SatelliteID(ubloxNumber: payload[offset + 1]) else { return nil }
        let flags = payload[offset + 2]
        var satellite = Satellite(id: id, isUsed: flags[bit: 0])
        satellite.health = flags[bit: 4] ? .unhealthy : .healthy
        satellite.hasEphemeris = flags[bit: 3]
        satellite.quality = payload[offset + 3] & 0x0F
        satellite.carrierToNoise = SkyAngles.carrierToNoise(payload[offset + 4])
        satellite.elevation = SkyAngles.elevation(payload.int8(at: offset + 5))
        satellite.azimuth = SkyAngles.azimuth(payload.int16(at: offset + 6), of: satellite.elevation)
        satellite.pseudorangeResidualDecimetres = Int16(clamping: payload.int32(at: offset + 8) / 10)
        return satellite
    }
}

extension SatelliteID {
    /// The satellite with u-blox's single-byte number, or nil where the number is not assigned to a constellation.
    ///
    /// Source: UBX-13003221, appendix "Satellite numbering", column "SV ID" of the single svid form.
    init?(ubloxNumber number: UInt8) {
        switch number {
        case 1...32: self.init(.gps, number)
        case 33...64: self.init(.beidou, number - 27)
        case 65...96: self.init(.glonass, number - 64)
        case 120...158: self.init(.sbas, number)
        case 159...163: self.init(.beidou, number - 158)
        case 173...182: self.init(.imes, number - 172)
        case 193...202: self.init(.qzss, number - 192)
        case 211...246: self.init(.galileo, number - 210)
        case 255: self.init(.glonass, 255)
        default: return nil
        }
    }
}
