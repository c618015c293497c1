internal import Emulation
internal import SextantUnits

/// Records a simulated run; times are Unix seconds, rounded to milliseconds as in the written events.
struct RunRecorder {
    private(set) var record = RunRecord()
    private(set) var motions: [SimulationResult.MotionEdge] = []
    private(set) var hostWakes = 0
    private(set) var spins = 0
    private var lastSpin: MonotonicInstant?
    /// Whether any delivered location stated its accuracy.
    private(set) var hasAccuracies = false
    private let startTime: Double
    private let wakeJoules: Double
    private var lastState: EmulatedPowerState?
    /// The start of the receiver's current cyclic tracking, in Unix seconds; nil while it does not track cyclically.
    private var cyclicSince: Double?
    private let cyclicShare: Double
    private var lastWake: MonotonicInstant?
    /// The energy in millijoules that the receiver had drawn when the first location was delivered; nil if none has
    /// been delivered.
    private(set) var energyAtFirstFix: Double?

    /// - Parameters:
    ///   - startTime: The time at which the run starts, in Unix seconds.
    ///   - wakeMillijoules: The energy of one wake-up of the host.
    ///   - cyclicShare: The part of each second, 0 to 1, in which a receiver in cyclic tracking tracks.
    init(startTime: Double, wakeMillijoules: Double, cyclicShare: Double) {
        self.startTime = startTime
        self.cyclicShare = cyclicShare
        wakeJoules = wakeMillijoules / 1000
    }

    func unixSeconds(_ instant: MonotonicInstant) -> Double {
        milliseconds(startTime + Double(instant.nanoseconds) * 1e-9)
    }

    mutating func note(_ state: EmulatedPowerState, isCyclic: Bool, at instant: MonotonicInstant) {
        if isCyclic != (cyclicSince != nil) {
            writeCycles(until: unixSeconds(instant))
            cyclicSince = isCyclic ? unixSeconds(instant) : nil
        }
        guard state != lastState else { return }
        lastState = state
        let change = RunRecord.StateChange(time: unixSeconds(instant), state: RunRecorder.state(state))
        guard change.state != record.states.last?.state else { return }
        record.states.append(change)
    }

    private mutating func writeCycles(until end: Double) {
        guard let start = cyclicSince else { return }
        record.appendCycles(from: start, until: end, trackingShare: cyclicShare)
        cyclicSince = end
    }

    private func milliseconds(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }

    private static func state(_ state: EmulatedPowerState) -> DrawState {
        switch state {
        case .off: .off
        case .sleep: .sleep
        case .acquire: .acquire
        case .track: .track
        }
    }

    mutating func note(_ location: LocationLine, at instant: MonotonicInstant, energy: Double) {
        if energyAtFirstFix == nil { energyAtFirstFix = energy }
        if location.horizontalAccuracy != nil { hasAccuracies = true }
        record.deliveries.append(
            RunRecord.Delivery(
                time: unixSeconds(instant), validAt: location.time, latitude: location.latitude,
                longitude: location.longitude,
                horizontalAccuracy: location.horizontalAccuracy ?? 0))
    }

    mutating func noteMotion(_ isMoving: Bool, at instant: MonotonicInstant) {
        motions.append(SimulationResult.MotionEdge(time: unixSeconds(instant), isMoving: isMoving))
    }

    /// Counts a wake-up of the host at this instant; further events at the same instant cause no second wake-up.
    mutating func noteWake(at instant: MonotonicInstant) {
        guard instant != lastWake else { return }
        lastWake = instant
        hostWakes += 1
        let time = unixSeconds(instant)
        record.hostUses.append(RunRecord.EnergyUse(from: time, until: time, joules: wakeJoules))
    }

    mutating func noteSpin(at instant: MonotonicInstant) {
        guard instant != lastSpin else { return }
        lastSpin = instant
        spins += 1
    }

    /// The energy of a constant power draw between two instants.
    func use(from: MonotonicInstant, until: MonotonicInstant, milliwatts: Double) -> RunRecord.EnergyUse {
        let (from, until) = (unixSeconds(from), unixSeconds(until))
        return RunRecord.EnergyUse(from: from, until: until, joules: milliwatts / 1000 * (until - from))
    }

    /// Completes the record at the end of the run.
    ///
    /// It adds the host's energy apart from wake-ups (`host`), and the motion sensor's energy at a draw of `sensor`
    /// milliwatts; if the board has no motion sensor, `sensor` is nil.
    mutating func finish(at end: MonotonicInstant, host: [RunRecord.EnergyUse], sensor: Double?) {
        writeCycles(until: unixSeconds(end))
        record.hostUses += host
        if let sensor { record.sensorUses.append(use(from: .zero, until: end, milliwatts: sensor)) }
    }
}
