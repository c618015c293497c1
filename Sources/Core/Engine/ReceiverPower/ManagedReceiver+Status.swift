internal import ClientProtocol
internal import Fusion
internal import Power
internal import Receivers
internal import SextantUnits

/// The receiver's state, as `status` reports it.
extension ManagedReceiver {
    func status(at instant: MonotonicInstant) -> PowerStatus {
        PowerStatus(
            state: state, receiver: controller.identity?.description,
            nextStart: policy.nextStart.map { $0.seconds(since: instant) },
            isBackingOff: policy.isBackingOff, accuracy: policy.demand.keepsOn ? 0 : policy.demand.accuracy,
            uncertainty: policy.uncertainty(at: instant), outage: outage.status(at: instant),
            restKinds: SleepKind.allCases.filter(controller.sleepKinds.contains).map { $0.state },
            backup: policy.learned.backup, hostWakes: energy.hostWakes, linesProblem: linesProblem,
            troubles: troubles.all.map { trouble in
                PowerStatus.Trouble(
                    kind: trouble.kind.rawValue, message: trouble.sentence, count: trouble.count,
                    secondsAgo: instant.seconds(since: trouble.last), isOver: trouble.isOver)
            })
    }

    /// Why the receiver sleeps and until when; nil where it does not sleep by plan.
    func plan(_ clock: FixClock, at instant: MonotonicInstant) -> RestPlan? {
        guard isAsleep, let reason = policy.restReason(at: instant) else { return nil }
        let end = policy.nextStart
        return RestPlan(
            why: reason, seconds: end.map { max(0, $0.seconds(since: instant)) },
            until: end.flatMap(clock.utc))
    }

    /// Whether positions come now, and if not, why.
    func positionState(at instant: MonotonicInstant) -> PositionState {
        if isAsleep, let reason = policy.restReason(at: instant) { return .resting(reason) }
        return switch policy.outageReason {
        case .receiverUnreachable: .unreachable
        case .noSky: outage.isTold(at: instant) ? .noSky : .starting
        case nil: .comes
        }
    }

    private var state: PowerStatus.State {
        switch controller.state {
        case .off: .off
        case .starting: .starting
        case .detecting: .detecting
        case .configuring: .configuring
        case .ready:
            switch policy.phase {
            case .tracking: .tracking
            case .cyclic: .cyclicTracking
            case .searching, .unreachable, .asleep: .searching
            }
        case .savingDatabase: .savingOrbits
        case .fallingAsleep: .fallingAsleep
        case .asleep(let kind): kind.state
        case .unresponsive: .unresponsive
        }
    }
}

extension SleepKind {
    fileprivate var state: PowerStatus.State {
        switch self {
        case .cyclic: .cyclicTracking
        case .software: .softwareSleep
        case .hardware: .hardwareSleep
        case .cut: .off
        }
    }
}
