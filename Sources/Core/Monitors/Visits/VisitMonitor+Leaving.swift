internal import SextantUnits

/// Follows a stay at a place with each new fix, and finds when the stay ends.
extension VisitMonitor {
    mutating func followStay(into events: inout [VisitEvent]) {
        if stay?.told == nil {
            refine()
        } else {
            weigh()
        }
        if leaves(), let newest = track.last {
            leave(confirmed: newest.instant, into: &events)
        } else {
            tellIfLongEnough(into: &events)
            foresee()
        }
    }

    /// Sets the time at which a stay ends if no more fixes come, because the last fixes show a rest elsewhere.
    private mutating func foresee() {
        stay?.leavesAt = nil
        guard let stay, stay.told != nil, let away = stay.away, let start = track.index(of: away),
            track.count - start >= VisitRules.longestJump, let base = restStart(), base >= start
        else { return }
        let deviation = track.medianDeviation(from: base)
        let reach = radius(deviation: deviation)
        let middle = track.median(from: base)
        guard isRest(from: base, about: middle, within: reach),
            !track.run(from: start, of: stay.middle, within: reach).isDrift
        else { return }
        self.stay?.leavesAt = track.samples[track.count - 1].instant.advanced(bySeconds: VisitRules.silence)
    }

    /// Drops a stay that was not reported yet, if the board was leaving the place when the fixes stopped.
    mutating func forgetIfLeft(before instant: MonotonicInstant) {
        guard let stay, stay.told == nil, stay.away != nil, let newest = track.last,
            instant.seconds(since: newest.instant) >= VisitRules.pause
        else { return }
        self.stay = nil
    }

    var reach: Double {
        guard let stay else { return 0 }
        if stay.isWide { return VisitRules.wideRadius }
        return min(
            max(stay.spread * VisitRules.radiusPerSpread, settings.placeRadius), VisitRules.widestRadius)
    }

    /// Updates a reported stay with the newest fix.
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

    /// Whether the fixes away from the place are enough to conclude that the board has left.
    private mutating func leaves() -> Bool {
        guard let stay, let away = stay.away, stay.returnCount == 0, let start = track.index(of: away) else {
            return false
        }
        let run = track.run(from: start, of: stay.middle, within: reach)
        if run.farCount >= 2 { return leavesFar(run, before: away.seconds(since: stay.lastInside)) }
        // The motion sensor says that the board is still, so its distance from the place is an error of the receiver.
        if let motion, !motion.isMoving, motion.since <= away { return false }
        if run.isPausing { return true }
        guard run.count >= VisitRules.longestJump else { return false }
        guard stay.told != nil else { return !run.isDrift }
        if run.isDrift { return run.seconds >= VisitRules.longestDrift }
        guard run.seconds >= 120 else { return false }
        if stay.isWide || restsElsewhere(since: start) { return true }
        guard run.seconds >= VisitRules.longestDoubt else { return false }
        guard run.farthest <= VisitRules.wideRadius else { return true }
        self.stay?.isWide = true
        self.stay?.away = nil
        self.stay?.lastInside = track.samples[track.count - 1].instant
        return false
    }

    /// Whether fixes farther from the place than a position jumps by error show that the board has left; just after a
    /// receiver's start even such fixes can be errors, so they must then last longer.
    ///
    /// - Parameter gap: Seconds without a fix before the first of the far fixes.
    private func leavesFar(_ run: AwayRun, before gap: Double) -> Bool {
        if run.firstDistance > VisitRules.fastest * max(gap, 1) {
            return run.count >= VisitRules.longestJump && run.seconds >= 180
        }
        if gap < VisitRules.pause || run.isMoving { return run.seconds >= min(gap, 20) }
        return run.seconds >= 180
    }

    /// Whether the fixes away from the place have come to a rest that is long enough to be a visit itself.
    private mutating func restsElsewhere(since start: Int) -> Bool {
        let newest = track.samples[track.count - 1]
        let shortest = min(settings.minimumStay, VisitRules.otherRest)
        var base = track.count - 1
        while base > start, newest.seconds(since: track.samples[base]) < shortest { base -= 1 }
        guard newest.seconds(since: track.samples[base]) >= shortest else { return false }
        let deviation = track.medianDeviation(from: base)
        let reach = radius(deviation: deviation)
        let middle = track.median(from: base)
        return isRest(from: base, about: middle, within: reach)
    }

    /// Ends the stay, and looks for the next stay among the fixes that came since.
    mutating func leave(confirmed: MonotonicInstant, into events: inout [VisitEvent]) {
        guard let away = stay?.away, let start = track.index(of: away) else { return }
        if let ending = stay, ending.told == nil { tellIfLongEnough(ending, firstAway: start, into: &events) }
        if let ending = stay, ending.told != nil {
            let departure = departure(from: ending, firstAway: start)
            tellDeparture(of: ending, at: departure, confirmed: confirmed, into: &events)
            lastDeparture = departure
            track.removeBefore(max(0, start - 1))
        }
        stay = nil
        settle(into: &events)
    }

