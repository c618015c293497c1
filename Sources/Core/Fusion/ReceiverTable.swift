internal import SextantUnits

/// What the filter keeps about one receiver: its learned accuracy and its last fix.
struct ReceiverSlot: Sendable {
    let receiver: UInt8?
    var accuracy = ReceiverAccuracy()
    private(set) var last: MonotonicInstant?
    private var latitude = 0.0
    private var longitude = 0.0

    init(receiver: UInt8? = nil) { self.receiver = receiver }

    func isRepeated(_ fix: FilterFix, at instant: MonotonicInstant) -> Bool {
        last == instant && latitude == fix.latitude && longitude == fix.longitude
    }

    /// Why this fix is refused because of the same receiver's last fix; nil where this fix can be used.
    func refusal(of fix: FilterFix, at instant: MonotonicInstant) -> FixRefusal? {
        guard let last else { return nil }
        if last == instant { return .duplicate }
        let interval = instant.nanoseconds(since: last)
        return abs(interval) < ReceiverSlot.least ? .tooSoon : nil
    }

    /// Seconds since the receiver's last fix, at most 60; 60 where there is none.
    func pace(at instant: MonotonicInstant) -> Double {
        guard let last else { return 60 }
        let (interval, overflow) = instant.nanoseconds.subtractingReportingOverflow(last.nanoseconds)
        return overflow ? 60 : min(60, abs(Double(interval)) / 1e9)
    }

    mutating func note(_ fix: FilterFix, at instant: MonotonicInstant) {
        last = instant
        latitude = fix.latitude
        longitude = fix.longitude
    }

    /// The smallest accepted interval between two fixes of a receiver, in nanoseconds; receivers measure at most 25
    /// times a second, so 40 ms apart.
    private static let least: Int64 = 30_000_000
}

/// The receivers that have given fixes, at most four; a fifth replaces the one that has been silent for the longest
/// time.
struct ReceiverTable: Sendable {
    /// What is kept about up to four receivers; callers change an element in place, because it is large.
    ///
    /// An array and not an inline array, because the filter is copied, and a copied array copies its elements only when
    /// one changes.
    var slots = [ReceiverSlot](repeating: ReceiverSlot(), count: 4)
    /// The index in `slots` of the receiver whose slow error (the part that lasts for minutes) the estimate models.
    private var leader = 0

    /// The receivers that have given fixes.
    var known: [ReceiverSlot] { slots.filter { $0.receiver != nil } }

    /// The index in `slots` of a receiver; an unknown receiver replaces the one that has been silent for the longest
    /// time.
    mutating func slot(of receiver: UInt8) -> Int {
        var oldest = 0
        for index in slots.indices {
            if slots[index].receiver == receiver { return index }
            if lastHeard(index) < lastHeard(oldest) { oldest = index }
        }
        slots[oldest] = ReceiverSlot(receiver: receiver)
        return oldest
    }

    /// Whether this is the receiver whose slow error (the part that lasts for minutes) the estimate models.
    ///
    /// It is the first receiver; another one takes its place when the modelled receiver has given no fix for 10 s.
    mutating func isLone(_ slot: Int, at instant: MonotonicInstant) -> Bool {
        guard slot != leader else { return true }
        guard slots[leader].receiver == nil || slots[leader].pace(at: instant) > 10 else { return false }
        leader = slot
        return true
    }

    /// Forgets the positions of the last fixes, because they are in a tangent plane that is no longer used.
    mutating func forgetPlaces() {
        for index in slots.indices { slots[index].accuracy.forgetPlaces() }
    }

    /// When a receiver last gave a fix, in nanoseconds since boot; the smallest number for an empty slot, and the
    /// second smallest for a receiver that has given no fix since the daemon's start.
    private func lastHeard(_ slot: Int) -> Int64 {
        guard slots[slot].receiver != nil else { return .min }
        return slots[slot].last?.nanoseconds ?? .min + 1
    }
}
