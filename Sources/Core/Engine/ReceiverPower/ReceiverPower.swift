internal import ClientProtocol
internal import GNSS
internal import Power
internal import Receivers
internal import Units

/// When the receiver is on, and for whom; where it cannot be switched, only what is needed of it is known.
struct ReceiverPower {
    /// The receiver as something to be switched; nil where it is only listened to.
    let manager: ManagedReceiver?
    /// What is wrong with the state that was kept, until it can be told.
    private var learnedProblem: LearnedStateError?
    /// What all clients together need of the receiver, and why.
    private(set) var demand = Demand.none
    private var cause = EnergyCause.idleSleep
    private var wasResting = false

    init(_ configuration: EngineConfiguration) {
        var problem: LearnedStateError?
        manager = configuration.power.map { power in
            ManagedReceiver(power, device: configuration.device) { problem = $0 }
        }
        learnedProblem = problem
    }

    /// The next instant at which time alone changes something.
    var deadline: MonotonicInstant? { manager?.deadline }

    /// Whether the receiver rests, so that its silence is no news.
    var isResting: Bool { manager?.isAsleep == true }

    mutating func started(at instant: MonotonicInstant, into outputs: inout Outputs) {
        manager?.started(at: instant)
        guard let problem = learnedProblem else { return }
        learnedProblem = nil
        manager?.lostLearnedState(problem, at: instant)
        outputs.actions.append(.log(.receiverTrouble(problem.description)))
    }

    /// Takes what is needed of the receiver now.
    ///
    /// - Parameter gpsd: Those of the clients that are gpsd's.
    mutating func need(_ requests: [AccuracyRequest], gpsd: [UInt32]) {
        demand = Demand.merging(requests)
        cause = ReceiverPower.cause(of: requests, gpsd: gpsd)
    }

    /// Why the receiver is on: the service of the request that asks most of it.
    private static func cause(of requests: [AccuracyRequest], gpsd: [UInt32]) -> EnergyCause {
        var cause = EnergyCause.idleSleep
        var least = Double.infinity
        for request in requests where request.standing != .paused && request.effectiveAccuracy < least {
            least = request.effectiveAccuracy
            cause =
                switch request.service {
                case .standard: .accuracyRequest
                case .everyEpoch: gpsd.contains(request.client) ? .gpsd : .accuracyRequest
                case .singleLocation: .singleLocation
                case .significantChange: .significantChange
                case .visits: .visitMonitoring
                case .region: .regionMonitoring
                }
        }
        return cause
    }

    /// Takes a solution, and the strongest signal in dB-Hz where its epoch told of satellites.
    ///
    /// - Parameters:
    ///   - jumps: How often the estimator has begun anew.
    ///   - excess: The learned error of the receiver's positions in the claimed one.
    /// - Returns: Whether it is good enough to be delivered.
    func take(
        _ fix: Fix, strongestSignal: Double?, jumps: UInt64, excess: Double?, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) -> Bool {
        guard let manager else { return true }
        let isWanted = manager.take(fix, strongestSignal: strongestSignal, at: instant)
        manager.noteJumps(jumps, at: instant)
        manager.noteClaims(excess, at: instant, into: &outputs)
        return isWanted
    }

    /// Has the receiver woken, rested and configured as is needed now.
    ///
    /// - Returns: What concerns its line, in order.
    func settle(at instant: MonotonicInstant, into outputs: inout Outputs) -> [ManagedReceiver.Consequence] {
        guard let manager else { return [] }
        manager.demanded(demand, at: instant)
        return manager.settle(at: instant, into: &outputs)
    }

    /// Whether the receiver rests since this settling, or no longer does; nil where that did not change.
    mutating func takeTurn() -> Bool? {
        guard isResting != wasResting else { return nil }
        wasResting = isResting
        return isResting
    }

    /// Accounts for what the receiver does from now on, and for whom.
    func account(at instant: MonotonicInstant) { manager?.accountFor(cause, at: instant) }

    /// Since when no fix comes that is needed; nil where none is lacked.
    var outageSince: MonotonicInstant? { manager?.outage.since }

    /// Why no position comes; nil where that is not known.
    ///
    /// - Parameter isReceiving: Whether messages come. A receiver that is only listened to reports also where it finds
    ///   nothing.
    func outageReason(isReceiving: Bool) -> StaticString? {
        if let manager { return manager.policy.outageReason?.name }
        return (isReceiving ? OutageReason.noSky : .receiverUnreachable).name
    }

    func describe(_ status: inout DaemonStatus, at instant: MonotonicInstant) {
        guard let manager else { return }
        if status.state != .absent, isResting { status.state = .resting }
        status.power = manager.status(at: instant)
    }
}
