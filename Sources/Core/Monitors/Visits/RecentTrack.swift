internal import SextantUnits

/// One fix of the recent past.
struct TrackSample: Sendable, Equatable {
    var instant: MonotonicInstant
    /// The position on the flat map of recent fixes; metres.
    var point: LocalPoint
    /// The standard deviation on either axis, computed from the fix's accuracy; metres.
    var deviation: Double

    func seconds(since earlier: TrackSample) -> Double { instant.seconds(since: earlier.instant) }
}

/// The most recent fixes on a flat map; their number is bounded, and their memory is reserved once.
struct RecentTrack: Sendable {
    /// The largest number of fixes kept; the oldest quarter is dropped at a time, so with a fix every 5 s at least the
    /// last 16 minutes are kept.
    static let capacity = 256
    /// Metres from the map's origin beyond which a new map is begun, so that the map stays accurate to 5 cm.
    private static let reach = 10_000.0

    private(set) var frame = LocalFrame(latitude: 0, longitude: 0)
    private(set) var samples: [TrackSample] = []
    /// Whether older fixes were dropped.
    private(set) var isCut = false
    private var scratch = [Double](repeating: 0, count: RecentTrack.capacity)

    init() {
        samples.reserveCapacity(RecentTrack.capacity)
    }

    var count: Int { samples.count }
    var last: TrackSample? { samples.isEmpty ? nil : samples[samples.count - 1] }

    /// Adds a fix.
    ///
    /// - Returns: The coordinate frame of the former map, if a new map was begun for the fix; otherwise nil.
    mutating func append(
        latitude: Double, longitude: Double, deviation: Double, at instant: MonotonicInstant
    ) -> LocalFrame? {
        let old = prepare(latitude: latitude, longitude: longitude)
        if samples.count == RecentTrack.capacity {
            samples.removeFirst(RecentTrack.capacity / 4)
            isCut = true
        }
        let point = frame.point(latitude: latitude, longitude: longitude)
        samples.append(TrackSample(instant: instant, point: point, deviation: deviation))
        return old
    }

    mutating func removeBefore(_ index: Int) {
        guard index > 0 else { return }
        samples.removeFirst(index)
        isCut = true
    }

    mutating func removeAll() {
        samples.removeAll(keepingCapacity: true)
        isCut = true
    }

    /// The index of the first fix at an instant or after it; nil where there is none.
    func index(of instant: MonotonicInstant) -> Int? {
        let index = samples.partitioningIndex { $0.instant >= instant }
        return index < samples.count ? index : nil
    }

    /// The number of fixes, from an index to the newest, that are farther than `metres` from a point.
    func count(from start: Int, beyond metres: Double, of point: LocalPoint) -> Int {
        var count = 0
        for index in start..<samples.count where samples[index].point.distance(to: point) > metres { count += 1 }
        return count
    }

    func mean(_ range: Range<Int>) -> LocalPoint {
        var sum = LocalPoint(east: 0, north: 0)
        for index in range {
            sum.east += samples[index].point.east
            sum.north += samples[index].point.north
        }
        return LocalPoint(east: sum.east / Double(range.count), north: sum.north / Double(range.count))
    }

    mutating func markCut() { isCut = true }

    /// Begins a new map where needed, and returns the coordinate frame of the former map; nil where the map stays.
    private mutating func prepare(latitude: Double, longitude: Double) -> LocalFrame? {
        let point = frame.point(latitude: latitude, longitude: longitude)
        guard samples.isEmpty || max(abs(point.east), abs(point.north)) > RecentTrack.reach else { return nil }
        let old = frame
        frame = LocalFrame(latitude: latitude, longitude: longitude)
        for index in samples.indices {
            samples[index].point = frame.point(old.coordinate(of: samples[index].point))
        }
        return old
    }

    /// The median position, on each axis by itself, of the fixes from an index to the newest.
    mutating func median(from start: Int) -> LocalPoint {
        LocalPoint(east: median(from: start) { $0.point.east }, north: median(from: start) { $0.point.north })
    }

    mutating func medianDeviation(from start: Int) -> Double { median(from: start) { $0.deviation } }

    private mutating func median(from start: Int, of value: (TrackSample) -> Double) -> Double {
        let count = samples.count - start
        for index in 0..<count { scratch[index] = value(samples[start + index]) }
        let half = count / 2
        let upper = scratch.rankedValue(half, of: count)
        guard count % 2 == 0 else { return upper }
        // The median of an even number of values is the mean of the two middle ones. The lower one is the largest of
        // the smaller values, which `rankedValue` has moved before index `half`.
        var lower = scratch[0]
        for index in 0..<half where scratch[index] > lower { lower = scratch[index] }
        return (lower + upper) / 2
    }
}

extension [Double] {
    /// The value that has this rank among the first `count` values; the smallest has rank 0.
    ///
    /// The value is moved to the index of its rank, and smaller values before it. Unlike sorting, this needs no memory.
    /// Source: C. A. R. Hoare, "Algorithm 65: find", CACM 4 (1961).
    fileprivate mutating func rankedValue(_ rank: Int, of count: Int) -> Double {
        var (low, high) = (0, count - 1)
        while low < high {
            let pivot = self[rank]
            var (left, right) = (low, high)
            while left <= right {
                while self[left] < pivot { left += 1 }
                while pivot < self[right] { right -= 1 }
                guard left <= right else { break }
                (self[left], self[right]) = (self[right], self[left])
                left += 1
                right -= 1
            }
            if right < rank { low = left }
            if rank < left { high = right }
        }
        return self[rank]
    }
}

extension LocalFrame {
    func point(_ coordinate: (latitude: Double, longitude: Double)) -> LocalPoint {
        point(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
}
