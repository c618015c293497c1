internal import Beacons
internal import Monitors
internal import SextantUnits

/// A rule that decides from a beacon's advertisements whether the board is within reach of the beacon, and how the
/// board's radio scans for it.
///
/// Seconds count from the beginning of the simulation; the radio scans from then on.
protocol BeaconRule {
    /// Takes an advertisement.
    mutating func heard(at seconds: Double) -> BeaconCrossing?
    /// Lets time pass without an advertisement.
    mutating func passed(to seconds: Double) -> BeaconCrossing?
    /// The scan interval and window that the radio must use at this time.
    func timing(at seconds: Double) -> ScanTiming
}

enum BeaconCrossing {
    case enter, exit
}

/// The daemon's rule, together with the daemon's policy for the scan's interval and window.
struct SextantRule: BeaconRule {
    private var presence: BeaconPresence
    private let isRanging: Bool

    init(isInside: Bool, isRanging: Bool) {
        presence = BeaconPresence(isInside ? .inside : .outside, listened: 0)
        self.isRanging = isRanging
    }

    mutating func heard(at seconds: Double) -> BeaconCrossing? {
        crossing(presence.heard(at: .zero.advanced(bySeconds: seconds), listened: listened(seconds)))
    }

    mutating func passed(to seconds: Double) -> BeaconCrossing? {
        crossing(presence.listened(listened(seconds), at: .zero.advanced(bySeconds: seconds)))
    }

    private func crossing(_ event: BeaconPresence.Event?) -> BeaconCrossing? {
        switch event {
        case .entered, .determined(isInside: true): .enter
        case .exited: .exit
        case .determined(isInside: false), nil: nil
        }
    }

    func timing(at seconds: Double) -> ScanTiming {
        let timing = BeaconScanPolicy.timing(
            for: [presence], isRanging: isRanging, listened: listened(seconds),
            at: .zero.advanced(bySeconds: seconds))
        return timing ?? BeaconScanPolicy.sparse
    }

    private func listened(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }
}

/// The rule of android-beacon-library: the first advertisement is an entry, and 10 s without one is an exit.
///
/// The rule does not control how the radio scans: the scan's interval and window stay the same.
struct SilenceRule: BeaconRule {
    private let scan: ScanTiming
    private var isInside: Bool
    private var lastHeard = 0.0

    /// Seconds without an advertisement that count as an exit.
    private static let silenceSeconds = 10.0

    init(isInside: Bool, scan: ScanTiming) {
        self.isInside = isInside
        self.scan = scan
    }

    mutating func heard(at seconds: Double) -> BeaconCrossing? {
        defer { (isInside, lastHeard) = (true, seconds) }
        return isInside ? nil : .enter
    }

    mutating func passed(to seconds: Double) -> BeaconCrossing? {
        guard isInside, seconds - lastHeard >= SilenceRule.silenceSeconds else { return nil }
        isInside = false
        return .exit
    }

    func timing(at seconds: Double) -> ScanTiming { scan }
}
