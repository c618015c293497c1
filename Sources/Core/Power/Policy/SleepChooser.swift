internal import Receivers
internal import Units

/// Which way to sleep costs least until the next fix.
struct SleepChooser {
    let draw: PowerDraw
    let starts: LearnedState
    /// Now, when the sleep would begin, in seconds; nil where there is no ephemeris.
    let ephemerisAge: Double?

    /// Seconds: nothing sleeps for less.
    static let shortestSleep = 1.0
    /// Seconds of tracking that a cut costs besides: the receiver's memory is saved before, and restored after.
    private static let secondsToSave = 6.0
    /// Seconds of full tracking before cyclic tracking begins to save: an assumption.
    ///
    /// u-blox say that it begins when enough ephemerides are read (UBX-13003221, power management), not when that is.
    private static let cyclicSettling = 10.0
    /// Seconds for which what pays now will pay.
    private static let cyclicSpell = 120.0
    /// A receiver in cyclic tracking stays so until another way costs this part of it.
    private static let cyclicHold = 0.95

    /// The cheapest of `kinds` for so many seconds of sleep; nil where none ends tracking.
    func cheapest(of kinds: Set<SleepKind>, for seconds: Double) -> SleepKind? {
        // In the order of their depth, so that of equals the lighter one wins.
        SleepKind.allCases.filter { $0 != .cyclic && kinds.contains($0) }
            .min { energy($0, seconds) < energy($1, seconds) }
    }

    /// Millijoules from now to the next fix, its own second included.
    func energy(_ kind: SleepKind, _ seconds: Double) -> Double {
        let overhead = kind == .cut ? draw.tracking * SleepChooser.secondsToSave : 0
        return draw.resting(kind) * seconds + draw.acquiring * search(kind, seconds) + draw.tracking + overhead
    }

    /// Milliwatts in the mean from now to the next fix.
    func power(_ kind: SleepKind, _ seconds: Double) -> Double {
        energy(kind, seconds) / (seconds + search(kind, seconds) + 1)
    }

    /// Milliwatts of staying on, cyclically where that is possible.
    func stayingOn(_ tracking: Tracking, at now: MonotonicInstant, mayBeCyclic: Bool) -> Double {
        guard mayBeCyclic, let cyclic = draw.cyclic else { return draw.tracking }
        guard !tracking.isCyclic else { return cyclic * SleepChooser.cyclicHold }
        let settling = max(0, SleepChooser.cyclicSettling - now.seconds(since: tracking.since))
        return cyclic + (draw.tracking - cyclic) * settling / SleepChooser.cyclicSpell
    }

    /// Seconds of the search that ends so many seconds of sleep, in the mean.
    private func search(_ kind: SleepKind, _ seconds: Double) -> Double {
        starts.expected(kind, off: seconds, ephemerisAge: ephemerisAge)
    }
}
