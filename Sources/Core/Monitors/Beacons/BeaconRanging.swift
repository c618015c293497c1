public import Beacons
public import SextantUnits

/// The beacons that are received, and how near each of them is, for a report once a second.
///
/// Two senders of one identity count as two beacons; a sender that changes its address counts as two until the old
/// address is dropped. At most 1024 senders are kept; a further one replaces the one that was received longest ago. A
/// report each second is Core Location's habit; the times of silence are our own.
public struct BeaconRanging: Sendable {
    private struct Sender {
        var distance: BeaconDistance
        /// The beacon as its last advertisement states it.
        var beacon: Beacon
        /// Whether any advertisement so far had both a received strength and a power at 1 m, so that a distance is
        /// known.
        var hasStrength = false
        /// The sum of the strengths in dBm received since the last report; `count` is the number of these strengths.
        var sum: Int64 = 0
        var count: Int64 = 0
        let firstHeard: MonotonicInstant
        var lastHeard: MonotonicInstant
        /// The sender's index in the table `keys`, by which the queue `ages` names the sender too.
        let number: Int32

        /// The distance in metres between the sender and the board; nil where it is not known.
        func metres(at instant: MonotonicInstant) -> Double? {
            isHeard(at: instant) && hasStrength && beacon.power != nil ? distance.metres : nil
        }

        func isHeard(at instant: MonotonicInstant) -> Bool { silence(at: instant) < BeaconRanging.lost }

        /// Whether the sender has been known for over 10 s, so that any earlier address of the same device has been
        /// dropped.
        func isSettled(at instant: MonotonicInstant) -> Bool {
            instant.nanoseconds(since: firstHeard) > BeaconRanging.gone
        }

        /// Nanoseconds since the sender's last advertisement.
        func silence(at instant: MonotonicInstant) -> Int64 { instant.nanoseconds(since: lastHeard) }
    }

    private struct Key: Hashable, Comparable {
        var identity: BeaconIdentity
        var address: SenderAddress

        static func < (left: Key, right: Key) -> Bool {
            left.identity != right.identity ? left.identity < right.identity : left.address < right.address
        }
    }

    private var senders: [Key: Sender] = [:]
    /// The identity and address of the sender at each index; nil where the index is free.
    private var keys: [Key?] = []
    private var vacant: [Int32] = []
    /// The indices of the senders, each with the time when it was last received, in nanoseconds since the daemon's
    /// start.
    private var ages = DueQueue()
    /// The telemetry, such as the battery's state, of each sender of Eddystone UIDs, by the sender's address; the value
    /// is nil where no telemetry has come yet.
    private var telemetry: [SenderAddress: BeaconTelemetry?] = [:]

    public static let maximumSenders = 1024
    /// A beacon's distance is unknown after `lost` nanoseconds without an advertisement; after `gone` nanoseconds the
    /// beacon is dropped.
    static let lost: Int64 = 2_000_000_000
    static let gone: Int64 = 10_000_000_000
    /// Nanoseconds without an advertisement after which a beacon counts as silent.
    static let silent: Int64 = 1_000_000_000

    /// Whether any of the beacons had been silent for 1 s at the last report.
    public private(set) var isOneSilent = false

    public init() {}

    public var count: Int { senders.count }

    /// Handles an advertisement.
    ///
    /// - Parameter strength: The received strength in dBm; nil where the Bluetooth controller gave none.
    /// - Returns: Metres between this sender and the board; nil where unknown.
    @discardableResult
    public mutating func heard(
        _ beacon: Beacon, from address: SenderAddress, strength: Int8?, isMoving: Bool, at instant: MonotonicInstant
    ) -> Double? {
        let key = Key(identity: beacon.identity, address: address)
        var sender =
            senders[key]
            ?? Sender(
                distance: BeaconDistance(at: instant), beacon: beacon, firstHeard: instant, lastHeard: instant,
                number: number(for: key))
        sender.beacon = beacon
        sender.lastHeard = instant
        if let strength {
            sender.sum += Int64(strength)
            sender.count += 1
            if let power = beacon.power {
                sender.hasStrength = true
                sender.distance.heard(strength: strength, power: power, isMoving: isMoving, at: instant)
            }
        }
        senders[key] = sender
        ages.set(sender.number, due: instant.nanoseconds)
        if beacon.format == .eddystoneUID, telemetry[address] == nil { telemetry[address] = .some(nil) }
        return sender.metres(at: instant)
    }

    /// Keeps a sender's telemetry, unless no Eddystone UID of this sender was received.
    public mutating func heard(_ new: BeaconTelemetry, from address: SenderAddress) {
        if telemetry[address] != nil { telemetry[address] = .some(new) }
    }

    /// An index in `keys` for a new sender; if the table is full, the sender that was received longest ago is dropped.
    private mutating func number(for key: Key) -> Int32 {
        if senders.count >= BeaconRanging.maximumSenders, let oldest = ages.popFirst(dueBy: .max) { forget(oldest) }
        let number = vacant.popLast() ?? Int32(clamping: keys.count)
        if Int(number) == keys.count { keys.append(key) } else { keys[Int(number)] = key }
        return number
    }

