public import Beacons
public import SextantUnits

/// Which of the owner's spots the board is at, by the beacons that mark them.
///
/// Anybody can send a beacon's identity, and a beacon can be carried along. So a spot is trusted only if the board can
/// have come there since the last fix: it must be within `BeaconSpots.leap` metres of that fix, or at the fix itself if
/// the board has rested since. A spot is not trusted while its beacon moves along with the board. After a fix elsewhere
/// while its beacon was near, a spot is not trusted until another fix confirms it.
///
/// A fix must confirm each spot in any case: once a day while an accelerometer reports that the board rests, and every
/// hour otherwise, since a thief may have taken the board together with its beacon. Where no fix comes for five
/// minutes, as in a cellar, the spot is trusted without one, as long as the board has rested since its last fix, or
/// that fix is less than a day old. A board that never had a fix is at no spot. All these times are our own.
///
/// The hours at which the board is usually at a spot are not used. If the board rests, it has not been taken away at
/// any hour; if it may have moved, a fix must confirm the spot at any hour. Usual hours could help only where no fix
/// comes, as in a cellar; but there they would be learnt from the beacon alone, which an impostor can imitate, and when
/// the owner came home early, the board would be at no spot.
public struct BeaconSpots: Sendable {
    /// A stay of the board at a spot.
    public struct Stay: Sendable, Hashable {
        public var spot: BeaconSpot
        /// The radius about the spot, in metres, that contains the board with a probability of 68 %.
        public var accuracy: Double
    }

    /// Why a spot is not trusted although its beacon is near; a fix at the spot ends the doubt.
    public enum Doubt: Sendable, Hashable {
        /// The board cannot have come to the spot since its last fix.
        case distant
        /// The beacon moves along with the board.
        case carried
        /// A fix was away from the spot, though within 1 km, while the beacon was near.
        case contradicted
        /// No fix came to confirm the spot, the board may have moved since the last fix, and that fix is a day old or
        /// more, or of unknown age.
        case unconfirmed
    }

    /// A spot that is not trusted, and why.
    public struct Doubted: Sendable, Hashable {
        public var spot: BeaconSpot
        public var doubt: Doubt
    }

    private struct Candidate: Sendable {
        let spot: BeaconSpot
        var distance: BeaconDistance
        var lastHeard: MonotonicInstant?
        var doubt: Doubt?
        /// When the spot was last confirmed by a fix, or was trusted without one after the longest wait; nil if neither
        /// has happened.
        var confirmed: MonotonicInstant?
        /// Whether the board has rested since the spot was confirmed, according to its accelerometer.
        var hasRested = false
        /// How the beacon's received strength has changed since the board began to move; nil while the board rests.
        var pattern: LevelPattern?
    }

    /// The GNSS receiver's last fix or, before the first fix, the location that an earlier run of the daemon stored.
    private struct LastFix: Sendable {
        var latitude: Double
        var longitude: Double
        /// The fix's horizontal accuracy: the radius that holds 68 % of its errors, in metres.
        var accuracy: Double
        /// The instant of the fix; for a location of an earlier run whose age is not known yet, the instant at which
        /// the daemon read that location back.
        var instant: MonotonicInstant
        /// Whether this is the location that an earlier run of the daemon stored.
        var isRestored: Bool
        /// Whether the instant of the fix is known.
        var isDated: Bool
        /// Whether the board may have moved since the fix; false where an accelerometer said that it rested.
        var mayHaveMoved: Bool

        func distance(to spot: BeaconSpot) -> Double {
            Geodesic.distance(
                fromLatitude: latitude, longitude: longitude, toLatitude: spot.latitude, longitude: spot.longitude)
        }

        /// The distance in metres that the board can have gone since the fix; capped at `leap`, the largest distance at
        /// which a beacon alone is trusted.
        func reach(at instant: MonotonicInstant) -> Double {
            guard mayHaveMoved else { return 0 }
            guard !isRestored else { return BeaconSpots.leap }
            return min(BeaconSpots.leap, BeaconSpots.fastest * Double(age(at: instant)) * 1e-9)
        }

        /// Whether the board counts as still at the place of the fix: it has rested since the fix, or the fix is from
        /// this run of the daemon and less than 300 s old.
        func isRecent(at instant: MonotonicInstant) -> Bool {
            !mayHaveMoved || !isRestored && age(at: instant) < BeaconSpots.asking
        }

