internal import Emulation
internal import Glibc
internal import SextantUnits

/// A simulated GNSS receiver whose position drifts and jumps, that loses its fix indoors, and that claims wrong
/// accuracies.
struct VisitReceiver {
    private let regime: VisitRegime
    private var random: SplitMix64
    /// The present position error that the drift causes, in metres east and north; the drift's correlation time is 120
    /// s during a stay and 30 s on the way.
    private var drift = Place.origin
    private var jump: (offset: Place, left: Int, accuracy: Double?)?
    private var episode: (offset: Place, until: Double)?
    private var silences: [ClosedRange<Double>] = []

    init(seed: UInt64, regime: VisitRegime) {
        self.regime = regime
        random = SplitMix64(seed: seed ^ 0x6E55)
    }

    mutating func fixes(along steps: [VisitOuting.Step]) -> [MeasuredFix] {
        chooseSilences(steps)
        var fixes: [MeasuredFix] = []
        let chance = expectedJumps(steps.count)
        var due = 0.0
        var lastTime = 0.0
        var restSince: Double?
        var wrongLeft = 0
        var yesterday: Place?
        for step in steps {
            let wasResting = restSince != nil
            restSince = step.isStaying ? restSince ?? step.time : nil
            // Motion after a rest wakes a duty-cycled receiver, and half a minute later it has a fix.
            if wasResting, restSince == nil, regime.isDutyCycled { due = min(due, step.time + 30) }
            if step.time < due { continue }
            due = step.time + nextInterval(restingSince: restSince, at: step.time)
            if isSilent(at: step.time) {
                if step.time - lastTime > 600 { wrongLeft = regime.wrongStart }
                continue
            }
            // After more than ten minutes without a fix, an old jump of the position does not continue.
            if step.time - lastTime > 600 { jump = nil }
            move(over: step.time - lastTime, isStaying: step.isStaying)
            if lastTime == 0 || step.time - lastTime <= 600 { yesterday = yesterday ?? step.place }
            lastTime = step.time
            var place = step.place
            if wrongLeft > 0, let yesterday {
                wrongLeft -= 1
                place = yesterday.moved(east: 900, north: 700)
            }
            fixes.append(fix(at: place, step, jumpChance: chance))
        }
        return fixes
    }

    /// The probability that a fix begins a jump of the position, chosen so that a day has 8 to 15 jumps.
    private mutating func expectedJumps(_ seconds: Int) -> Double {
        let days = Double(seconds) / 86_400
        return Double.random(in: 8...15, using: &random) * days / (Double(seconds) / regime.interval)
    }

    private mutating func nextInterval(restingSince: Double?, at time: Double) -> Double {
        if regime.isDutyCycled, let restingSince, time - restingSince >= 60 { return 3600 }
        if regime.isIrregular { return Double.random(in: 1...regime.interval, using: &random).rounded() }
        return regime.interval
    }

    private mutating func fix(at place: Place, _ step: VisitOuting.Step, jumpChance: Double) -> MeasuredFix {
        let deviation = step.isStaying ? regime.deviation : 3
        var accuracy = deviation * Double.random(in: 0.8...1.5, using: &random)
        // A duty-cycled receiver has far fewer fixes per day, so each fix is more likely to begin a jump of the
        // position.
        let share = regime.isDutyCycled ? jumpChance * 8 : jumpChance
        if jump == nil, Double.random(in: 0..<1, using: &random) < share { beginJump() }
        var shown = place.moved(east: drift.east, north: drift.north)
        if step.isStaying, let offset = offsetOfEpisode(at: step.time) {
            shown = shown.moved(east: offset.east, north: offset.north)
            accuracy *= 1.5
        }
        if let current = jump {
            shown = shown.moved(east: current.offset.east, north: current.offset.north)
            accuracy = current.accuracy ?? accuracy
            jump = current.left > 1 ? (current.offset, current.left - 1, current.accuracy) : nil
        }
        let point = VisitDay.point(shown, at: step.time)
        return MeasuredFix(
            time: point.time, latitude: point.latitude, longitude: point.longitude, horizontalAccuracy: accuracy)
    }

    /// The position's offset in an episode of one to five minutes, as if a wall reflected the signals; nil if there is
    /// no episode at this time.
    private mutating func offsetOfEpisode(at time: Double) -> Place? {
        guard regime.episodes > 0 else { return nil }
        if let current = episode, time <= current.until { return current.offset }
        episode = nil
        guard Double.random(in: 0..<1, using: &random) < regime.episodes * regime.interval / 3600 else { return nil }
        let angle = Double.random(in: 0..<(2 * .pi), using: &random)
        let distance = Double.random(in: 50...120, using: &random)
        episode = (
            Place(east: distance * cos(angle), north: distance * sin(angle)),
            time + Double.random(in: 60...300, using: &random)
        )
        return episode?.offset
    }

    /// Begins a jump of the position by 40 to 250 m for 1 to 6 fixes; during half of the jumps the claimed accuracy
    /// does not change.
    private mutating func beginJump() {
        let angle = Double.random(in: 0..<(2 * .pi), using: &random)
        let distance = Double.random(in: 40...250, using: &random)
        let isLying = Bool.random(using: &random)
        jump = (
            Place(east: distance * cos(angle), north: distance * sin(angle)), Int.random(in: 1...6, using: &random),
            isLying ? nil : distance * Double.random(in: 0.4...0.8, using: &random)
        )
    }

    private mutating func move(over seconds: Double, isStaying: Bool) {
        let deviation = isStaying ? regime.deviation : 3
        let kept = exp(-seconds / (isStaying ? 120 : 30))
        let fresh = deviation * (1 - kept * kept).squareRoot()
        drift.east = kept * drift.east + fresh * gaussian()
        drift.north = kept * drift.north + fresh * gaussian()
    }

    private mutating func gaussian() -> Double {
        let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &random))).squareRoot()
        return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
    }

    private func isSilent(at time: Double) -> Bool {
        if regime.isOffAtNight, time > 79_200 {
            let ofDay = time.truncatingRemainder(dividingBy: 86_400)
            if ofDay < 25_200 || ofDay > 79_200 { return true }
        }
        return silences.contains { $0.contains(time) }
    }

    /// Chooses the times without fixes: some of the stays of 20 minutes or more, and three outages of 1 to 4 minutes
    /// per day.
    private mutating func chooseSilences(_ steps: [VisitOuting.Step]) {
        var begin: Int?
        for index in steps.indices {
            if steps[index].isStaying {
                begin = begin ?? index
            } else if let first = begin {
                loseIndoors(from: steps[first].time, to: steps[index].time)
                begin = nil
            }
        }
        if let first = begin, let last = steps.last { loseIndoors(from: steps[first].time, to: last.time) }
        for _ in 0..<(3 * Int(regime.days)) {
            let time = Double.random(in: 0...Double(steps.count), using: &random)
            silences.append(time...(time + Double.random(in: 60...240, using: &random)))
        }
    }

    private mutating func loseIndoors(from arrival: Double, to departure: Double) {
        guard departure - arrival >= 1200, Double.random(in: 0..<1, using: &random) < regime.indoorLoss else { return }
        guard !regime.isLostAtTheDoor || arrival == 0 || departure >= Double(regime.days) * 86_400 - 2 else {
            silences.append(arrival...departure)
            return
        }
        let from = arrival + Double.random(in: 20...600, using: &random)
        let to = departure - 1.2 * regime.interval - Double.random(in: 0...120, using: &random)
        if from < to { silences.append(from...to) }
    }
}
