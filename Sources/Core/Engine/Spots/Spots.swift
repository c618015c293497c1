internal import Beacons
internal import Fusion
internal import GNSS
internal import Monitors
internal import Parts
internal import Power
internal import SextantUnits

/// The spots, which are places that the owner marked with Bluetooth beacons.
///
/// While the board is at a spot, a request for which the spot's accuracy is enough needs no receiver.
struct Spots: ~Copyable {
    private(set) var view: SpotsView
    private var stay: BeaconSpots.Stay?
    /// The horizontal accuracy in metres of the board's location at the present spot, as it was when requests were last
    /// divided into those that need the receiver and those that do not.
    private var decidedAccuracy = 0.0
    /// When the location of the board's stay at a spot was last delivered; nil where it must be delivered again.
    private var told: MonotonicInstant?
    /// The number of spots that fixes contradicted at the last check; they are logged when the number has grown.
    private var loggedCount = 0
    private(set) var deadline: MonotonicInstant?
    /// The time of the location that an earlier run stored; nil once a clock that is right has given its age, or where
    /// no location was stored.
    private var restoredTime: UTCInstant?

    /// The factor by which the accuracy of the location at a spot must change before the receiver is switched because
    /// of it.
    ///
    /// The accuracy changes a little with every advertisement.
    private static let drift = 1.25
    /// Nanoseconds after which the location of a stay at a spot is delivered again, to show that the board is still
    /// there.
    private static let repeating: Int64 = 60_000_000_000

    init(_ configuration: EngineConfiguration) { view = SpotsView(BeaconSpots(configuration.spots)) }

    mutating func heard(_ heard: HeardBeacon, at instant: MonotonicInstant) { view.spots.heard(heard, at: instant) }

    mutating func sensed(motion: Bool, at instant: MonotonicInstant) { view.spots.sensed(motion: motion, at: instant) }

    /// Takes a fix of the receiver.
    mutating func located(_ fix: Fix, at instant: MonotonicInstant) {
        guard !view.spots.isEmpty, let latitude = fix.latitude, let longitude = fix.longitude,
            let accuracy = fix.horizontalAccuracy
        else { return }
        view.spots.located(latitude: latitude, longitude: longitude, accuracy: accuracy, at: instant)
    }

    /// Takes the last location that an earlier run of the daemon stored.
    mutating func restored(_ fix: Fix, at instant: MonotonicInstant) {
        guard let latitude = fix.latitude, let longitude = fix.longitude, let accuracy = fix.horizontalAccuracy else {
            return
        }
        view.spots.restored(latitude: latitude, longitude: longitude, accuracy: accuracy, at: instant)
        restoredTime = fix.time
    }

    /// Takes the time from a clock that is right, which gives the location of an earlier run its age.
    mutating func learned(utc now: UTCInstant, at instant: MonotonicInstant) {
        guard let time = restoredTime else { return }
        restoredTime = nil
        // A location with a time later than now is ignored, because one of the two clocks was wrong.
        guard time <= now else { return }
        view.spots.dateRestored(instant.advanced(byNanoseconds: time.nanoseconds &- now.nanoseconds))
    }

    /// Takes all position requests.
    ///
    /// - Parameter areNew: Whether a session or request has changed; then the spot's location is delivered at once.
    /// - Returns: The requests that the board's present spot does not satisfy.
    mutating func need(_ requests: [AccuracyRequest], areNew: Bool) -> [AccuracyRequest] {
        if areNew { told = nil }
        guard let finest = view.spots.finestRadius else { return requests }
        view.isOfUse = requests.contains { $0.state != .paused && $0.effectiveAccuracy >= finest }
        guard let stay else { return requests }
        decidedAccuracy = stay.accuracy
        return requests.filter { $0.effectiveAccuracy < stay.accuracy }
    }

    /// Follows the beacons of the spots.
    ///
    /// - Returns: Whether the requests perhaps need something different from the receiver now.
    mutating func settle(_ clock: FixClock, _ turn: inout Turn) -> Bool {
        guard !view.spots.isEmpty else { return false }
        if let now = clock.utc(turn.instant) { learned(utc: now, at: turn.instant) }
        view.spots.advance(to: turn.instant, isAsked: view.isOfUse)
        let new = view.spots.stay(at: turn.instant)
        let hasTurned = new?.spot != stay?.spot || hasDrifted(new?.accuracy)
        stay = new
        if stay == nil { told = nil }
        let again = told?.advanced(byNanoseconds: Spots.repeating)
        deadline = view.isOfUse ? .earlier(view.spots.deadline(at: turn.instant), again) : nil
        let contradicted = view.spots.doubted(at: turn.instant).filter { $0.doubt == .contradicted }
        defer { loggedCount = contradicted.count }
        if contradicted.count > loggedCount {
            for doubted in contradicted { turn.log(.radioTrouble(SpotsView.trouble(doubted))) }
        }
        return hasTurned
    }

    private func hasDrifted(_ accuracy: Double?) -> Bool {
        guard let accuracy, stay != nil else { return false }
        return accuracy > decidedAccuracy * Spots.drift || accuracy < decidedAccuracy / Spots.drift
    }

    /// A fix at the present spot; nil where none is due now.
    mutating func takeFix(_ clock: FixClock, at instant: MonotonicInstant) -> Fix? {
        guard view.isOfUse, let stay, told.map({ instant.nanoseconds(since: $0) >= Spots.repeating }) ?? true else {
            return nil
        }
        told = instant
        var fix = Fix()
        fix.type = .twoD
        // The quality is "manual input", because the owner entered the spot's coordinates by hand.
        fix.quality = .manualInput
        fix.latitude = stay.spot.latitude
        fix.longitude = stay.spot.longitude
        fix.horizontalAccuracy = stay.accuracy
        fix.time = clock.utc(instant)
        fix.isTimeValidated = fix.time != nil
        return fix
    }
}

/// How the radio must listen for spots, and why spots are not used, for other parts of the Engine to read.
struct SpotsView: ~Copyable {
    fileprivate var spots: BeaconSpots
    /// Whether any request could be satisfied by a spot.
    fileprivate var isOfUse = false

    fileprivate init(_ spots: BeaconSpots) { self.spots = spots }

    /// How the radio must listen for spots; nil where it need not.
    func radioNeed(at instant: MonotonicInstant) -> ScanTiming? { isOfUse ? spots.timing(at: instant) : nil }

    /// Why spots are not used, in sentences for people.
    func troubles(at instant: MonotonicInstant) -> [String] {
        spots.doubted(at: instant).map(SpotsView.trouble)
    }

    fileprivate static func trouble(_ doubted: BeaconSpots.Doubted) -> String {
        let reason =
            switch doubted.doubt {
            case .distant:
                "its beacon is near, but the board cannot have come to the spot since its last fix, so that the spot is "
                    + "not used until a fix confirms it"
            case .carried:
                "its beacon moved along with the board, so that the spot is not used until a fix confirms it"
            case .contradicted:
                "a fix was elsewhere while its beacon was near, so that the spot is not used until a fix confirms it; if "
                    + "none does, correct its coordinate, or its beacon, in the configuration"
            case .unconfirmed:
                "its beacon is near, but no fix has confirmed the spot, so that the spot is not used until one does; "
                    + "take the board where it sees the sky"
            }
        return "the spot \"\(doubted.spot.name)\": \(reason)"
    }
}
