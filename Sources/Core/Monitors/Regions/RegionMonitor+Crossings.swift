internal import SextantUnits

// MARK: Crossings

extension RegionMonitor {
    /// Checks one nearby border after the board's track has gone a step, from one position to the next.
    ///
    /// - Parameter before: Where the step began; nil where the track began anew.
    mutating func evaluate(
        _ index: Int, from before: RegionTrack.Sample?, to sample: RegionTrack.Sample, _ length: Double,
        _ motion: BorderMotion, into events: inout [RegionEvent]
    ) {
        var border = watched[index]
        let slot = Int(border.slot)
        guard let isInside = states[slot].isInside else { return }
        let offset = geometry.offset(of: sample.place, to: slot)
        let isBeyond = (offset.distance < 0) != isInside
        if let before {
            let last = border.step == step - 1 ? border.distance : geometry.offset(of: before.place, to: slot).distance
            trace(&border, slot, isInside, last, offset.distance, before, sample, length)
        } else {
            border.excursion = nil
        }
        states[slot].isBeyond = isBeyond
        border.crossing = isBeyond ? border.crossing ?? BorderCrossing(at: sample) : nil
        border.distance = offset.distance
        border.step = step
        if isBeyond {
            confirm(&border, slot, offset, motion, sample, into: &events)
        } else {
            border.confirmation.clear()
            close(&border, slot, offset, motion, sample, into: &events)
        }
        border.quietUntil = border.isPending ? -.infinity : way + abs(offset.distance)
        watched[index] = border
    }

    /// Handles a position beyond a border: reports the crossing once it is confirmed.
    private mutating func confirm(
        _ border: inout WatchedBorder, _ slot: Int, _ offset: BorderOffset, _ motion: BorderMotion,
        _ sample: RegionTrack.Sample, into events: inout [RegionEvent]
    ) {
        let isEntry = offset.distance < 0
        let needed = self.needed(slot, isEntry: isEntry, offset, motion)
        let isConfirmed = border.confirmation.add(
            abs(offset.distance), needed: needed.depth, isMoving: needed.isMoving, at: sample.nanoseconds)
        guard isConfirmed else { return }
        turn(slot, isEntry, at: border.crossing ?? BorderCrossing(at: sample), confirmed: sample, into: &events)
        border.confirmation.clear()
        border.crossing = nil
        border.excursion = nil
    }

    /// How many metres beyond a region's border confirm a crossing, and whether the board moves away from the border.
    func needed(
        _ slot: Int, isEntry: Bool, _ offset: BorderOffset, _ motion: BorderMotion
    ) -> (depth: Double, isMoving: Bool) {
        let sign: Double = isEntry ? -1 : 1
        let away = LocalPoint(east: sign * offset.outward.east, north: sign * offset.outward.north)
        var needed = motion.needed(along: away)
        if isEntry {
            needed.depth = ConfirmationRule.entryDepth(
                needed.depth, regionDepth: Double(geometry.balls[slot].depth),
                deviation: motion.deviation(along: away))
        } else if states[slot].isInside == true {
            needed.depth = max(needed.depth, Double(states[slot].cushion))
        }
        return needed
    }

    /// Sets whether the board is inside a region, and appends the event.
    mutating func turn(
        _ slot: Int, _ isInside: Bool, at crossing: BorderCrossing, confirmed: RegionTrack.Sample,
        into events: inout [RegionEvent]
    ) {
        let nanoseconds = min(max(crossing.nanoseconds, states[slot].since), confirmed.nanoseconds)
        states[slot].isInside = isInside
        states[slot].since = nanoseconds
        states[slot].hasDwelled = false
        states[slot].isBeyond = false
        events.append(
            RegionEvent(
                slot: RegionSlot(slot), kind: isInside ? .entered : .exited,
                crossing: MonotonicInstant(nanoseconds: nanoseconds),
                confirmed: MonotonicInstant(nanoseconds: confirmed.nanoseconds), latitude: crossing.latitude,
                longitude: crossing.longitude))
        if isInside { awaitDwell(of: slot) } else { forgetDwell(of: slot) }
    }
}

