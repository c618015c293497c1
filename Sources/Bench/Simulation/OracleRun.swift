internal import Boards
internal import Emulation

/// The simulated run of the oracle, a power policy that knows the trajectory in advance.
///
/// No receiver is emulated: the fixes are the true positions, and the host wakes for each fix.
enum OracleRun {
    static func result(_ settings: SimulationSettings, _ oracle: Oracle, on truth: TruthGrid) -> SimulationResult {
        var record = oracle.record(on: truth)
        let seconds = truth.endTime - truth.startTime
        record.hostUses = record.deliveries.map { delivery in
            RunRecord.EnergyUse(
                from: delivery.time, until: delivery.time, joules: settings.host.wakeMillijoules / 1000)
        }
        record.hostUses.append(use(settings.host.idleMilliwatts, of: truth))
        if settings.hasMotionSensor { record.sensorUses = [use(EmulatedMotionSensor.draw, of: truth)] }
        return SimulationResult(
            record: record, motions: [], hostWakes: oracle.fixes.count, spins: 0,
            drawnJoules: oracle.milliwatts / 1000 * seconds, hasAccuracies: true, recording: [], status: "")
    }

    /// The energy of a constant power draw over the whole trace.
    private static func use(_ milliwatts: Double, of truth: TruthGrid) -> RunRecord.EnergyUse {
        RunRecord.EnergyUse(
            from: truth.startTime, until: truth.endTime,
            joules: milliwatts / 1000 * (truth.endTime - truth.startTime))
    }
}
