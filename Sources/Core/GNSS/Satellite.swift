/// A satellite navigation system.
///
/// Raw values are the UBX `gnssId` (u-blox 8 / M8 receiver description, UBX-13003221, section "GNSS identifiers"),
/// which the gpsd protocol uses as well.
public enum Constellation: UInt8, Sendable, CaseIterable {
    case gps = 0
    case sbas = 1
    case galileo = 2
    case beidou = 3
    case imes = 4
    case qzss = 5
    case glonass = 6
    case navic = 7
}

/// A satellite's identity: its navigation system and its number within that system.
///
/// The number is the UBX `svId`: GPS 1 to 32, SBAS 120 to 158, Galileo 1 to 36, BeiDou 1 to 63, QZSS 1 to 10, GLONASS
/// slot 1 to 32 (255 where the slot is not known yet), NavIC 1 to 14.
public struct SatelliteID: Sendable, Hashable {
    public var constellation: Constellation
    public var number: UInt8

    public init(_ constellation: Constellation, _ number: UInt8) {
        self.constellation = constellation
        self.number = number
    }
}

/// One satellite, on one signal, as the receiver reported it.
public struct Satellite: Sendable, Hashable {
    public enum Health: UInt8, Sendable {
        case unknown = 0
        case healthy = 1
        case unhealthy = 2
    }

    public var id: SatelliteID
    /// The signal within the constellation, numbered as UBX `sigId`; nil where the receiver does not name it.
    public var signal: UInt8?
    /// GLONASS frequency slot plus 7, 0 to 13; nil for other systems.
    public var frequencySlot: UInt8?
    /// Elevation in degrees above the horizon, -90 to 90.
    public var elevation: Int16?
    /// Azimuth in degrees from true north, 0 to 359.
    public var azimuth: Int16?
    /// The carrier-to-noise density in dB-Hz; nil where the signal is not tracked.
    public var carrierToNoise: UInt8?
    /// Whether the navigation solution uses the satellite.
    public var isUsed: Bool
    public var health: Health
    /// UBX signal quality indicator, 0 (no signal) to 7 (code and carrier locked); nil outside UBX.
    public var quality: UInt8?
    /// Pseudorange residual, in units of 0.1 m; nil where the receiver does not give one.
    public var pseudorangeResidualDecimetres: Int16?
    /// Whether the receiver has a usable ephemeris of the satellite; nil where it does not report this.
    public var hasEphemeris: Bool?

    public init(id: SatelliteID, isUsed: Bool = false) {
        self.id = id
        self.isUsed = isUsed
        health = .unknown
    }
}