/// A search along one step of the board's track, for the point that is deepest beyond a border.
private struct DeepestSearch {
    var slot: Int
    /// 1 where the board counts as outside of the region, -1 where it counts as inside.
    ///
    /// A point's height is `sign` times its distance to the border (positive outside); so a point across the border
    /// from the board has a negative height.
    var sign: Double
    var from: RegionPlace
    var to: RegionPlace
    /// The length of the step in metres.
    var length: Double

    init(slot: Int, sign: Double, from: RegionPlace, to: RegionPlace, _ length: Double) {
        self.slot = slot
        self.sign = sign
        self.from = from
        self.to = to
        self.length = length
    }
}

// MARK: Ways across and back

extension RegionMonitor {
    /// Notes where a step of the board's track crossed a border, and where it crossed back.
    private func trace(
        _ border: inout WatchedBorder, _ slot: Int, _ isInside: Bool, _ last: Double, _ now: Double,
        _ before: RegionTrack.Sample, _ sample: RegionTrack.Sample, _ length: Double
    ) {
        let (wasBeyond, isBeyond) = ((last < 0) != isInside, (now < 0) != isInside)
        guard wasBeyond || isBeyond || abs(last) + abs(now) < length else { return }
        let deepest = deepest(slot, isInside, from: before, to: sample, last, now, length)
        guard (deepest.distance < 0) != isInside else { return }
        let (fraction, distance) = deepest
        if !wasBeyond {
            let out = crossing(slot, from: before, to: sample, 0, last, fraction, distance, length)
            if isBeyond { border.crossing = out }
            begin(&border, from: before, out: out, depth: abs(distance))
        } else if let depth = border.excursion?.depth {
            border.excursion?.depth = max(depth, abs(distance))
        }
        if isBeyond { border.excursion?.fixes += 1 }
        if !isBeyond, border.excursion != nil {
            border.excursion?.back = crossing(slot, from: before, to: sample, fraction, distance, 1, now, length)
        }
    }

    private func begin(
        _ border: inout WatchedBorder, from: RegionTrack.Sample, out: BorderCrossing, depth: Double
    ) {
        if var excursion = border.excursion, out.nanoseconds &- excursion.out.nanoseconds < RegionMonitor.longestPassing
        {
            excursion.depth = max(excursion.depth, depth)
            excursion.back = nil
            border.excursion = excursion
        } else {
            border.excursion = BorderExcursion(from: from, out: out, depth: depth, fixes: 0)
        }
    }

    /// The point where a step of the board's track crosses the border, by the Illinois method of false position.
    ///
    /// The point is sought between two fractions of the step, at which the step is on opposite sides of the border.
    private func crossing(
        _ slot: Int, from before: RegionTrack.Sample, to sample: RegionTrack.Sample, _ start: Double,
        _ startDistance: Double, _ end: Double, _ endDistance: Double, _ length: Double
    ) -> BorderCrossing {
        var (low, lowDistance, high, highDistance) = (start, startDistance, end, endDistance)
        var fraction = low + (high - low) * lowDistance / (lowDistance - highDistance)
        guard length * (end - start) > 2 else { return BorderCrossing(between: before, and: sample, at: fraction) }
        for _ in 0..<12 {
            let place = before.place.interpolated(to: sample.place, at: fraction)
            let distance = geometry.offset(of: place, to: slot).distance
            guard abs(distance) > 0.05 else { break }
            if (distance < 0) == (lowDistance < 0) {
                (low, lowDistance) = (fraction, distance)
                highDistance /= 2
            } else {
                (high, highDistance) = (fraction, distance)
                lowDistance /= 2
            }
            fraction = low + (high - low) * lowDistance / (lowDistance - highDistance)
        }
        return BorderCrossing(between: before, and: sample, at: fraction)
    }

    /// The point of a step of the board's track that lies deepest beyond a border, seen from the side where the board
    /// counts as being.
    private func deepest(
        _ slot: Int, _ isInside: Bool, from before: RegionTrack.Sample, to sample: RegionTrack.Sample, _ last: Double,
        _ now: Double, _ length: Double
    ) -> (fraction: Double, distance: Double) {
        let step = DeepestSearch(slot: slot, sign: isInside ? -1 : 1, from: before.place, to: sample.place, length)
        let (first, second) = (step.sign * last, step.sign * now)
        var best = first < second ? (fraction: 0.0, height: first) : (fraction: 1.0, height: second)
        search(step, 0, first, 1, second, &best)
        return (best.fraction, step.sign * best.height)
    }

