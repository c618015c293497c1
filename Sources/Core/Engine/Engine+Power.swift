internal import ClientProtocol
internal import Power
internal import Receivers
internal import Sessions
internal import Units

/// The receiver's power: what happened goes to its manager, what it wants comes out.
extension Engine {
    mutating func started(at instant: MonotonicInstant, into outputs: inout Outputs) {
        wakes = WakeBook(at: instant)
        managed?.started(at: instant)
        if let problem = learnedProblem {
            learnedProblem = nil
            managed?.lostLearnedState(problem, at: instant)
            outputs.actions.append(.log(.receiverTrouble(problem.description)))
        }
        outputs.actions.append(.openDevice(baud: line.rate))
        beginCompass(at: instant, into: &outputs)
    }

    mutating func linesOpened(
        _ lines: Set<LineRole>, _ problem: String?, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        managed?.linesOpened(lines, problem: problem, at: instant)
        hasIndicator = lines.contains(.indicator)
        if indicator.isOn { light(true, into: &outputs) }
    }

    /// Tells the manager what is needed now, and has done what it wants.
    mutating func manage(at instant: MonotonicInstant, into outputs: inout Outputs) {
        guard managed != nil else { return }
        managed?.demanded(demand, at: instant)
        for consequence in managed?.settle(at: instant, into: &outputs) ?? [] { heed(consequence, into: &outputs) }
        let isResting = managed?.isAsleep == true
        if isResting != wasResting {
            wasResting = isResting
            receiverChanged(isOn: !isResting, at: instant)
            tellPauses(.receiver(isOn: !isResting), at: instant, into: &outputs)
            managed?.demanded(demand, at: instant)
            for consequence in managed?.settle(at: instant, into: &outputs) ?? [] { heed(consequence, into: &outputs) }
        }
        outageChanged()
        managed?.accountFor(cause, at: instant)
    }

    private mutating func heed(_ consequence: ManagedReceiver.Consequence, into outputs: inout Outputs) {
        switch consequence {
        case .baud(let rate): line.ordered(baud: rate)
        case .asleep: line.rested()
        case .ready(let baud):
            guard line.proved(baud: baud), let baud else { return }
            outputs.actions.append(.remember(baud: baud))
            announceDevice(into: &outputs)
        }
    }
}

extension ClientTable {
    /// Why the receiver is on: the service of the request that asks most of it.
    func cause(of requests: [AccuracyRequest]) -> EnergyCause {
        var cause = EnergyCause.idleSleep
        var least = Double.infinity
        for request in requests where request.standing != .paused && request.effectiveAccuracy < least {
            least = request.effectiveAccuracy
            cause =
                switch request.service {
                case .standard: .accuracyRequest
                case .everyEpoch: gpsd.contains { $0.id.rawValue == request.client } ? .gpsd : .accuracyRequest
                case .singleLocation: .singleLocation
                case .significantChange: .significantChange
                case .visits: .visitMonitoring
                case .region: .regionMonitoring
                }
        }
        return cause
    }
}