    /// Reports the arrival of a stay that turns out only at its departure to have been long enough for a visit.
    private mutating func tellIfLongEnough(_ ending: Stay, firstAway start: Int, into events: inout [VisitEvent]) {
        let departure = departure(from: ending, firstAway: start)
        guard departure.seconds(since: ending.arrival) >= settings.minimumStay,
            track.run(from: start, of: ending.middle, within: reach).farCount >= 2 || isBeyondJump
        else { return }
        tellArrival(confirmed: track.samples[track.count - 1].instant, isSeen: true, into: &events)
    }

    /// When the board left the place: the time of the first fix clearly elsewhere, minus the travel time from the place
    /// to there.
    private func departure(from stay: Stay, firstAway start: Int) -> MonotonicInstant {
        let index = firstClearlyAway(from: stay, since: start)
        let first = track.samples[index]
        let distance = first.point.distance(to: stay.middle)
        var speed = speed(around: index, by: 1) ?? VisitRules.walk
        let before = index > 0 ? track.samples[index - 1] : first
        let wait = first.seconds(since: before)
        if wait >= VisitRules.pause {
            speed = max(speed, usualSpeed(distance))
        } else if wait > 0, wait <= VisitRules.dense {
            speed = max(speed, first.point.distance(to: before.point) / wait)
        }
        var left = firstSample(from: first.instant.advanced(bySeconds: -distance / speed), near: index)
        if wait >= VisitRules.dense, let motion, motion.isMoving, motion.since > before.instant,
            motion.since < first.instant
        {
            left = motion.since
        }
        let shortest = stay.told == nil ? 0 : settings.minimumStay
        let earliest = max(stay.lastInside.advanced(bySeconds: -60), stay.arrival.advanced(bySeconds: shortest))
        return min(max(left, earliest), max(first.instant, stay.lastInside))
    }

    /// The index of the first fix from which on all fixes are clearly away: farther from the place than 1.6 of its
    /// radii, or than 70 % of the newest fix's distance if that is less.
    private func firstClearlyAway(from stay: Stay, since start: Int) -> Int {
        let samples = track.samples
        let clear = min(1.6 * reach, 0.7 * samples[samples.count - 1].point.distance(to: stay.middle))
        var index = samples.count - 1
        while index > start, samples[index - 1].point.distance(to: stay.middle) > clear { index -= 1 }
        return index
    }

    /// The usual speed of travel, in metres per second, for a distance in metres: a walk's or a ride's.
    private func usualSpeed(_ distance: Double) -> Double {
        distance < VisitRules.longestWalk ? VisitRules.walk : VisitRules.ride
    }
}

extension Stay {
    /// Improves the place's middle and the spread of its fixes by a fix at the place.
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
    /// The number of fixes farther from the place than a receiver's position can jump by error.
    var farCount = 0
    /// Seconds from the first fix to the last, where each gap between fixes counts as 75 s at most.
    var seconds = 0.0
    /// Whether the fixes before and after a pause are at one and the same place outside the stay.
    var isPausing = false
    /// Metres from the place to the first of the fixes, and to the farthest of them (`farthest`).
    var firstDistance = 0.0
    var farthest = 0.0
    /// Whether the fixes look like a receiver's drift: most of the way in one sudden step, or all slower than any
    /// travel.
    var isDrift = false
    /// Whether the last fix is more than 60 m from the first.
    var isMoving = false
}

extension RecentTrack {
    /// - Parameter reach: The place's radius about its middle; metres.
    func run(from start: Int, of middle: LocalPoint, within reach: Double) -> AwayRun {
        var run = AwayRun()
        var (leap, fastest) = (0.0, 0.0)
        var before = 0.0
        for index in start..<count {
            run.count += 1
            let distance = samples[index].point.distance(to: middle)
            if index == start { run.firstDistance = distance }
            run.farthest = max(run.farthest, distance)
            if distance > VisitRules.farthestJump { run.farCount += 1 }
            defer { before = distance }
            guard index > 0 else { continue }
            let (step, seconds) = step(to: index)
            if seconds <= VisitRules.dense {
                fastest = max(fastest, step / seconds)
                if step > VisitRules.leapSpeed * seconds { leap = max(leap, step) }
            }
            guard index > start else { continue }
            run.seconds += min(seconds, VisitRules.dense)
            let isClear = min(before, distance) > 1.3 * reach && step <= VisitRules.otherPlace
            if seconds >= VisitRules.pause, isClear { run.isPausing = true }
        }
        run.isMoving = samples[count - 1].point.distance(to: samples[start].point) > 60
        run.isDrift = leap >= 0.6 * run.farthest || fastest < VisitRules.creepSpeed
        return run
    }

    /// Metres and seconds from the previous fix to the one at an index.
    private func step(to index: Int) -> (metres: Double, seconds: Double) {
        let (before, sample) = (samples[index - 1], samples[index])
        return (before.point.distance(to: sample.point), sample.seconds(since: before))
    }
}