    private mutating func forget(_ number: Int32) {
        if let key = keys[Int(number)] {
            senders[key] = nil
            telemetry[key.address] = nil
        }
        keys[Int(number)] = nil
        vacant.append(number)
    }

    /// The beacons received in the last 10 s, the nearest first and those of unknown distance last.
    ///
    /// - Parameters:
    ///   - most: The largest number of beacons that are returned.
    ///   - constraint: Which beacons are wanted; nil for every beacon.
    public func nearest(
        _ most: Int, of constraint: BeaconConstraint? = nil, at instant: MonotonicInstant
    ) -> [RangedBeacon] {
        nearest(most, ofEach: [constraint], at: instant)[constraint] ?? []
    }

    /// The nearest beacons for each of several constraints, found in one pass over the senders.
    public func nearest(
        _ most: Int, ofEach constraints: Set<BeaconConstraint?>, at instant: MonotonicInstant
    ) -> [BeaconConstraint?: [RangedBeacon]] {
        // At most 128 of perhaps a thousand beacons are reported, so indices are sorted and not whole senders.
        var near: [BeaconConstraint?: [(metres: Double, index: Dictionary<Key, Sender>.Index)]] = [:]
        for index in senders.indices {
            let (key, sender) = senders[index]
            guard sender.silence(at: instant) < BeaconRanging.gone else { continue }
            let found = (metres: sender.metres(at: instant) ?? .infinity, index: index)
            if constraints.contains(nil) { near[nil, default: []].append(found) }
            let own = key.identity.constraints
            for number in own.indices where constraints.contains(own[number]) {
                near[own[number], default: []].append(found)
            }
        }
        return near.mapValues { found in
            // Equally near beacons are sorted by identity and address, so that the dictionary's order does not matter.
            let sorted = found.sorted {
                $0.metres != $1.metres ? $0.metres < $1.metres : senders[$0.index].key < senders[$1.index].key
            }
            let told = sorted.prefix(most).map { senders[$0.index] }
            var counts: [BeaconIdentity: Int] = [:]
            for (key, sender) in told where sender.isSettled(at: instant) { counts[key.identity, default: 0] += 1 }
            return told.map { ranged($0, senders: counts[$0.key.identity] ?? 1, at: instant) }
        }
    }

    /// Begins a new report period of one second: forgets the signal strengths of the period before, and the senders
    /// that have been silent for 10 s.
    public mutating func beginSecond(at instant: MonotonicInstant) {
        while let number = ages.popFirst(dueBy: instant.nanoseconds - BeaconRanging.gone) { forget(number) }
        isOneSilent = false
        for index in senders.indices {
            if senders.values[index].silence(at: instant) >= BeaconRanging.silent { isOneSilent = true }
            senders.values[index].sum = 0
            senders.values[index].count = 0
        }
    }

    private func ranged(
        _ entry: (key: Key, value: Sender), senders: Int, at instant: MonotonicInstant
    ) -> RangedBeacon {
        let sender = entry.value
        let isMeasured = sender.isHeard(at: instant) && sender.count > 0
        let metres = sender.metres(at: instant)
        var ranged = RangedBeacon(
            identity: entry.key.identity,
            strength: isMeasured ? Int((Double(sender.sum) / Double(sender.count)).rounded()) : 0,
            distance: metres, accuracy: metres.map { _ in sender.distance.accuracy },
            proximity: metres == nil ? .unknown : sender.distance.proximity, measuredPower: sender.beacon.measuredPower)
        ranged.calibratedPower = sender.beacon.calibratedPower
        ranged.silence = sender.silence(at: instant)
        ranged.senders = senders
        ranged.telemetry = telemetry[entry.key.address] ?? nil
        return ranged
    }
}

/// A beacon that is received, and how near it is.
public struct RangedBeacon: Sendable, Hashable {
    public var identity: BeaconIdentity
    /// The mean of the strengths received since the last report, in dBm; 0 if nothing was received.
    public var strength: Int
    /// Metres between the beacon and the board; nil where unknown.
    public var distance: Double?
    /// The radius about the beacon, in metres, that contains the board with a probability of 68 %; nil where unknown.
    public var accuracy: Double?
    public var proximity: BeaconProximity
    /// The strength at 1 m that the beacon itself states, in dBm; nil where the value is implausible.
    public var measuredPower: Int8?
    /// The beacon's strength at 1 m as this board receives it, in dBm, from which the distance is computed; nil where
    /// the stated strength is used instead.
    public var calibratedPower: Int8?
    /// Nanoseconds since the beacon's last advertisement.
    public var silence: Int64 = 0
    /// The number of senders that have used the beacon's identity for over 10 s; a sender that has just changed its
    /// address is not counted twice.
    public var senders = 1
    /// The beacon's telemetry, such as its battery's state; nil where it sends none.
    public var telemetry: BeaconTelemetry?
}
