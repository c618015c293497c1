public import Beacons
public import SextantUnits

/// Decides when and how much the radio listens: only as much as correct exits and prompt entries need.
///
/// Regions alone make it listen for a tenth of the time. It listens all the time for 3 s after a first advertisement,
/// and when a beacon whose region the board is inside of has been silent for 15 s, until the beacon is received or the
/// region is left. Ranging makes it listen all the time, or, while no beacon is silent, for the part of the time that
/// the board file gives. The times were chosen by simulation (`scripts/benchmark beacons`).
public enum BeaconScanPolicy {
    /// Scanning for a tenth of the time: 37.5 ms every 372.5 ms; scans at round intervals can miss a beacon for
    /// minutes.
    public static let sparse = ScanTiming(interval: 0x254, window: 0x3C)
    /// Scanning all the time: 60 ms every 60 ms.
    public static let continuous = ScanTiming(interval: 96, window: 96)

    /// Scanning while beacons are ranged: the radio listens for a share of every 60 ms; this share is `duty`, from 0.1
    /// to 1.
    public static func ranging(duty: Double) -> ScanTiming {
        ScanTiming(interval: continuous.interval, window: UInt16((Double(continuous.interval) * duty).rounded()))
    }

    /// Nanoseconds for which a beacon must be silent before the radio listens for it all the time.
    static let doubt: Int64 = 15_000_000_000

    /// How the radio is to listen now; nil where no region and no ranging request needs it.
    public static func timing(
        for regions: some Sequence<BeaconPresence>, isRanging: Bool, listened: Int64, at instant: MonotonicInstant
    ) -> ScanTiming? {
        if isRanging { return continuous }
        var isNeeded = false
        for region in regions {
            if region.awaitsSecond(at: instant) || region.state == .inside && region.silence(listened) >= doubt {
                return continuous
            }
            isNeeded = true
        }
        return isNeeded ? sparse : nil
    }
}
