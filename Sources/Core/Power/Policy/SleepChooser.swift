internal import Receivers
internal import SextantUnits

/// Chooses the kind of sleep that costs least until the next fix.
struct SleepChooser {
    let draw: PowerDraw
    let starts: LearnedState
    /// Age of the ephemeris, in seconds, when the sleep begins, which is at once; nil without an ephemeris.
    let ephemerisAge: Double?

    /// The shortest sleep that is planned; seconds.
    static let shortestSleep = 1.0
    /// The extra cost of a power cut, in seconds of tracking: saving the receiver's memory before, restoring it after.
    private static let secondsToSave = 6.0
    /// Seconds of full tracking before cyclic tracking begins to save power: an assumption.
    ///
    /// u-blox state that this begins once enough ephemerides are read (UBX-13003221, power management), but not how
    /// long that takes.
    private static let cyclicSettling = 10.0
    /// Seconds over which the cost of settling into cyclic tracking is spread.
    private static let cyclicSpell = 120.0
    /// To replace cyclic tracking, a sleep must draw less than this share of what cyclic tracking draws.
    private static let cyclicHold = 0.95

    /// The cheapest of `kinds` for this many seconds of sleep; nil where `kinds` has none but cyclic tracking.
    func cheapest(of kinds: Set<SleepKind>, for seconds: Double) -> SleepKind? {
        var best: (kind: SleepKind, energy: Double)?
        // The kinds of sleep are compared in the order of their depth, so that of equally cheap ones the lightest wins.
        for kind in SleepKind.allCases where kind != .cyclic && kinds.contains(kind) {
            let energy = energy(kind, seconds)
            if energy < best?.energy ?? .infinity { best = (kind, energy) }
        }
        return best?.kind
    }

    /// The receiver's energy in millijoules from now to the next fix, for a sleep in between and a second of tracking
    /// for that fix.
    func energy(_ kind: SleepKind, _ seconds: Double) -> Double {
        let overhead = kind == .cut ? draw.tracking * SleepChooser.secondsToSave : 0
        return draw.resting(kind) * seconds + draw.acquiring * search(kind, seconds) + draw.tracking + overhead
    }

    /// The receiver's mean draw in milliwatts from now to the next fix, with a sleep of this kind and length in
    /// between.
    func power(_ kind: SleepKind, _ seconds: Double) -> Double {
        energy(kind, seconds) / (seconds + search(kind, seconds) + 1)
    }

    /// The receiver's mean draw in milliwatts if it stays on, in cyclic tracking where that is possible; only a sleep
    /// that draws less is chosen.
    func stayingOn(_ tracking: Tracking, at now: MonotonicInstant, mayBeCyclic: Bool) -> Double {
        guard mayBeCyclic, let cyclic = draw.cyclic else { return draw.tracking }
        guard !tracking.isCyclic else { return cyclic * SleepChooser.cyclicHold }
        let settling = max(0, SleepChooser.cyclicSettling - now.secondsAfter(tracking.since))
        return cyclic + (draw.tracking - cyclic) * settling / SleepChooser.cyclicSpell
    }

    /// Mean seconds of the search after this many seconds of sleep.
    private func search(_ kind: SleepKind, _ seconds: Double) -> Double {
        starts.expected(kind, off: seconds, ephemerisAge: ephemerisAge)
    }
}
