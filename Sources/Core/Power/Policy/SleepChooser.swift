internal import Receivers

/// Which way to sleep costs least until the next fix.
struct SleepChooser {
    let draw: PowerDraw
    let learned: LearnedState
    /// Age of the ephemeris now, in seconds; nil where there is none.
    let ephemerisAge: Double?

    /// Seconds of tracking that a cut costs besides: the receiver's memory is saved before, and restored after.
    private static let secondsToSave = 6.0

    /// The cheapest of `kinds` for so many seconds of sleep; nil where none is left.
    func cheapest(of kinds: Set<SleepKind>, for seconds: Double) -> SleepKind? {
        // In the order of their depth, so that of equals the lighter one wins.
        SleepKind.allCases.filter(kinds.contains).min { energy($0, seconds) < energy($1, seconds) }
    }

    /// Millijoules from now to the next fix.
    func energy(_ kind: SleepKind, _ seconds: Double) -> Double {
        let search = learned.expected(kind, off: seconds, ephemerisAge: ephemerisAge.map { $0 + seconds })
        switch kind {
        case .cyclic: return draw.resting(.cyclic) * (seconds + search)
        case .software, .hardware: return draw.resting(kind) * seconds + draw.acquiring * search
        case .cut: return draw.acquiring * search + draw.tracking * SleepChooser.secondsToSave
        }
    }

    /// Seconds of sleep from which sleeping costs less than tracking on.
    func breakEven(_ kind: SleepKind) -> Double {
        let search = learned.expected(kind, off: 10, ephemerisAge: ephemerisAge)
        let saved = draw.tracking - draw.resting(kind)
        guard saved > 0 else { return .infinity }
        let overhead = kind == .cut ? draw.tracking * SleepChooser.secondsToSave : 0
        // The fix itself takes a second of tracking more.
        return ((draw.acquiring - draw.tracking) * search + draw.tracking + overhead) / saved
    }
}
