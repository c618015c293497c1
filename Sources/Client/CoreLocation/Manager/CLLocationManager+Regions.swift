internal import Foundation

extension CLLocationManager {
    /// Whether regions of a class can be monitored: circles, where the board can; beacons never.
    public class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
        LocationClient.shared.awaitGreeting()
        return regionClass is CLCircularRegion.Type && LocationClient.shared.has("regions", unlessKnown: true)
    }

    /// The largest radius that is monitored; -1 where no region is.
    ///
    /// Unit: metre.
    public var maximumRegionMonitoringDistance: CLLocationDistance {
        client.has("regions", unlessKnown: true) ? 100_000 : -1
    }

    /// The program's regions, whoever registered them; each call makes new objects.
    public var monitoredRegions: Set<CLRegion> {
        let regions = client.read { $0.registry.confirmed }
        return Set(regions.map { CLCircularRegion($0.value, identifier: $0.key) })
    }

    /// Tells every manager of the program when the region is entered or left, until it is stopped.
    ///
    /// A region with the same identifier is replaced. Monitoring goes on without the program.
    public func startMonitoring(for region: CLRegion) {
        startMonitoring(region, cushion: nil)
    }

    /// As `startMonitoring(for:)`, but only so far past the border; the accuracy is in metres.
    @available(*, deprecated, renamed: "startMonitoring(for:)")
    public func startMonitoring(for region: CLRegion, desiredAccuracy accuracy: CLLocationAccuracy) {
        startMonitoring(region, cushion: accuracy > 0 ? accuracy : nil)
    }

    private func startMonitoring(_ region: CLRegion, cushion: Double?) {
        guard let circular = region as? CLCircularRegion else {
            return core.receive(.monitoringFailed(region, .regionMonitoringFailure))
        }
        let circle = Circle(
            center: circular.center, radius: circular.radius, notifyOnEntry: circular.notifyOnEntry,
            notifyOnExit: circular.notifyOnExit)
        let identifier = circular.identifier
        let isOrdered = client.update { state in
            state.registry.propose(circle, identifier: identifier)
            let isOrdered = state.order(circle.line(identifier).with("cushion", cushion))
            if !isOrdered { state.registry.refuse(identifier) }
            return (isOrdered, [])
        }
        if !isOrdered { core.receive(.monitoringFailed(region, .regionMonitoringFailure)) }
    }

    /// Ends the monitoring of the region with this identifier.
    public func stopMonitoring(for region: CLRegion) {
        let identifier = region.identifier
        client.update { state in
            state.registry.remove(identifier)
            if !state.order(RequestLine("unmonitorRegion").with("identifier", identifier)) { state.complainOfOrders() }
            return ((), [])
        }
    }

    /// Asks on which side of its border the device is; the delegate hears once.
    public func requestState(for region: CLRegion) {
        guard region is CLCircularRegion || client.read({ $0.registry.regions[region.identifier] != nil }) else { return }
        let core = core
        client.update { state in
            guard state.stateQuestions.count < ClientState.mostStateQuestions else { return ((), []) }
            let name = state.newName("state")
            state.stateQuestions[name] = ClientState.StateQuestion(sink: core, region: region)
            state.sayStateQuestion(name)
            return ((), [])
        }
    }
}

extension ClientState {
    static let mostStateQuestions = 256
}

extension Circle {
    func line(_ identifier: String) -> RequestLine {
        RequestLine("monitorRegion").with("identifier", identifier)
            .with("latitude", latitude).with("longitude", longitude).with("radius", radius)
            .with("notifyOnEntry", notifyOnEntry ? nil : false).with("notifyOnExit", notifyOnExit ? nil : false)
    }
}
