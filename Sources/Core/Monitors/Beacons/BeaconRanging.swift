public import Beacons
public import Units

/// The beacons that are heard, and once a second how near each is.
///
/// Two senders of one identity are two beacons; a sender that changes its address is two until the old one is left out.
/// At most 1024 senders are kept; beyond them the one that was heard longest ago goes.
/// Source of the times: `../shared/spec/beacons.md` 1 and 4.4.
public struct BeaconRanging: Sendable {
    private struct Sender {
        var beacon: Beacon
        var distance: BeaconDistance
        var lastHeard: MonotonicInstant
        /// Strengths in dBm since the last report.
        var sum = 0
        var count = 0
        /// Whether any advertisement had a strength.
        var hasStrength = false
    }

    private struct Key: Hashable {
        var identity: BeaconIdentity
        var address: SenderAddress
    }

    private var senders: [Key: Sender] = [:]

    public static let maximumSenders = 1024
    /// Nanoseconds without an advertisement after which nothing is known of a beacon, and after which it is left out.
    static let lost: Int64 = 2_000_000_000
    static let gone: Int64 = 10_000_000_000

    public init() {}

    public var count: Int { senders.count }

    /// Takes an advertisement.
    ///
    /// - Parameter strength: As heard, in dBm; nil where the controller gave none.
    public mutating func heard(
        _ beacon: Beacon, from address: SenderAddress, strength: Int8?, isMoving: Bool, at instant: MonotonicInstant
    ) {
        let key = Key(identity: beacon.identity, address: address)
        if senders[key] == nil { makeRoom() }
        var sender =
            senders[key] ?? Sender(beacon: beacon, distance: BeaconDistance(at: instant), lastHeard: instant)
        sender.beacon = beacon
        sender.lastHeard = instant
        if let strength {
            sender.sum += Int(strength)
            sender.count += 1
            if let power = beacon.measuredPower {
                sender.hasStrength = true
                sender.distance.heard(strength: strength, power: power, isMoving: isMoving, at: instant)
            }
        }
        senders[key] = sender
    }

    private mutating func makeRoom() {
        guard senders.count >= BeaconRanging.maximumSenders else { return }
        guard let oldest = senders.min(by: { $0.value.lastHeard < $1.value.lastHeard })?.key else { return }
        senders[oldest] = nil
    }

    /// Every beacon of the last 10 s, the nearest first and those of unknown distance last; begins the next second.
    public mutating func report(at instant: MonotonicInstant) -> [RangedBeacon] {
        senders = senders.filter { instant.nanoseconds(since: $0.value.lastHeard) < BeaconRanging.gone }
        let ranged = senders.values.map { BeaconRanging.ranged($0, at: instant) }
        for key in senders.keys {
            senders[key]?.sum = 0
            senders[key]?.count = 0
        }
        return ranged.sorted { left, right in
            let (near, far) = (left.distance ?? .infinity, right.distance ?? .infinity)
            return near != far ? near < far : left.order.lexicographicallyPrecedes(right.order)
        }
    }

    private static func ranged(_ sender: Sender, at instant: MonotonicInstant) -> RangedBeacon {
        let isHeard = instant.nanoseconds(since: sender.lastHeard) < lost
        let isKnown = isHeard && sender.hasStrength && sender.beacon.measuredPower != nil
        let mean = sender.count > 0 ? (Double(sender.sum) / Double(sender.count)).rounded() : 0
        return RangedBeacon(
            identity: sender.beacon.identity, strength: isHeard ? Int(mean) : 0,
            distance: isKnown ? sender.distance.metres : nil, accuracy: isKnown ? sender.distance.accuracy : nil,
            proximity: isKnown ? sender.distance.proximity : .unknown,
            measuredPower: sender.beacon.measuredPower)
    }
}

/// How near a beacon is.
public struct RangedBeacon: Sendable, Hashable {
    public var identity: BeaconIdentity
    /// The mean of the strengths since the last report in dBm; 0 where there is none.
    public var strength: Int
    /// Metres between the beacon and the board; nil where unknown.
    public var distance: Double?
    /// Metres: the radius about the beacon that holds the board with 68 %; nil where unknown.
    public var accuracy: Double?
    public var proximity: BeaconProximity
    /// What the beacon states of its strength at 1 m, in dBm; nil where that cannot be true.
    public var measuredPower: Int8?

    /// Equally near beacons have an order too, so that a report does not depend on how a table is kept.
    fileprivate var order: [String] { [identity.description, String(strength)] }
}
