public import GNSS

/// NAV-ORB (01 34): what the receiver knows of each satellite's orbit, 8 bytes of header and 6 per satellite.
///
/// The satellites stay in the lent payload; `orbit(at:in:)` reads one.
/// Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-ORB, message version 1; the same in UBX-21035062 and
/// UBX-22008968.
public struct NavORB: Sendable, Hashable {
    public static let messageID = UBXMessageID.navORB
    static let headerByteCount = 8
    static let satelliteByteCount = 6

    /// One satellite's orbit data.
    public struct Orbit: Sendable, Hashable {
        public enum Visibility: UInt8, Sendable {
            case unknown = 0
            case belowHorizon = 1
            case aboveHorizon = 2
            case aboveElevationMask = 3
        }

        public var id: SatelliteID
        public var health: Satellite.Health
        public var visibility: Visibility
        /// `eph`, X1: usability in bits 4:0, source in bits 7:5.
        public var ephemeris: UInt8
        /// `alm`, X1: usability in bits 4:0, source in bits 7:5.
        public var almanac: UInt8
        /// `otherOrb`, X1: usability in bits 4:0, type in bits 7:5 (1 AssistNow Offline, 2 AssistNow Autonomous).
        public var other: UInt8
    }

    /// GPS time of week of the navigation epoch.
    public var timeOfWeekMilliseconds: UInt32
    /// How many satellites the payload holds.
    public var count: Int

    public init(payload: borrowing Span<UInt8>) throws(UBXPayloadError) {
        try requireGroup(payload, header: Self.headerByteCount, countAt: 5, item: Self.satelliteByteCount)
        try require(.version, payload[4], in: 1...1)
        timeOfWeekMilliseconds = payload.uint32(at: 0)
        count = Int(payload[5])
    }

    /// One satellite of the payload that this header was read from; nil where its system has no name here.
    public func orbit(at index: Int, in payload: borrowing Span<UInt8>) -> Orbit? {
        precondition(index >= 0 && index < count, "no such satellite")
        let offset = Self.headerByteCount + index * Self.satelliteByteCount
        guard let constellation = Constellation(rawValue: payload[offset]) else { return nil }
        let flags = payload[offset + 2]
        return Orbit(
            id: SatelliteID(constellation, payload[offset + 1]),
            health: Satellite.Health(rawValue: flags[bits: 0, count: 2]) ?? .unknown,
            visibility: Orbit.Visibility(rawValue: flags[bits: 2, count: 2]) ?? .unknown,
            ephemeris: payload[offset + 3], almanac: payload[offset + 4], other: payload[offset + 5])
    }
}

extension NavORB.Orbit {
    /// Whether there is ephemeris that can be used for navigation now.
    public var hasUsableEphemeris: Bool { ephemeris[bits: 5, count: 3] != 0 && ephemeris[bits: 0, count: 5] != 0 }

    /// The least time for which the ephemeris stays usable; nil where it is not known, 0 where it is not usable.
    ///
    /// A usability of n, 1 to 29, is (n - 1) × 15 to n × 15 minutes, 30 is more than 450 minutes, 31 is unknown.
    public var ephemerisUsableMinutes: Int? {
        let usability = Int(ephemeris[bits: 0, count: 5])
        switch usability {
        case 31: return nil
        case 0: return 0
        default: return (usability - 1) * 15
        }
    }
}
