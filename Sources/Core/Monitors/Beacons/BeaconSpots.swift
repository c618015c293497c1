public import Beacons
public import SextantUnits

/// Which of the owner's spots the board is at, by the beacons that mark them.
///
/// Anybody can send a beacon's identity, and a beacon can be carried along. So a spot is not believed while the board
/// moves and the beacon stays as near as it was, nor where the board cannot have come to it since the last fix, until a
/// fix of the receiver confirms the spot; it is confirmed once a day in any case; and it is dropped when a fix
/// contradicts it, until another confirms it. Source: `../shared/spec/beacons.md` 5.4.
public struct BeaconSpots: Sendable {
    /// The board is at a spot.
    public struct Stay: Sendable, Hashable {
        public var spot: BeaconSpot
        /// Metres: the radius that holds the board with 68 %.
        public var accuracy: Double
    }

    private struct Candidate: Sendable {
        let spot: BeaconSpot
        var distance: BeaconDistance
        var lastHeard: MonotonicInstant?
        var trust = Trust.trusted
        /// When a fix last confirmed the spot, or was last waited for in vain.
        var confirmed: MonotonicInstant?
        /// The least and the greatest level since the board has moved, in dBm, smoothed.
        var levels: ClosedRange<Double>?
    }

    private enum Trust: Sendable, Hashable {
        case trusted
        /// The beacon moved along; a fix must confirm the spot.
        case doubted
        /// A fix was elsewhere while the beacon was near.
        case contradicted
    }

    private var candidates: [Candidate]
    private var movingSince: MonotonicInstant?
    /// The receiver's last fix.
    private var last: (latitude: Double, longitude: Double, accuracy: Double, instant: MonotonicInstant)?
    private var asksSince: MonotonicInstant?

    /// Nanoseconds without the beacon after which the spot is left, and after which the radio listens all the time.
    static let lost: Int64 = 12_000_000_000
    static let doubt: Int64 = 4_000_000_000
    /// Nanoseconds of movement beside a beacon of one level after which it is taken to be carried along.
    static let carried: Int64 = 60_000_000_000
    /// The spread of levels, in dB, within which a beacon counts as equally near.
    static let sameLevel = 6.0
    /// Nanoseconds after which a fix must confirm a spot, and for which it is waited.
    static let day: Int64 = 86_400_000_000_000
    static let asking: Int64 = 300_000_000_000
    /// A fix confirms a spot within so many accuracies, and contradicts it beyond.
    static let agreement = 3.0
    /// Metres per second that a board travels at most: a fast train's speed.
    static let fastest = 90.0
    /// The share of a new level in the smoothed one.
    private static let smoothing = 0.1

    public init(_ spots: [BeaconSpot] = []) {
        candidates = spots.map { Candidate(spot: $0, distance: BeaconDistance(at: .zero)) }
    }

    public var isEmpty: Bool { candidates.isEmpty }

    /// The finest radius of all spots, in metres; nil without any.
    public var finestRadius: Double? { candidates.map { $0.spot.radius }.min() }

    /// The spots that a fix contradicted, which are not used until another confirms them.
    public var contradicted: [BeaconSpot] { candidates.filter { $0.trust == .contradicted }.map { $0.spot } }