    /// Searches a part of a step of the board's track for its deepest point beyond the border, by halving.
    ///
    /// A half that cannot contain a deeper point is left out.
    private func search(
        _ step: DeepestSearch, _ low: Double, _ lowHeight: Double, _ high: Double, _ highHeight: Double,
        _ best: inout (fraction: Double, height: Double)
    ) {
        let span = (high - low) * step.length
        // The search ends where no point of this part of the step can be deeper than the best one found: along a path,
        // the distance to the border changes by no more than the path's length.
        guard span > RegionMonitor.shortSpan, (lowHeight + highHeight - span) / 2 < min(0, best.height) else { return }
        let middle = (low + high) / 2
        let place = step.from.interpolated(to: step.to, at: middle)
        let height = step.sign * geometry.offset(of: place, to: step.slot).distance
        if height < best.height { best = (middle, height) }
        search(step, low, lowHeight, middle, height, &best)
        search(step, middle, height, high, highHeight, &best)
    }

    /// The length in metres below which a part of a step is not halved further.
    private static let shortSpan = 2.0
    /// The longest time in nanoseconds between a crossing and the return for which both are reported although no
    /// position beyond the border confirmed the crossing.
    private static let longestPassing: Int64 = 240_000_000_000
    /// For an unconfirmed crossing and return to be reported, the positions before and after them must be at least this
    /// far apart: in standard deviations (`passingDeviations`) and in metres (`passingWay`).
    private static let passingDeviations = 6.0
    private static let passingWay = 20.0
    /// For an unconfirmed crossing and return to be reported, the board's mean speed between the positions before and
    /// after them must be at least this; metres per second.
    private static let passingSpeed = 0.8
    /// For a crossing and return with several positions beyond the border to be reported, the board must have been this
    /// deep beyond it: this many standard deviations, or this share (`passingPart`) of the region's depth, whichever is
    /// less.
    private static let passingDepth = 1.5
    private static let passingPart = 0.2
    /// For a crossing and return with at most one position beyond the border to be reported, the board must have been
    /// this deep beyond it: this many metres for each metre between the points of crossing and return.
    ///
    /// This limit keeps a drive along a border from being reported as an exit and an entry.
    private static let passingSlope = 0.05

    /// Reports a crossing and the return as two events, once the board is certainly back on its old side.
    private mutating func close(
        _ border: inout WatchedBorder, _ slot: Int, _ offset: BorderOffset, _ motion: BorderMotion,
        _ sample: RegionTrack.Sample, into events: inout [RegionEvent]
    ) {
        guard let excursion = border.excursion, let back = excursion.back else { return }
        let isInside = offset.distance < 0
        let sign: Double = isInside ? -1 : 1
        let away = LocalPoint(east: sign * offset.outward.east, north: sign * offset.outward.north)
        let deviation = ConfirmationRule.effective(motion.deviation(along: away))
        guard abs(offset.distance) >= ConfirmationRule.movingDepth * deviation else {
            if sample.nanoseconds &- excursion.out.nanoseconds > RegionMonitor.longestPassing { border.excursion = nil }
            return
        }
        border.excursion = nil
        let nanoseconds = sample.nanoseconds &- excursion.from.nanoseconds
        let metres = (sample.place.vector - excursion.from.place.vector).length
        let least = min(
            RegionMonitor.passingDepth * deviation, RegionMonitor.passingPart * Double(geometry.balls[slot].depth))
        let slope = RegionMonitor.passingSlope * excursion.out.distance(to: back)
        let depth = max(excursion.fixes > 1 ? least : slope, isInside ? Double(states[slot].cushion) : 0)
        let isSure =
            metres >= max(RegionMonitor.passingWay, RegionMonitor.passingDeviations * deviation)
            && metres >= RegionMonitor.passingSpeed * Double(nanoseconds) / 1e9
            && nanoseconds <= RegionMonitor.longestPassing
            && excursion.depth >= depth
        guard isSure else { return }
        turn(slot, !isInside, at: excursion.out, confirmed: sample, into: &events)
        turn(slot, isInside, at: back, confirmed: sample, into: &events)
    }
}
