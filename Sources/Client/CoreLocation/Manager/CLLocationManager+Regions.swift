internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

extension CLLocationManager {
    /// The largest radius of a region that the daemon monitors.
    ///
    /// Unit: metre; -1 on a board where no region can be monitored.
    var largestRadius: CLLocationDistance { client.has("regions", unlessKnown: true) ? 1_000_000 : -1 }

    var confirmedRegions: Set<CLRegion> {
        let regions = client.read { $0.registry.confirmed }
        return Set(regions.map { $0.value.region($0.key) })
    }

    func monitor(_ region: CLRegion, cushion: CLLocationDistance?) {
        guard let watched = WatchedRegion(region) else {
            let error = CLError(.regionMonitoringFailure, because: .unknownRegion)
            return core.receive(.monitoringFailed(region, error))
        }
        askAtStart()
        let identifier = region.identifier
        let isOrdered = client.update { state in
            state.registry.propose(watched, identifier: identifier)
            let key = RegionRegistry.Key(monitor: nil, identifier: identifier)
            let isOrdered = state.monitor(watched, key, cushion: cushion, assumed: nil)
            if !isOrdered { state.registry.refuse(identifier) }
            return (isOrdered, [])
        }
        let isFull = CLError(.regionMonitoringFailure, because: .noRoom)
        if !isOrdered { core.receive(.monitoringFailed(region, isFull)) }
    }

    func unmonitor(_ region: CLRegion) {
        let identifier = region.identifier
        client.update { state in
            state.registry.remove(identifier)
            if !state.order(DaemonRequest(.unmonitorRegion).with(.identifier, identifier)) { state.complainOfOrders() }
            return ((), state.roomMade())
        }
    }

    func askState(_ region: CLRegion) {
        guard WatchedRegion(region) != nil || client.read({ $0.registry.regions[region.identifier] != nil }) else {
            return
        }
        let core = core
        client.update { state in
            guard state.stateQuestions.count < ClientState.maximumStateQuestions else { return ((), []) }
            let name = state.newName("state")
            state.stateQuestions[name] = ClientState.StateQuestion(sink: core, region: region)
            state.sayStateQuestion(name)
            return ((), [])
        }
    }
}

extension ClientState {
    static let maximumStateQuestions = 256
}
