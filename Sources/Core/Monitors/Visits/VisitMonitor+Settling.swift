internal import SextantUnits

/// How a stay begins.
extension VisitMonitor {
    /// Begins a stay if the newest fixes show a rest, or a walk about within one place.
    mutating func settle(into events: inout [VisitEvent]) {
        guard let base = restStart() else { return }
        let last = track.samples[track.count - 1]
        let isPause = base == track.count - 2 && last.seconds(since: track.samples[base]) >= VisitRules.pause
        let middle = track.median(from: base)
        let deviation = track.medianDeviation(from: base)
        let reach = radius(deviation: deviation)
        guard isPause ? isOnePlaceAroundPause(base) : isRest(from: base, about: middle, within: reach) else {
            return settleWidely(into: &events)
        }
        stay = Stay(
            middle: middle, spread: reach / VisitRules.radiusPerSpread, weight: 0, arrival: last.instant,
            isArrivalKnown: true, firstInside: track.samples[base].instant, lastInside: last.instant, insideCount: 0)
        generation &+= 1
        refine()
        tellIfLongEnough(into: &events)
    }

    /// Begins a stay if the board has been about the same place for long without a rest.
    private mutating func settleWidely(into events: inout [VisitEvent]) {
        let newest = track.samples[track.count - 1]
        var base = track.count - 1
        while base > 0, track.samples[base].seconds(since: track.samples[base - 1]) < VisitRules.pause,
            track.samples[base - 1].point.distance(to: newest.point) <= 2 * VisitRules.wideRadius
        {
            base -= 1
        }
        guard newest.seconds(since: track.samples[base]) >= VisitRules.wideStay else { return }
        let middle = track.median(from: base)
        while base < track.count, track.samples[base].point.distance(to: middle) > VisitRules.wideRadius { base += 1 }
        let samples = track.samples
        guard base < samples.count, newest.seconds(since: samples[base]) >= VisitRules.wideStay,
            track.count(from: base, beyond: VisitRules.wideRadius, of: middle) <= VisitRules.longestJump,
            track.mean(base..<half(from: base)).distance(to: track.mean(half(from: base)..<samples.count))
                <= VisitRules.wideDrift
        else { return }
        stay = Stay(
            middle: middle, spread: VisitRules.wideRadius / VisitRules.radiusPerSpread,
            weight: newest.seconds(since: samples[base]), arrival: samples[base].instant,
            isArrivalKnown: base > 0 || track.isCut, firstInside: samples[base].instant, lastInside: newest.instant,
            insideCount: Int64(samples.count - base), isWide: true)
        stay?.arrival = max(samples[base].instant, lastDeparture ?? samples[base].instant)
        tellArrival(confirmed: newest.instant, isSeen: true, into: &events)
    }

    /// The index of the latest fix that is older than the newest one by at least the shortest rest; nil where there is
    /// none, or where the fixes between them have too long a pause for one stay.
    func restStart() -> Int? {
        let samples = track.samples
        var index = samples.count - 2
        while index >= 0 {
            let span = samples[samples.count - 1].seconds(since: samples[index])
            if span > VisitRules.longestPause { return nil }
            if span >= VisitRules.minimumRest { return index }
            index -= 1
        }
        return nil
    }

    private func isOnePlaceAroundPause(_ base: Int) -> Bool {
        let (first, last) = (track.samples[base], track.samples[base + 1])
        let distance = first.point.distance(to: last.point)
        // After the last fix before the pause, the board may have travelled on for about the time between two fixes;
        // that distance is allowed in addition.
        let before = base > 0 ? first.seconds(since: track.samples[base - 1]) : 0
        let way = before <= VisitRules.dense ? 1.5 * before * (speed(around: base, by: -1) ?? 0) : 0
        return distance <= min(VisitRules.pauseRadius + way, VisitRules.farthestJump)
            && last.seconds(since: first) - distance / VisitRules.walk >= VisitRules.pause
    }

    /// Whether the fixes from an index to the newest lie together and show no travel.
    func isRest(from base: Int, about middle: LocalPoint, within reach: Double) -> Bool {
        let samples = track.samples
        guard track.count(from: base, beyond: reach, of: middle) * 4 <= samples.count - base else { return false }
        // On average, half of the whole time passes between the mean positions of the two halves of the fixes; from
        // this the speed follows.
        let half = half(from: base)
        let way = track.mean(base..<half).distance(to: track.mean(half..<samples.count))
        let span = samples[samples.count - 1].seconds(since: samples[base])
        let time = samples.count - base == 2 ? span : span / 2
        return way <= VisitRules.restSpeed * time + 0.4 * reach / VisitRules.radiusPerSpread
    }

    private func half(from base: Int) -> Int { base + (track.count - base) / 2 }