        /// Whether this fix is enough to trust a spot that no new fix confirms.
        func isEvidence(at instant: MonotonicInstant) -> Bool {
            !mayHaveMoved || isDated && (0..<BeaconSpots.day).contains(age(at: instant))
        }

        private func age(at now: MonotonicInstant) -> Int64 { now.nanoseconds(since: instant) }
    }

    private var candidates: [Candidate]
    /// Whether the board moves, according to its accelerometer; nil if it has none.
    private var isMoving: Bool?
    private var last: LastFix?
    private var asksSince: MonotonicInstant?

    /// After `lost` nanoseconds of the beacon's silence the board counts as away from the spot; after `doubt`
    /// nanoseconds the radio listens all the time.
    static let lost: Int64 = 12_000_000_000
    static let doubt: Int64 = 4_000_000_000
    /// Nanoseconds after which a new fix must confirm a spot: `day` while the board rests, `hour` if it may have moved;
    /// `asking` is the longest wait for that fix.
    static let day: Int64 = 86_400_000_000_000
    static let hour: Int64 = 3_600_000_000_000
    static let asking: Int64 = 300_000_000_000
    /// A fix confirms a spot if the distance between them is at most this many times the greater of their radii (the
    /// fix's accuracy and the spot's radius); it contradicts the spot if the distance is more than this many times the
    /// sum of both radii.
    static let agreement = 3.0
    /// The largest distance from the last fix, in metres, at which a beacon alone is trusted, however old the fix is: a
    /// board can come so far without sky view, through a car park or up from an underground line.
    static let leap = 1000.0
    /// The highest speed of a board, in metres per second: that of a fast train.
    static let fastest = 90.0

    public init(_ spots: [BeaconSpot] = []) {
        candidates = spots.map { Candidate(spot: $0, distance: BeaconDistance(at: .zero)) }
    }

    public var isEmpty: Bool { candidates.isEmpty }

    /// The smallest radius of all spots, in metres; nil where there are no spots.
    public var finestRadius: Double? { candidates.map { $0.spot.radius }.min() }

    /// The spots that are not trusted, each with the reason; a spot whose beacon is not near is among them only if a
    /// fix contradicted it.
    public func doubted(at instant: MonotonicInstant) -> [Doubted] {
        candidates.compactMap { candidate in
            guard let doubt = candidate.doubt, doubt == .contradicted || isNear(candidate, at: instant) else {
                return nil
            }
            return Doubted(spot: candidate.spot, doubt: doubt)
        }
    }

    /// The spot that the board is at; nil where it is at none, or where a fix must confirm the spot first.
    public func stay(at instant: MonotonicInstant) -> Stay? {
        var best: Stay?
        for candidate in candidates where candidate.doubt == nil && isNear(candidate, at: instant) {
            guard !mustConfirm(candidate, at: instant) else { continue }
            let accuracy = max(candidate.spot.radius, candidate.distance.accuracy)
            if accuracy < best?.accuracy ?? .infinity { best = Stay(spot: candidate.spot, accuracy: accuracy) }
        }
        return best
    }

    private func isNear(_ candidate: Candidate, at instant: MonotonicInstant) -> Bool {
        guard let heard = candidate.lastHeard, instant.nanoseconds(since: heard) < BeaconSpots.lost else {
            return false
        }
        switch candidate.distance.proximity {
        case .immediate, .near: return true
        case .far: return candidate.spot.holdsFar
        case .unknown: return false
        }
    }

    private func mustConfirm(_ candidate: Candidate, at instant: MonotonicInstant) -> Bool {
        confirmationDue(candidate).map { $0 <= instant } ?? true
    }

    /// The instant from which the spot is not trusted, unless a fix confirms the spot again; nil where the spot never
    /// counted as confirmed.
    private func confirmationDue(_ candidate: Candidate) -> MonotonicInstant? {
        candidate.confirmed?.advanced(byNanoseconds: candidate.hasRested ? BeaconSpots.day : BeaconSpots.hour)
    }

    // MARK: What happens

    public mutating func heard(_ heard: HeardBeacon, at instant: MonotonicInstant) {
        for index in candidates.indices where candidates[index].spot.beacon.matches(heard.beacon.identity) {
            if candidates[index].lastHeard.map({ instant.nanoseconds(since: $0) >= BeaconSpots.lost }) ?? true {
                begin(index, at: instant)
            }
            candidates[index].lastHeard = instant
            guard let strength = heard.strength, let power = heard.beacon.power else { continue }
            candidates[index].distance.heard(
                strength: strength, power: power, isMoving: isMoving ?? false, at: instant)
            note(level: Double(strength), of: index, at: instant)
        }
    }

