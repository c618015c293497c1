public import SextantUnits

// MARK: States that are not known

extension RegionMonitor {
    /// Checks the regions for which no fix since the start has shown whether the board is inside.
    mutating func settle(_ sample: RegionTrack.Sample, _ motion: BorderMotion, into events: inout [RegionEvent]) {
        var kept = 0
        for index in unsettled.indices {
            var region = unsettled[index]
            guard states[Int(region.slot)].isUnsettled else { continue }
            if settle(&region, sample, motion, into: &events) { continue }
            unsettled[kept] = region
            kept += 1
        }
        unsettled.removeSubrange(kept...)
        if unsettled.isEmpty { unsettled = [] }
    }

    /// - Returns: Whether this position settles on which side of the region's border the board is.
    private mutating func settle(
        _ region: inout UnsettledRegion, _ sample: RegionTrack.Sample, _ motion: BorderMotion,
        into events: inout [RegionEvent]
    ) -> Bool {
        let slot = Int(region.slot)
        let offset = geometry.offset(of: sample.place, to: slot)
        let isInside = offset.distance < 0
        if states[slot].isInside != isInside {
            if region.isInside != isInside { region.confirmation.clear() }
            region.isInside = isInside
            let needed = self.needed(slot, isEntry: isInside, offset, motion)
            let isConfirmed = region.confirmation.add(
                abs(offset.distance), needed: needed.depth, isMoving: needed.isMoving, at: sample.nanoseconds)
            if region.confirmation.isFirst { region.firstSeen = BorderCrossing(at: sample).nanoseconds }
            guard isConfirmed else { return false }
            determine(slot, isInside, region, sample, into: &events)
        }
        states[slot].isUnsettled = false
        unsettledCount -= 1
        if abs(offset.distance) <= need + RegionMonitor.minimumHorizon {
            states[slot].isWatched = true
            watched.append(WatchedBorder(slot: region.slot))
        } else {
            horizon = min(horizon, way + abs(offset.distance))
            renewal = min(renewal, horizon - RegionMonitor.minimumHorizon / 2)
        }
        return true
    }

    private static var minimumHorizon: Double { 200 }

    private mutating func determine(
        _ slot: Int, _ isInside: Bool, _ region: UnsettledRegion, _ sample: RegionTrack.Sample,
        into events: inout [RegionEvent]
    ) {
        var crossing = BorderCrossing(at: sample)
        crossing.nanoseconds = region.firstSeen
        guard states[slot].isInside == nil else {
            turn(slot, isInside, at: crossing, confirmed: sample, into: &events)
            return events[events.count - 1].wasFollowed = false
        }
        states[slot].isInside = isInside
        states[slot].since = crossing.nanoseconds
        events.append(
            RegionEvent(
                slot: RegionSlot(slot), kind: .determined(isInside: isInside),
                crossing: MonotonicInstant(nanoseconds: crossing.nanoseconds),
                confirmed: MonotonicInstant(nanoseconds: sample.nanoseconds), latitude: sample.place.latitude,
                longitude: sample.place.longitude))
        if isInside { awaitDwell(of: slot) }
    }
}

// MARK: Dwell

extension RegionMonitor {
    /// The instant at which the first dwell is complete, if the board stays where it is; nil where no dwell time is
    /// running.
    public var deadline: MonotonicInstant? {
        var earliest: MonotonicInstant?
        for slot in dwelling {
            guard let deadline = deadline(of: Int(slot)) else { continue }
            earliest = min(earliest ?? deadline, deadline)
        }
        return earliest
    }

    /// Reports the dwells that are complete by `instant`.
    public mutating func advance(to instant: MonotonicInstant, into events: inout [RegionEvent]) {
        guard !dwelling.isEmpty, let last = track.last else { return }
        var kept = 0
        for index in dwelling.indices {
            let slot = Int(dwelling[index])
            if let deadline = deadline(of: slot), deadline <= instant {
                states[slot].hasDwelled = true
                events.append(
                    RegionEvent(
                        slot: RegionSlot(slot), kind: .dwelled, crossing: deadline, confirmed: instant,
                        latitude: last.place.latitude, longitude: last.place.longitude))
            } else {
                dwelling[kept] = dwelling[index]
                kept += 1
            }
        }
        dwelling.removeSubrange(kept...)
    }

    /// When the dwell in a region is complete; nil while the board seems to have left, or no fix has shown that it is
    /// inside.
    private func deadline(of slot: Int) -> MonotonicInstant? {
        let state = states[slot]
        guard let dwell = state.dwell, state.isInside == true, !state.isUnsettled, !state.isBeyond else {
            return nil
        }
        return MonotonicInstant(nanoseconds: state.since).advanced(bySeconds: dwell)
    }

    mutating func awaitDwell(of slot: Int) {
        guard states[slot].dwell != nil, !states[slot].hasDwelled else { return }
        dwelling.append(Int32(truncatingIfNeeded: slot))
    }

    mutating func forgetDwell(of slot: Int) {
        guard states[slot].dwell != nil else { return }
        for index in dwelling.indices where Int(dwelling[index]) == slot {
            dwelling.swapAt(index, dwelling.count - 1)
            dwelling.removeLast()
            return
        }
    }
}