    /// The radius of a place in metres, from the standard deviation that its fixes state, also in metres.
    func radius(deviation: Double) -> Double {
        let wanted = VisitRules.radiusPerSpread * VisitRules.claimFactor * deviation
        return min(max(wanted, settings.placeRadius), VisitRules.widestRadius)
    }

    /// Computes again, from all fixes of a stay that is not reported yet, the stay's middle and arrival.
    mutating func refine() {
        guard var stay, let start = track.index(of: stay.firstInside) else { return }
        stay.middle = track.median(from: start)
        let deviation = track.medianDeviation(from: start)
        var reach = radius(deviation: deviation)
        if track.count - start == 2 {
            reach = max(reach, 1.1 * stay.middle.distance(to: track.samples[start].point))
        }
        stay.spread = reach / VisitRules.radiusPerSpread
        let first = firstInside(of: stay.middle, within: reach, from: start)
        summarize(&stay, from: first, within: reach)
        (stay.arrival, stay.isArrivalKnown) = arrival(at: stay.middle, firstInside: first)
        self.stay = stay
    }

    /// The index of the first fix at a place, found by going back from the newest fix; absences no longer than a
    /// receiver's error jump are passed over.
    private func firstInside(of middle: LocalPoint, within reach: Double, from start: Int) -> Int {
        let samples = track.samples
        var first = start
        var skipped = 0
        for index in stride(from: samples.count - 1, through: 0, by: -1) {
            let distance = samples[index].point.distance(to: middle)
            if index + 1 < samples.count, samples[index + 1].seconds(since: samples[index]) > VisitRules.longestPause {
                break
            }
            if distance <= reach {
                first = index
                skipped = 0
            } else {
                skipped += 1
                if index < start, skipped >= VisitRules.longestJump || distance > VisitRules.farthestJump { break }
            }
        }
        return first
    }

    private func summarize(_ stay: inout Stay, from first: Int, within reach: Double) {
        let samples = track.samples
        stay.firstInside = samples[first].instant
        stay.lastInside = samples[first].instant
        stay.insideCount = 0
        stay.away = nil
        stay.weight = 0
        for index in first..<samples.count {
            if samples[index].point.distance(to: stay.middle) <= reach {
                stay.insideCount += 1
                stay.lastInside = samples[index].instant
                stay.away = nil
                if index > first { stay.weight += min(samples[index].seconds(since: samples[index - 1]), 60) }
            } else if stay.away == nil {
                stay.away = samples[index].instant
            }
        }
    }

    /// When the board came to a place: the time of the last fix elsewhere, plus the travel time from there at the speed
    /// of the fixes before.
    private func arrival(at middle: LocalPoint, firstInside first: Int) -> (MonotonicInstant, isKnown: Bool) {
        let samples = track.samples
        let earliest = lastDeparture ?? samples[first].instant
        guard first > 0 else { return (max(samples[first].instant, earliest), track.isCut) }
        let outside = samples[first - 1]
        guard samples[first].seconds(since: outside) <= VisitRules.longestPause else {
            return (max(samples[first].instant, earliest), true)
        }
        var speed = speed(around: first - 1, by: -1) ?? VisitRules.walk
        let step = samples[first].seconds(since: outside)
        if step <= VisitRules.dense { speed = max(speed, outside.point.distance(to: samples[first].point) / step) }
        let left = outside.point.distance(to: middle) / speed
        let inside = samples[first].seconds(since: outside) + samples[first].point.distance(to: middle) / speed
        let came = firstSample(from: outside.instant.advanced(bySeconds: min(left, inside)), near: first)
        return (max(came, lastDeparture ?? came), true)
    }

    /// The time of the first fix at an instant or after it, if that fix comes within 75 s; otherwise the instant
    /// itself.
    func firstSample(from instant: MonotonicInstant, near index: Int) -> MonotonicInstant {
        let samples = track.samples
        var index = index
        while index > 0, samples[index - 1].instant >= instant { index -= 1 }
        while index < samples.count - 1, samples[index].instant < instant { index += 1 }
        let wait = samples[index].instant.seconds(since: instant)
        return wait >= 0 && wait <= VisitRules.dense ? samples[index].instant : instant
    }

    /// The speed in metres per second from fixes before (`step` -1) or after (`step` 1) a fix; nil where there are
    /// none.
    func speed(around index: Int, by step: Int) -> Double? {
        let samples = track.samples
        var other = index + step
        var best: Double?
        while samples.indices.contains(other) {
            let seconds = abs(samples[other].seconds(since: samples[index]))
            guard seconds <= 90 || best == nil, seconds <= VisitRules.pause else { break }
            best = samples[index].point.distance(to: samples[other].point) / max(seconds, 1)
            if seconds >= 25 { break }
            other += step
        }
        return best.map { min(max($0, 0.8), 40) }
    }
}