    /// Handles a beacon's first advertisement, or its first after silence.
    private mutating func begin(_ index: Int, at instant: MonotonicInstant) {
        candidates[index].distance = BeaconDistance(at: instant)
        candidates[index].pattern = nil
        switch candidates[index].doubt {
        case nil, .distant, .unconfirmed: break
        case .carried, .contradicted: return
        }
        guard let last else { return }
        let spot = candidates[index].spot
        let distance = last.distance(to: spot)
        let isReachable = distance <= BeaconSpots.agreement * (spot.radius + last.accuracy) + last.reach(at: instant)
        candidates[index].doubt = isReachable ? nil : .distant
        if distance <= BeaconSpots.agreement * max(spot.radius, last.accuracy), last.isRecent(at: instant) {
            confirm(index, at: last.instant, hasRested: !last.mayHaveMoved)
        }
    }

    private mutating func confirm(_ index: Int, at instant: MonotonicInstant, hasRested: Bool) {
        candidates[index].confirmed = instant
        candidates[index].hasRested = hasRested
    }

    private mutating func note(level: Double, of index: Int, at instant: MonotonicInstant) {
        guard isMoving == true else { return }
        guard var pattern = candidates[index].pattern.take() else {
            return candidates[index].pattern = LevelPattern(level, at: instant)
        }
        pattern.heard(level, at: instant)
        candidates[index].pattern = pattern
        if pattern.isOfOneLevel(at: instant), candidates[index].doubt == nil { candidates[index].doubt = .carried }
    }

    /// Handles the accelerometer's report that the board moves or rests.
    public mutating func sensed(motion: Bool, at instant: MonotonicInstant) {
        isMoving = motion
        if motion { last?.mayHaveMoved = true }
        for index in candidates.indices {
            if motion { candidates[index].hasRested = false } else { candidates[index].pattern = nil }
        }
    }

    /// Takes the last location that an earlier run of the daemon stored, in place of a fix.
    ///
    /// `dateRestored` tells the age of this location once the time is known. Until then no spot is trusted because of
    /// this location alone; otherwise a board that is restarted every day would be trusted for ever.
    public mutating func restored(
        latitude: Double, longitude: Double, accuracy: Double, at instant: MonotonicInstant
    ) {
        guard last == nil else { return }
        last = LastFix(
            latitude: latitude, longitude: longitude, accuracy: accuracy, instant: instant, isRestored: true,
            isDated: false, mayHaveMoved: true)
    }

    /// Takes the instant of the location that an earlier run stored, which is before the daemon's start.
    public mutating func dateRestored(_ instant: MonotonicInstant) {
        guard last?.isRestored ?? false else { return }
        last?.instant = instant
        last?.isDated = true
    }

    /// Takes a fix of the receiver, in degrees; `accuracy` is the radius in metres that holds 68 % of the fix's errors.
    public mutating func located(latitude: Double, longitude: Double, accuracy: Double, at instant: MonotonicInstant) {
        let fix = LastFix(
            latitude: latitude, longitude: longitude, accuracy: accuracy, instant: instant, isRestored: false,
            isDated: true, mayHaveMoved: isMoving ?? true)
        last = fix
        for index in candidates.indices where isNear(candidates[index], at: instant) {
            let spot = candidates[index].spot
            let distance = fix.distance(to: spot)
            let own = max(spot.radius, candidates[index].distance.accuracy)
            if distance <= BeaconSpots.agreement * max(own, accuracy) {
                confirm(index, at: instant, hasRested: !fix.mayHaveMoved)
                if candidates[index].doubt != nil { candidates[index].pattern = nil }
                candidates[index].doubt = nil
            } else if distance > BeaconSpots.agreement * (own + accuracy) {
                // A beacon that is received more than 1 km from its spot is another one with the same identity. It says
                // nothing of the spot, which is trusted again once the board comes back to it.
                let doubt = candidates[index].doubt ?? .distant
                candidates[index].doubt = distance <= BeaconSpots.leap ? .contradicted : doubt
            }
        }
    }

