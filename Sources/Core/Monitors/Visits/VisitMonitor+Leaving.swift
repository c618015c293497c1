internal import Units

/// How a stay goes on, and how it ends.
extension VisitMonitor {
    mutating func followStay(into events: inout [VisitEvent]) {
        if stay?.told == nil {
            refine()
        } else {
            weigh()
        }
        if leaves() {
            leave(into: &events)
        } else {
            tellIfLongEnough(into: &events)
        }
    }

    var reach: Double {
        guard let stay else { return 0 }
        if stay.isWide { return VisitRules.wideRadius }
        return min(
            max(stay.spread * VisitRules.radiusPerSpread, settings.placeRadius), VisitRules.widestRadius)
    }

    /// Takes the newest fix into a stay that was told of.
    private mutating func weigh() {
        guard var stay, let sample = track.last else { return }
        let distance = sample.point.distance(to: stay.middle)
        let seconds = track.count > 1 ? sample.seconds(since: track.samples[track.count - 2]) : VisitRules.spacing
        if distance <= reach {
            stay.returnCount += 1
            let isBack = stay.away == nil || stay.returnCount >= 2 || distance < 0.6 * reach
            if isBack {
                stay.away = nil
                stay.lastInside = sample.instant
                stay.insideCount += 1
                stay.learn(sample.point, distance, over: min(seconds, 60))
            }
        } else if distance > reach + 2 * sample.deviation || stay.away != nil {
            stay.returnCount = 0
            stay.away = stay.away ?? sample.instant
        }
        self.stay = stay
    }

    /// Whether the fixes away from the place are enough to say that it was left.
    private func leaves() -> Bool {
        guard let stay, let away = stay.away, let start = track.index(of: away) else { return false }
        let run = track.run(from: start, of: stay.middle)
        let isTold = stay.told != nil
        if run.farCount >= 2 {
            let before = stay.lastInside
            let gap = away.seconds(since: before)
            let isLeap = track.samples[start].point.distance(to: stay.middle) > VisitRules.fastest * max(gap, 1)
            if isLeap { return run.count >= VisitRules.longestJump && run.seconds >= 180 }
            if gap < VisitRules.pause || run.isMoving { return run.seconds >= min(gap, 20) }
            return run.seconds >= 180
        }
        if isTold {
            if run.pause >= VisitRules.pause, run.count >= 2 { return true }
            guard run.count >= VisitRules.longestJump, run.seconds >= 120 else { return false }
            return true
        }
        return run.count >= VisitRules.longestJump
    }

    /// Ends the stay, and looks for the next among the fixes since.
    private mutating func leave(into events: inout [VisitEvent]) {
        guard var ending = stay, let away = ending.away, let start = track.index(of: away) else { return }
        let departure = departure(from: ending, firstAway: start)
        let isLong = departure.seconds(since: ending.arrival) >= settings.minimumStay
        let isFar = track.run(from: start, of: ending.middle).farCount >= 2
        if ending.told == nil, isLong, isFar || isBeyondJump {
            tellArrival(confirmed: track.samples[track.count - 1].instant, confidence: 0.8, into: &events)
            ending = stay ?? ending
        }
        if ending.told != nil {
            tellDeparture(of: ending, at: departure, confirmed: track.samples[track.count - 1].instant, into: &events)
        }
        stay = nil
        track.removeBefore(max(0, start - 1))
        settle(into: &events)
    }

    /// When one left: the way to the first fix elsewhere, at the speed of going away.
    private func departure(from stay: Stay, firstAway start: Int) -> MonotonicInstant {
        let first = track.samples[start]
        let speed = speed(around: start, by: 1) ?? 1.3
        let way = first.point.distance(to: stay.middle) / speed
        let earliest = stay.lastInside.advanced(bySeconds: -60)
        let left = firstSample(from: first.instant.advanced(bySeconds: -way), near: start)
        return max(left, max(earliest, stay.arrival))
    }
}

extension Stay {
    /// Learns the place's middle and how its fixes scatter.
    mutating func learn(_ point: LocalPoint, _ distance: Double, over seconds: Double) {
        weight = min(weight + seconds, 7200)
        let share = seconds / (weight + 120)
        middle.east += share * (point.east - middle.east)
        middle.north += share * (point.north - middle.north)
        let square = spread * spread
        spread = (square + share * (distance * distance / 2 - square)).squareRoot()
    }
}

/// The fixes away from a place.
struct AwayRun {
    var count = 0
    /// How many of them no jump reaches.
    var farCount = 0
    /// From the first to the last.
    var seconds = 0.0
    /// The longest time between two.
    var pause = 0.0
    /// Whether they go anywhere.
    var isMoving = false
}

extension RecentTrack {
    func run(from start: Int, of middle: LocalPoint) -> AwayRun {
        var run = AwayRun()
        for index in start..<count {
            run.count += 1
            if samples[index].point.distance(to: middle) > VisitRules.farthestJump { run.farCount += 1 }
            if index > start { run.pause = max(run.pause, samples[index].seconds(since: samples[index - 1])) }
        }
        run.seconds = samples[count - 1].seconds(since: samples[start])
        run.isMoving = samples[count - 1].point.distance(to: samples[start].point) > 60
        return run
    }
}