    /// The spot that the board is at; nil where it is at none, or where that must be confirmed first.
    public func stay(at instant: MonotonicInstant) -> Stay? {
        var best: Stay?
        for candidate in candidates where candidate.trust == .trusted && isNear(candidate, at: instant) {
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
        guard let confirmed = candidate.confirmed else { return false }
        return instant.nanoseconds(since: confirmed) >= BeaconSpots.day
    }

    // MARK: What happens

    public mutating func heard(_ heard: HeardBeacon, at instant: MonotonicInstant) {
        for index in candidates.indices where candidates[index].spot.beacon.matches(heard.beacon.identity) {
            if candidates[index].lastHeard.map({ instant.nanoseconds(since: $0) >= BeaconSpots.lost }) ?? true {
                begin(index, at: instant)
            }
            candidates[index].lastHeard = instant
            guard let strength = heard.strength, let power = heard.beacon.measuredPower else { continue }
            candidates[index].distance.heard(
                strength: strength, power: power, isMoving: movingSince != nil, at: instant)
            note(level: Double(strength), of: index, at: instant)
        }
    }

    /// Begins a stay, or the return to a beacon after silence.
    private mutating func begin(_ index: Int, at instant: MonotonicInstant) {
        candidates[index].distance = BeaconDistance(at: instant)
        candidates[index].levels = nil
        if candidates[index].confirmed == nil { candidates[index].confirmed = instant }
        if candidates[index].trust == .trusted, !isReachable(candidates[index].spot, at: instant) {
            candidates[index].trust = .doubted
        }
    }

    /// Whether the board can have come from its last fix to a spot by now; where it cannot, the beacon is another's.
    private func isReachable(_ spot: BeaconSpot, at instant: MonotonicInstant) -> Bool {
        guard let last else { return true }
        let distance = Geodesic.distance(
            fromLatitude: last.latitude, longitude: last.longitude, toLatitude: spot.latitude,
            longitude: spot.longitude)
        let travelled = BeaconSpots.fastest * Double(instant.nanoseconds(since: last.instant)) * 1e-9
        return distance <= BeaconSpots.agreement * (spot.radius + last.accuracy) + travelled
    }

    private mutating func note(level: Double, of index: Int, at instant: MonotonicInstant) {
        guard let movingSince else { return }
        guard let levels = candidates[index].levels else { return candidates[index].levels = level...level }
        let middle = (levels.lowerBound + levels.upperBound) / 2
        let smooth = middle + BeaconSpots.smoothing * (level - middle)
        let widened = min(levels.lowerBound, smooth)...max(levels.upperBound, smooth)
        candidates[index].levels = widened
        guard widened.upperBound - widened.lowerBound <= BeaconSpots.sameLevel else { return }
        if instant.nanoseconds(since: movingSince) >= BeaconSpots.carried, candidates[index].trust == .trusted {
            candidates[index].trust = .doubted
        }
    }

    /// Takes whether the board moves, by its accelerometer.
    public mutating func sensed(motion: Bool, at instant: MonotonicInstant) {
        movingSince = motion ? movingSince ?? instant : nil
        if !motion { for index in candidates.indices { candidates[index].levels = nil } }
    }

    /// Takes a fix of the receiver: degrees, and metres that hold 68 % of its errors.
    public mutating func located(latitude: Double, longitude: Double, accuracy: Double, at instant: MonotonicInstant) {
        last = (latitude, longitude, accuracy, instant)
        for index in candidates.indices {
            let spot = candidates[index].spot
            let distance = Geodesic.distance(
                fromLatitude: latitude, longitude: longitude, toLatitude: spot.latitude, longitude: spot.longitude)
            let near = isNear(candidates[index], at: instant)
            let own = max(spot.radius, near ? candidates[index].distance.accuracy : 0)
            if distance <= BeaconSpots.agreement * max(own, accuracy) {
                guard near else { continue }
                candidates[index].confirmed = instant
                if candidates[index].trust != .trusted {
                    candidates[index].trust = .trusted
                    candidates[index].levels = nil
                    if movingSince != nil { movingSince = instant }
                }
            } else if near, distance > BeaconSpots.agreement * (own + accuracy) {
                candidates[index].trust = .contradicted
            }
        }
    }

    /// Lets time pass: a confirmation that does not come is not waited for all day.
    public mutating func advance(to instant: MonotonicInstant) {
        let isAsking = candidates.contains {
            $0.trust == .trusted && isNear($0, at: instant) && mustConfirm($0, at: instant)
        }
        asksSince = isAsking ? asksSince ?? instant : nil
        guard let asksSince, instant.nanoseconds(since: asksSince) >= BeaconSpots.asking else { return }
        for index in candidates.indices where mustConfirm(candidates[index], at: instant) {
            candidates[index].confirmed = instant
        }
        self.asksSince = nil
    }

    // MARK: What it needs

    /// How the radio is to listen where a request can be satisfied by a spot; nil without spots.
    public func timing(at instant: MonotonicInstant) -> ScanTiming? {
        guard !candidates.isEmpty else { return nil }
        let isInDoubt = candidates.contains { candidate in
            guard let heard = candidate.lastHeard, candidate.trust != .contradicted else { return false }
            return (BeaconSpots.doubt..<BeaconSpots.lost).contains(instant.nanoseconds(since: heard))
        }
        return isInDoubt ? BeaconScanPolicy.continuous : BeaconScanPolicy.sparse
    }

    /// The next instant at which time alone changes something.
    public func deadline(at instant: MonotonicInstant) -> MonotonicInstant? {
        var earliest: MonotonicInstant?
        func consider(_ due: MonotonicInstant?) {
            if let due, due > instant { earliest = .earlier(earliest, due) }
        }
        for candidate in candidates where candidate.trust != .contradicted {
            guard let heard = candidate.lastHeard else { continue }
            consider(heard.advanced(byNanoseconds: BeaconSpots.doubt))
            consider(heard.advanced(byNanoseconds: BeaconSpots.lost))
            if isNear(candidate, at: instant) {
                consider(candidate.confirmed?.advanced(byNanoseconds: BeaconSpots.day))
            }
        }
        consider(asksSince?.advanced(byNanoseconds: BeaconSpots.asking))
        return earliest
    }
}
