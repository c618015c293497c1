internal import Beacons
internal import ClientProtocol
internal import Fusion
internal import GNSS
internal import Monitors
internal import Power
internal import SextantUnits

/// The places that the owner marked with beacons: while the board is at one, a request that is content with the place's
/// accuracy needs no receiver.
struct Places: ~Copyable {
    private var places: BeaconPlaces
    private var stay: BeaconPlaces.Stay?
    /// When the stay's location was last given.
    private var told: MonotonicInstant?
    /// Whether any request could be satisfied by a place.
    private var isOfUse = false
    /// The places that are told to be contradicted.
    private var loggedCount = 0
    private(set) var deadline: MonotonicInstant?

    /// The number under which the location filter knows places; the receiver's is 0.
    static let receiver: UInt8 = 1

    /// Nanoseconds between two locations of a stay, which says that the board is still there.
    private static let repeating: Int64 = 60_000_000_000

    init(_ configuration: EngineConfiguration) { places = BeaconPlaces(configuration.places) }

    mutating func heard(_ heard: HeardBeacon, at instant: MonotonicInstant) { places.heard(heard, at: instant) }

    mutating func sensed(motion: Bool, at instant: MonotonicInstant) { places.sensed(motion: motion, at: instant) }

    /// Takes a fix of the receiver.
    mutating func located(_ fix: Fix, at instant: MonotonicInstant) {
        guard !places.isEmpty, let latitude = fix.latitude, let longitude = fix.longitude,
            let accuracy = fix.horizontalAccuracy
        else { return }
        places.located(latitude: latitude, longitude: longitude, accuracy: accuracy, at: instant)
    }

    /// Gives the stay's location at once, because a client asks for one.
    mutating func tellAgain() { told = nil }

    /// The requests that the place where the board is does not satisfy.
    mutating func unsatisfied(_ requests: [AccuracyRequest]) -> [AccuracyRequest] {
        guard let finest = places.finestRadius else { return requests }
        isOfUse = requests.contains { $0.standing != .paused && $0.effectiveAccuracy >= finest }
        guard let stay else { return requests }
        return requests.filter { $0.effectiveAccuracy < stay.accuracy }
    }

    /// Follows the beacons.
    ///
    /// - Returns: Whether what the requests need of the receiver may have changed.
    mutating func settle(at instant: MonotonicInstant, into outputs: inout Outputs) -> Bool {
        guard !places.isEmpty else { return false }
        places.advance(to: instant)
        let new = places.stay(at: instant)
        let hasTurned = (new == nil) != (stay == nil) || new?.place != stay?.place
        // The accuracy of a stay drifts with every advertisement; the receiver is not switched for that.
        if hasTurned { stay = new }
        if stay == nil { told = nil }
        let again = told?.advanced(byNanoseconds: Places.repeating)
        deadline = isOfUse ? .earlier(places.deadline(at: instant), again) : nil
        let contradicted = places.contradicted
        defer { loggedCount = contradicted.count }
        if contradicted.count > loggedCount {
            for place in contradicted { outputs.actions.append(.log(.radioTrouble(Places.contradiction(place)))) }
        }
        return hasTurned
    }

    /// The fix of the stay, where one is due now.
    mutating func takeFix(_ clock: FixClock, at instant: MonotonicInstant) -> Fix? {
        guard isOfUse, let stay, told.map({ instant.nanoseconds(since: $0) >= Places.repeating }) ?? true else {
            return nil
        }
        told = instant
        var fix = Fix()
        fix.type = .twoD
        // The coordinate is the one that the owner wrote.
        fix.quality = .manualInput
        fix.latitude = stay.place.latitude
        fix.longitude = stay.place.longitude
        fix.horizontalAccuracy = stay.accuracy
        fix.time = clock.utc(instant)
        fix.isTimeValidated = fix.time != nil
        return fix
    }

    /// How the radio must listen for places; nil where it need not.
    func radioNeed(at instant: MonotonicInstant) -> ScanTiming? { isOfUse ? places.timing(at: instant) : nil }

    /// Why places are not used, in sentences for people.
    var troubles: [String] { places.contradicted.map(Places.contradiction) }

    private static func contradiction(_ place: BeaconPlace) -> String {
        "the place \"\(place.name)\": a fix was elsewhere while its beacon was near, so that the place is not used until "
            + "a fix confirms it; if none does, correct its coordinate, or its beacon, in the configuration"
    }
}
