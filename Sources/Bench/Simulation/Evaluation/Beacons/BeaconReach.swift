internal import Beacons
internal import Emulation
internal import Monitors
internal import SextantUnits

/// Simulates one beacon and a board that listens for the beacon, in virtual time; a rule decides whether the beacon is
/// within reach.
///
/// An advertisement above -92 dBm is received while a scan window is open. Its strength varies by 5 dB from one
/// advertisement to the next, and by 4 dB over some 15 s (standard deviations). The model is assumed, and not fitted to
/// recordings.
public struct BeaconReach: Sendable {
    /// The rules that are compared.
    public enum Rule: Sendable, Hashable {
        case sextant(isRanging: Bool)
        /// The rule of android-beacon-library: an exit is reported after 10 s of silence.
        case silence(scans: Scan)

        public enum Scan: Sendable, Hashable {
            /// The radio listens half of the time, which is Linux's default.
            case half
            /// The radio listens all the time, as android-beacon-library does in the foreground.
            case all
        }
    }

    /// The result of a simulation.
    public struct Outcome: Sendable, Hashable {
        /// The number of exits that the rule reported, all of them false, because the beacon sends all the time.
        public var exits = 0
        /// The total time in seconds in which a scan window was open.
        public var scannedSeconds = 0.0
        public var seconds = 0.0

        public var exitsPerHour: Double { Double(exits) / seconds * 3600 }
        public var scannedPerHour: Double { scannedSeconds / seconds * 3600 }
        /// The share of the time in which the radio listened, 0 to 1.
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
        // When the beacon arrives, the scan can be at any point of the scan interval.
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

    /// Lets `length` seconds pass.
    public mutating func run(seconds length: Double) -> Outcome {
        while seconds < length {
            if step(until: length) == .exit { outcome.exits += 1 }
        }
        outcome.seconds = seconds
        return outcome
    }

    /// Seconds until the rule reports an entry; nil if it reports none within `limit` seconds.
    public mutating func secondsToEnter(limit: Double) -> Double? {
        while seconds < limit {
            if step(until: limit) == .enter { return seconds }
        }
        return nil
    }

    /// Advances to the next advertisement, but at most by a second, because the rule checks its time limits once a
    /// second.
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

    /// Sets the radio's scan to the timing that the rule asks for at this instant; a new timing counts as having begun
    /// at random 0 to 0.3 s ago.
    private mutating func follow() {
        let timing = rule.timing(at: seconds)
        guard timing != scan.timing else { return }
        scan = (seconds - random.next(in: 0...0.3), timing)
    }
}
