internal import Access
internal import Delivery
internal import Fusion
internal import HostSleep
internal import Monitoring
internal import Parts
internal import Power
internal import SextantUnits

/// Host sleep: collects the reasons for which the Engine's parts need the host awake, and passes on to them what
/// follows from a sleep.
extension Engine {
    /// Decides whether the host may sleep now; called after all other parts have settled.
    func settleHost(_ turn: inout Turn) {
        guard hostSleeping.view.isConfigured else { return }
        let isOperated = !reporting.isEmpty || access.view.hasAgent
        let others = OtherHostNeeds(
            isOperated: isOperated, watchesHeadings: headings.view.isWatched, locate: nextLocation(at: turn.instant),
            tell: telling, utc: positioning.whereabouts.clock.utc(turn.instant), isBlind: motion.isBlind)
        carryOut(hostSleeping.settle(others, &turn), &turn)
    }

    /// Notes for which reasons these position requests keep the host on.
    func noteHolders(of requests: [AccuracyRequest]) {
        var holders = StayAwakeReasons()
        for request in requests {
            if let holder = holder(of: request) { holders.insert(holder) }
        }
        let isVetoed = access.view.clientsAgainstHostSleep.contains { name in
            monitoring.view.count(of: name) > 0 || !access.view.connections(of: [name]).isEmpty
        }
        holders.insert(.veto, where: isVetoed)
        hostSleeping.asked(
            holders, isAsked: !requests.isEmpty || monitoring.view.regionCount > 0, by: power.view.payers)
    }

    /// Tells clients of a sleep of the host, and stores what would be lost without power.
    func carryOut(_ consequences: HostSleeping.Consequences, _ turn: inout Turn) {
        if let news = consequences.news { access.tell(.host(news), &turn) }
        if let slept = consequences.slept {
            positioning.slept()
            monitoring.unfollowed(since: slept.restedUntil, isDoubted: slept.isDoubted)
        }
        if consequences.countsEnergy, let spent = power.view.energyReport(at: turn.instant)?.sinceBoot {
            hostSleeping.countBoot(spent, &turn)
        }
        guard consequences.storesAll else { return }
        positioning.stopping(&turn)
        power.keepLearned(&turn)
    }

    /// Why a request keeps the host on; nil where it does not.
    private func holder(of request: AccuracyRequest) -> StayAwakeReason? {
        let connection = ClientID(rawValue: request.client)
        switch request.service {
        case .everyEpoch: return delivery.view.gpsdConnections.contains(request.client) ? .gpsdClient : .everyEpoch
        case .singleLocation: return .singleRequest
        case .standard:
            let isLetGo = delivery.view.allowsHostSleep(connection) || access.view.allowsHostSleep(connection)
            guard !isLetGo else { return nil }
            return access.view.grant(of: connection)?.isForeground == false ? .background : .foreground
        case .significantChange, .visits, .region: return nil
        }
    }

    /// When the receiver must next be on; nil where no client needs a location.
    private func nextLocation(at instant: MonotonicInstant) -> MonotonicInstant? {
        guard power.view.isNeeded else { return nil }
        return power.view.isResting ? power.view.nextStart : instant
    }
}
