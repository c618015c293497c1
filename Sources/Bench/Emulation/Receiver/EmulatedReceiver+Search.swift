import Glibc
import Receivers
import SextantUnits

/// The nanoseconds in which GPS sends one frame of its navigation message, which contains the ephemerides and must be
/// received whole.
///
/// Source: IS-GPS-200, section 20.3.2.
private let frame: Int64 = 30_000_000_000
/// The nanoseconds of continuous tracking after which cyclic tracking begins.
private let settlingBeforeSaving: Int64 = 10_000_000_000
/// The seconds by which a wrong time from the host lengthens a search for satellites.
private let misledPenalty = 30.0

extension EmulatedReceiver {
    /// Handles every event that is due now.
    mutating func handleEvents() {
        if deadlines.backup <= now { checkBackup() }
        if deadlines.wake <= now {
            deadlines.wake = .max
            wake()
        }
        if deadlines.sleep <= now {
            deadlines.sleep = .max
            sleep()
        }
        if deadlines.boot <= now { finishBoot() }
        if deadlines.sky <= now { skyChanged() }
        if deadlines.loss <= now { loseFix() }
        if deadlines.fix <= now { foundFix() }
        if deadlines.optimized <= now {
            deadlines.optimized = .max
            isOptimized = true
            draw = powerDraw.cyclic ?? powerDraw.tracking
        }
        if deadlines.epoch <= now { runEpoch() }
    }

    private mutating func finishBoot() {
        deadlines.boot = .max
        sendBanner()
        startGNSS()
        scheduleEpoch()
    }

    mutating func startGNSS() {
        scheduleSky()
        beginSearch()
    }

    mutating func stopGNSS() {
        leaveTracking()
        phase = .stopped
        // With GNSS stopped the receiver draws a third of the power of tracking: the radio and the correlators rest,
        // and only the processor runs.
        draw = powerDraw.tracking / 3
        deadlines.sky = .max
        deadlines.fix = .max
        deadlines.loss = .max
        deadlines.optimized = .max
    }

    mutating func beginSearch() {
        phase = .searching
        draw = powerDraw.acquiring
        deadlines.loss = .max
        deadlines.optimized = .max
        isOptimized = false
        renewSearch()
        scheduleFix()
        startPowerSave()
    }

    private mutating func renewSearch() {
        search = SatelliteSearch(since: now, random: &random, isEven: options.searchesTakeMedian)
    }

    /// Schedules the end of the running search with a fix; schedules none while the sky is hidden.
    private mutating func scheduleFix() {
        search.kind = kindOfStart
        guard !mask.contains(utc(now)) else {
            deadlines.fix = .max
            return
        }
        deadlines.fix = now + Int64(searchSeconds(search.kind) * 1e9)
    }

    /// Reschedules a running search after assistance from the host: assistance can shorten a search, but a wrong time
    /// lengthens it.
    mutating func reconsiderSearch() {
        guard phase == .searching, kindOfStart != search.kind else { return }
        let planned = deadlines.fix
        scheduleFix()
        if search.kind != .misled { deadlines.fix = min(deadlines.fix, planned) }
    }

    /// The kind of start (such as hot or cold) that follows from what the receiver knows now.
    ///
    /// As the ephemerides' age grows from `ephemerisFades` to `ephemerisGone`, the probability of a warm start instead
    /// of a hot one rises from 0 to 1.
    var kindOfStart: StartKind {
        if memory.isTimeBad { return .misled }
        guard memory.isTimeKnown, memory.isPositionKnown else { return .cold }
        guard let received = memory.ephemerisTime else { return .warm }
        let age = utc(now) - received
        let faded = (age - startTimes.ephemerisFades) / (startTimes.ephemerisGone - startTimes.ephemerisFades)
        return search.share < faded ? .warm : .hot
    }

    private func searchSeconds(_ kind: StartKind) -> Double {
        func seconds(median: Double, spread: Double) -> Double { median * exp(spread * search.deviation) }
        switch kind {
        case .hot: return seconds(median: startTimes.hot.median, spread: startTimes.hot.spread)
        case .warm:
            // Orbits that the receiver has predicted itself shorten a warm start by half: Quectel gives 15 s with EASY
            // (L76).
            let share = settings.assistsItself ? 0.5 : 1
            return seconds(median: startTimes.warm.median * share, spread: startTimes.warm.spread)
        case .cold: return seconds(median: startTimes.cold.median, spread: startTimes.cold.spread)
        case .misled:
            return seconds(median: startTimes.cold.median, spread: startTimes.cold.spread) + misledPenalty
        }
    }

    private mutating func scheduleSky() {
        deadlines.sky = mask.nextChange(after: utc(now) + 1e-6).map(instant(ofUTC:)) ?? .max
    }

    private mutating func skyChanged() {
        scheduleSky()
        let isBlind = mask.contains(utc(now) + 1e-6)
        switch phase {
        case .tracking:
            deadlines.loss = isBlind ? now + Int64(random.next(in: 0.5...2) * 1e9) : .max
        case .searching:
            renewSearch()
            search.kind = kindOfStart
            deadlines.fix = isBlind ? .max : now + Int64(searchSeconds(search.kind) * 1e9)
        case .unpowered, .reset, .sleeping, .booting, .stopped: break
        }
    }

    private mutating func loseFix() {
        leaveTracking()
        beginSearch()
    }

    private mutating func foundFix() {
        deadlines.fix = .max
        if search.kind != .hot { memory.ephemerisTime = utc(now) }
        memory.isTimeKnown = true
        memory.isTimeBad = false
        memory.isPositionKnown = true
        phase = .tracking
        draw = powerDraw.tracking
        trackingSince = now
        if firmware.firstFixAfter == nil { firmware.firstFixAfter = now - firmware.startedAt }
        noise.start()
        viewedSky.until = .min
        startPowerSave()
    }

    /// Puts the power save mode into effect in the present state.
    ///
    /// The receiver saves power once it has a fix; in on-off operation it also ends a search without a fix after the
    /// configured time.
    mutating func startPowerSave() {
        guard powerDraw.cyclic != nil else { return }
        switch (phase, settings.powerSave) {
        case (.tracking, .off):
            deadlines.optimized = .max
            isOptimized = false
            draw = powerDraw.tracking
        case (.tracking, .cyclic): deadlines.optimized = max(now, trackingSince + settlingBeforeSaving)
        case (.tracking, .onOff):
            let onFor = max(settings.onTime, 1_000_000_000)
            let rest = max(settings.updatePeriod - (now - firmware.startedAt) - onFor, 1_000_000_000)
            fallAsleep(after: onFor, for: rest, until: .all)
        case (.searching, .onOff):
            guard settings.longestSearch > 0 else { return }
            fallAsleep(after: settings.longestSearch, for: settings.searchPeriod, until: .all)
        case (.searching, _), (.unpowered, _), (.reset, _), (.sleeping, _), (.booting, _), (.stopped, _): break
        }
    }

    /// The time at which the newest complete ephemerides were received, in seconds since 1970; it advances while the
    /// receiver tracks.
    var ephemerisTime: Double? {
        guard phase == .tracking, now - trackingSince >= frame else { return memory.ephemerisTime }
        let whole = (now - trackingSince) / frame * frame
        return max(memory.ephemerisTime ?? 0, utc(trackingSince + whole))
    }

    /// Ends tracking and stores the time at which the newest ephemerides were received.
    mutating func leaveTracking() {
        memory.ephemerisTime = ephemerisTime
        deadlines.optimized = .max
        isOptimized = false
    }
}
