/// The reason for which a run has no score.
public enum RunScoreError: Error, Sendable, Equatable {
    /// The first location came after the trace's end: check that the run and the trace use the same clock.
    case deliveredAfterTheEnd(firstDelivery: Double, traceEnd: Double)
}

/// The energy that one run spent, and how accurate its locations were.
///
/// All figures, energies included, count from the first delivered location on, unless they say otherwise: a cold first
/// search is paid once in a device's life and would dominate a short trace. A run without deliveries counts from the
/// trace's start, and all of it violates the requested accuracy. Between two deliveries the last delivered location
/// counts.
public struct RunScore: Sendable, Hashable {
    /// The time for which the run is scored, in hours.
    public var hours: Double
    public var receiverJoules: Double
    public var receiverMilliwatts: Double
    public var sensorJoules: Double
    public var hostJoules: Double
    /// The mean power of the receiver, the sensor and the host together, in milliwatts.
    public var deviceMilliwatts: Double
    /// The energy that a receiver would need to track all the time, in joules, for comparison.
    public var alwaysOnJoules: Double
    /// The energy, in joules, of the oracle, a policy that knows the trace in advance: its mean power over the trace
    /// times the scored time; nil without an oracle.
    public var oracleJoules: Double?
    /// The number of locations delivered.
    public var fixes: Int
    /// The number of searches for satellites that the receiver began in the whole run, including the first one.
    public var starts: Int
    /// The accuracy of the last delivered location, while the board moved and while it rested.
    public var moving: MovingScore
    /// The share of delivered locations whose accuracy radius contained the true position: 0.68 for correct radii; nil
    /// without deliveries.
    public var coverage68: Double?

    /// Scores a run.
    ///
    /// - Parameter accuracy: The requested accuracy, in metres.
    public init(
        of record: RunRecord, against truth: TruthGrid, accuracy: Double, draws: ReceiverDraws, oracle: Oracle? = nil
    ) throws(RunScoreError) {
        let errors = HeldErrors(of: record, against: truth)
        let first = errors.firstDelivery ?? truth.startTime
        let seconds = truth.endTime - first
        guard seconds > 0 else { throw .deliveredAfterTheEnd(firstDelivery: first, traceEnd: truth.endTime) }
        hours = seconds / 3600
        let spans = record.spans(from: first, until: truth.endTime)
        let receiver = spans.reduce(0) { $0 + ($1.until - $1.from) * draws[$1.state] / 1000 }
        let sensor = record.sensorUses.reduce(0) { $0 + $1.joules(from: first, until: truth.endTime) }
        let host = record.hostUses.reduce(0) { $0 + $1.joules(from: first, until: truth.endTime) }
        receiverJoules = receiver
        sensorJoules = sensor
        hostJoules = host
        receiverMilliwatts = receiver / seconds * 1000
        deviceMilliwatts = (receiver + sensor + host) / seconds * 1000
        alwaysOnJoules = draws.track * seconds / 1000
        oracleJoules = oracle.map { $0.milliwatts * seconds / 1000 }
        fixes = record.deliveries.count
        starts = record.states.count { $0.state == .acquire }

        moving = MovingScore(errors, against: truth, accuracy: accuracy)
        coverage68 = Self.coverage(of: record.deliveries, against: truth)
    }

    /// The share of delivered locations whose distance from the true position, at the nearest second, is within the
    /// location's own accuracy radius.
    ///
    /// Locations from before the trace's start or after its end are left out.
    private static func coverage(of deliveries: [RunRecord.Delivery], against truth: TruthGrid) -> Double? {
        var (held, all) = (0, 0)
        for delivery in deliveries {
            let second = (delivery.validAt - truth.startTime).rounded(.toNearestOrEven)
            guard second >= 0, second < Double(truth.count) else { continue }
            let place = truth.plane(latitude: delivery.latitude, longitude: delivery.longitude)
            all += 1
            if truth.distance(to: place, at: Int(second)) <= delivery.horizontalAccuracy { held += 1 }
        }
        return all == 0 ? nil : Double(held) / Double(all)
    }
}