    /// Begins or ends the wait for a fix that confirms a spot; if the wait was too long, the last fix alone decides
    /// whether the spot is trusted.
    ///
    /// - Parameter isAsked: Whether a client has a request that keeps the receiver on while no spot is trusted.
    public mutating func advance(to instant: MonotonicInstant, isAsked: Bool) {
        let isAsking = isAsked && candidates.contains { isUnconfirmed($0, at: instant) }
        asksSince = isAsking ? asksSince ?? instant : nil
        guard let asksSince, instant.nanoseconds(since: asksSince) >= BeaconSpots.asking else { return }
        for index in candidates.indices where isUnconfirmed(candidates[index], at: instant) {
            if let last, last.isEvidence(at: instant) {
                confirm(index, at: instant, hasRested: !last.mayHaveMoved)
            } else {
                candidates[index].doubt = .unconfirmed
            }
        }
        self.asksSince = nil
    }

    /// Whether a spot would be trusted if a fix confirmed it.
    private func isUnconfirmed(_ candidate: Candidate, at instant: MonotonicInstant) -> Bool {
        candidate.doubt == nil && isNear(candidate, at: instant) && mustConfirm(candidate, at: instant)
    }

    // MARK: What it needs

    /// How the radio is to listen while a spot can satisfy a client's request; nil if there are no spots.
    public func timing(at instant: MonotonicInstant) -> ScanTiming? {
        guard !candidates.isEmpty else { return nil }
        let isInDoubt = candidates.contains { candidate in
            guard let heard = candidate.lastHeard, candidate.doubt != .contradicted else { return false }
            return (BeaconSpots.doubt..<BeaconSpots.lost).contains(instant.nanoseconds(since: heard))
        }
        return isInDoubt ? BeaconScanPolicy.continuous : BeaconScanPolicy.sparse
    }

    /// The next instant at which a spot must be judged again without a new advertisement, fix or motion; nil for none.
    public func deadline(at instant: MonotonicInstant) -> MonotonicInstant? {
        var earliest: MonotonicInstant?
        func consider(_ due: MonotonicInstant?) {
            if let due, due > instant { earliest = .earlier(earliest, due) }
        }
        for candidate in candidates where candidate.doubt != .contradicted {
            guard let heard = candidate.lastHeard else { continue }
            consider(heard.advanced(byNanoseconds: BeaconSpots.doubt))
            consider(heard.advanced(byNanoseconds: BeaconSpots.lost))
            if isNear(candidate, at: instant) {
                consider(confirmationDue(candidate))
            }
        }
        consider(asksSince?.advanced(byNanoseconds: BeaconSpots.asking))
        return earliest
    }
}

/// Whether a beacon is received equally well all the time while the board moves, which shows that the beacon is carried
/// along.
struct LevelPattern: Sendable, Hashable {
    /// The beacon's strength in dBm: the mean during the first `smoothing` nanoseconds, then an average smoothed over
    /// that time.
    private var level: Double
    /// The range of the smoothed strength (`level`), in dBm, without the first `smoothing` nanoseconds.
    private var levels: ClosedRange<Double>?
    private let begun: MonotonicInstant
    private var last: MonotonicInstant

    /// Nanoseconds of movement in which a beacon's level must not change for the beacon to count as carried along.
    static let carried: Int64 = 60_000_000_000
    /// A beacon counts as equally near while its smoothed strength stays within a range of this many dB; single
    /// advertisements scatter by 4 to 8 dB.
    static let sameLevel = 6.0
    /// Nanoseconds over which the received strength is smoothed.
    private static let smoothing: Int64 = 10_000_000_000

    init(_ level: Double, at instant: MonotonicInstant) {
        self.level = level
        (begun, last) = (instant, instant)
    }

    mutating func heard(_ level: Double, at instant: MonotonicInstant) {
        let step = max(0, instant.nanoseconds(since: last))
        let elapsed = instant.nanoseconds(since: begun)
        last = max(last, instant)
        guard step > 0 else { return }
        self.level += min(1, Double(step) / Double(min(elapsed, LevelPattern.smoothing))) * (level - self.level)
        guard elapsed >= LevelPattern.smoothing else { return }
        levels = min(levels?.lowerBound ?? self.level, self.level)...max(levels?.upperBound ?? self.level, self.level)
    }

    /// Whether the beacon has been received equally well for a minute in which the board moved.
    func isOfOneLevel(at instant: MonotonicInstant) -> Bool {
        guard let levels, instant.nanoseconds(since: begun) >= LevelPattern.carried else { return false }
        return levels.upperBound - levels.lowerBound <= LevelPattern.sameLevel
    }
}
