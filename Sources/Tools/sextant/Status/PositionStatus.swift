internal import ClientProtocol
internal import ClientVocabulary
internal import DaemonClient
internal import Power

/// Whether positions come, according to the daemon's `status`; if not, why, and what the user can do.
enum PositionStatus {
    /// The first line that `sextant status` prints: the last fix, or why no positions come.
    static func line(of status: DaemonLine) -> String {
        let receiver = status.object(.receiver)
        let last = receiver?.number(.secondsSinceFix).map { seconds in
            let accuracy = receiver?.number(.horizontalAccuracy).map { ", \(Text.fixed($0, 0)) m" } ?? ""
            return "a fix \(Text.duration(seconds)) ago\(accuracy)"
        }
        guard let reason = reason(of: status) else {
            return last ?? "services are on, and the receiver's device is open"
        }
        guard status.object(.plan) != nil, status.flag(.servicesEnabled) != false, let last else { return reason }
        return "\(reason); \(last)"
    }

    /// A text that says why no positions come now, and what the user can do; nil if positions come, or if this client
    /// is not allowed to know.
    static func reason(of status: DaemonLine) -> String? {
        guard status.flag(.servicesEnabled) != false else {
            return "location services are off: no client gets a location; switch them on: sudo sextant services on"
        }
        guard let receiver = status.object(.receiver) else { return nil }
        if let fault = fault(of: status) {
            let isSetUp = receiver.text(.device)?.hasPrefix("/") ?? true
            let hint = fault.contains("sextant doctor") ? "" : "; see sudo sextant doctor"
            return "\(isSetUp ? "the receiver cannot be reached" : "no receiver is set up"): \(fault)\(hint)"
        }
        let last = receiver.number(.secondsSinceFix)
        if let detail = receiver.text(.detail), status.object(.plan) == nil, last.map({ $0 > 10 }) ?? true {
            return "the receiver is heard, but \(detail)"
        }
        if let power = status.object(.power) { return reason(ofPower: power, plan: status.object(.plan)) }
        guard receiver.word(.state) == ReceiverState.receiving, let epoch = receiver.number(.secondsSinceEpoch) else {
            return nil
        }
        return last.map { $0 > epoch + 2 } ?? true ? noSky(since: last) : nil
    }

    /// A text that names the fault because of which the receiver sends nothing; nil if it sends, if it rests as
    /// planned, or if this client is not told its state.
    static func fault(of status: DaemonLine) -> String? {
        guard let receiver = status.object(.receiver) else { return nil }
        let device = receiver.text(.device) ?? "its device"
        if receiver.word(.state) == ReceiverState.absent {
            return receiver.text(.detail) ?? "\(device) is not open yet"
        }
        guard let power = status.object(.power) else {
            let isSilent = [ReceiverState.searchingRate, .waiting, .silent].contains(receiver.word(.state))
            return isSilent ? "\(device) is open, and nothing is heard" : nil
        }
        guard status.object(.plan) == nil else { return nil }
        if let outage = power.object(.outage), outage.number(.endedSecondsAgo) == nil {
            guard outage.word(.reason) != FailureReason.noSky else { return nil }
            return "it has not answered at \(device) since \(Text.clock(-(outage.number(.beganSecondsAgo) ?? 0)))"
        }
        return power.word(.state) == PowerStatus.State.unresponsive ? "it has not answered at \(device) yet" : nil
    }

    private static func reason(ofPower power: DaemonLine, plan: DaemonLine?) -> String? {
        if let plan { return asleep(plan) }
        if let outage = power.object(.outage), outage.number(.endedSecondsAgo) == nil {
            return noSky(since: outage.number(.beganSecondsAgo) ?? 0)
        }
        return switch power.word(.state) as PowerStatus.State? {
        case .starting, .detecting, .configuring, .searching: noFixYet
        default: nil
        }
    }

    private static let noFixYet =
        "the receiver is starting: a first fix takes up to a minute under a free sky, and longer behind glass"

    private static func noSky(since seconds: Double?) -> String {
        guard let seconds else { return noFixYet }
        return "no sky since \(Text.clock(-seconds)): the receiver finds no position; the antenna needs a clearer view "
            + "of the sky"
    }

    private static func asleep(_ plan: DaemonLine) -> String {
        let until = plan.number(.seconds).map { plan.instant(.restingUntil).map(Text.time) ?? Text.clock($0) }
        return "asleep by plan until \(until ?? "somebody asks"), \(why(plan))"
    }

    /// A text that says why the daemon lets the receiver rest.
    static func why(_ plan: DaemonLine) -> String {
        switch plan.word(.why) as RestReason? {
        case .noDemand: "no client needs a position"
        case .accuracyHolds: "the last position is still as accurate as needed"
        case .interval: "no client wants a report sooner"
        case .searchesFail: "the last search found nothing; the antenna needs a clearer view of the sky"
        case nil: plan.text(.why) ?? "unknown"
        }
    }
}

extension PositionStatus {
    /// Prints on standard error why no positions come, if the line is a `status` from the daemon with a reason.
    static func tell(_ line: DaemonLine) {
        guard line.event == .status, let reason = reason(of: line) else { return }
        StandardError.write("sextant: \(reason)")
    }

    /// Prints on standard error why no positions come, unless the reason is a planned rest of the receiver.
    ///
    /// For commands that wait for events, because events still come while the receiver rests.
    static func tellTrouble(_ line: DaemonLine) {
        if line.object(.plan) == nil || line.flag(.servicesEnabled) == false { tell(line) }
    }
}
