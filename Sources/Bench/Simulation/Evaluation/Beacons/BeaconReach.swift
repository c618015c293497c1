internal import Beacons
internal import Emulation
internal import Monitors
internal import SextantUnits

/// One beacon and a board that listens for it by a rule, in virtual time.
///
/// An advertisement is heard above -92 dBm while a window is open; its strength scatters by 5 dB, and by 4 dB that last
/// for 15 s. The model is assumed, and not fitted to recordings.
public struct BeaconReach: Sendable {
    /// The rules that are compared.
    public enum Rule: Sendable, Hashable {
        case sextant(isRanging: Bool)
        /// The rule of android-beacon-library.
        case silence(scans: Scan)

        public enum Scan: Sendable, Hashable {
            /// Half of the time, as Linux scans unless told otherwise.
            case half
            /// All the time, as that library does in the foreground.
            case all
        }
    }

    /// The result of a simulation.
    public struct Outcome: Sendable, Hashable {
        /// Exits, all of them false, since the beacon sends all the time.
        public var exits = 0
        /// Seconds in which a window of the scan was open.
        public var scannedSeconds = 0.0
        public var seconds = 0.0

        public var exitsPerHour: Double { Double(exits) / seconds * 3600 }
        public var scannedPerHour: Double { scannedSeconds / seconds * 3600 }
        /// The part of the time in which the radio listened, 0 to 1.
        public var duty: Double { scannedSeconds / seconds }
    }

    private var rule: any BeaconRule & Sendable
    private var sender: BeaconSender
    private var random: SplitMix64
    private var seconds = 0.0
    private var scan: (began: Double, timing: ScanTiming)
    private var outcome = Outcome()

    private static let sensitivity = -92.0

    /// - Parameters:
    ///   - level: The beacon's mean strength at the board in dBm; nil for a beacon that is out of reach.
    ///   - interval: Seconds from one advertisement to the next.
    ///   - isInside: Whether the board is known to be within reach at the beginning.
    public init(_ rule: Rule, level: Double?, interval: Double, isInside: Bool, seed: UInt64) {
        self.rule = BeaconReach.make(rule, isInside: isInside)
        random = SplitMix64(seed: seed)
        var beacon = EmulatedBeacon(advertisement: [], interval: interval, level: level)
        beacon.fading = (quick: 5, slow: 4)
        sender = BeaconSender(beacon, next: .zero.advanced(bySeconds: random.next(in: 0...interval)))
        let timing = self.rule.timing(at: 0)
        // A window may be anywhere in its interval when the beacon comes.
        scan = (-random.next(in: 0...BeaconReach.seconds(timing.interval)), timing)
    }

    private static func make(_ rule: Rule, isInside: Bool) -> any BeaconRule & Sendable {
        switch rule {
        case .sextant(let isRanging): SextantRule(isInside: isInside, isRanging: isRanging)
        case .silence(.half): SilenceRule(isInside: isInside, scan: ScanTiming(interval: 96, window: 48))
        case .silence(.all): SilenceRule(isInside: isInside, scan: BeaconScanPolicy.continuous)
        }
    }

    private static func seconds(_ units: UInt16) -> Double { Double(units) * 0.000625 }

    /// Lets so many seconds pass.
    public mutating func run(seconds length: Double) -> Outcome {
        while seconds < length {
            if step(until: length) == .exit { outcome.exits += 1 }
        }
        outcome.seconds = seconds
        return outcome
    }

    /// Seconds until the board is within reach by the rule; nil where it is not within `limit`.
    public mutating func secondsToEnter(limit: Double) -> Double? {
        while seconds < limit {
            if step(until: limit) == .enter { return seconds }
        }
        return nil
    }

    /// Goes on to the next advertisement, or by a second at most: the rule's times are looked at once a second.
    private mutating func step(until end: Double) -> BeaconCrossing? {
        let next = Double(sender.next.nanoseconds) * 1e-9
        let advertises = next <= min(seconds + 1, end)
        let now = advertises ? next : min(seconds + 1, end)
        outcome.scannedSeconds += (now - seconds) * scan.timing.duty
        seconds = now
        defer { follow() }
        guard advertises, let level = sender.send(&random), level > BeaconReach.sensitivity, isWindowOpen else {
            return rule.passed(to: seconds)
        }
        return rule.heard(at: seconds)
    }

    private var isWindowOpen: Bool {
        let phase = (seconds - scan.began).truncatingRemainder(dividingBy: BeaconReach.seconds(scan.timing.interval))
        return phase < BeaconReach.seconds(scan.timing.window)
    }

    /// Has the radio listen as the rule wants it now; a scan that begins anew begins at any time of its interval.
    private mutating func follow() {
        let timing = rule.timing(at: seconds)
        guard timing != scan.timing else { return }
        scan = (seconds - random.next(in: 0...0.3), timing)
    }
}
