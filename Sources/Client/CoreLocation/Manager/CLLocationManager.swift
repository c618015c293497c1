internal import ClientVocabulary
public import Foundation

/// The object through which a program learns where it is.
///
/// Every method returns at once. Results come to the `delegate` later, on the run loop of the thread that made the
/// manager, or on the main queue if that was the main thread. Call the manager's methods on that thread. On a thread
/// without a run loop (a dispatch queue other than the main one, or a `Task` off the main actor) a warning is printed,
/// and results come on the main queue. Keep a reference to the manager as long as you want its service: its release
/// ends its updates and withdraws its request for authorization, but does not end regions, visits or significant
/// changes.
///
/// All public methods and properties are declared here, because a subclass cannot override a declaration in an
/// extension; the extensions do the work.
open class CLLocationManager: NSObject {
    let core: ManagerCore
    var settings = WatchSettings() {
        didSet { settingsDidChange() }
    }

    var headingSettings = HeadingSettings() {
        didSet { headingSettingsDidChange() }
    }

    /// The number under which the daemon knows this manager; nil until the manager first asks for something.
    var session: Int?
    /// The names of the running location updates, request for one location, and headings; events with other names are
    /// late and are ignored.
    var watchName: String?
    var locateName: String?
    var headingName: String?
    /// The name of each running ranging request, by the identity of its beacons.
    var rangingNames: [BeaconIdentity: String] = [:]
    var rangedConstraints: Set<CLBeaconIdentityConstraint> = []
    var rangedBeaconRegions: Set<CLBeaconRegion> = []
    var completions: [String: ((any Error)?) -> Void] = [:]
    var historyCompletions: [String: ([CLLocation], (any Error)?) -> Void] = [:]

    /// The location that is being delivered to the delegate now, so that the manager's `location` equals it meanwhile.
    var toldLocation: CLLocation?
    var toldAuthorization: Authorization?

    var lastHeading: CLHeading?

    /// The location delivered before the current one, or nil; for delegates that have only `didUpdateTo:from:`.
    var previousDelivered: CLLocation?
    /// The authorization that the delegate received last.
    ///
    /// It is kept only if the manager was made on a thread without a run loop, because its first callback can then come
    /// before there is a delegate.
    var announced: Authorization?

    public override init() {
        core = ManagerCore(client: .shared)
        super.init()
        core.attach(self)
    }

    /// A manager that uses the given client instead of the shared one.
    init(client: LocationClient) {
        core = ManagerCore(client: client)
        super.init()
        core.attach(self)
    }

    deinit {
        core.detach(session: session)
    }

    var client: LocationClient { core.client }

    /// The object that receives the events; the reference is weak.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        didSet {
            if let delegate { UncalledMethods.warn(of: delegate) }
            if core.isElsewhere, client.read({ $0.isReady }) { core.receive(.authorization(client.authorization)) }
            tellWhatWasKept()
        }
    }

    // MARK: Authorization

    /// The program's authorization; inside a callback, the one that the callback reports.
    open var authorizationStatus: CLAuthorizationStatus { authorization.status }

    /// The accuracy of the positions that this program is allowed to know.
    open var accuracyAuthorization: CLAccuracyAuthorization { authorization.accuracy }

    @available(*, deprecated, message: "Ask a manager for its authorizationStatus.")
    open class func authorizationStatus() -> CLAuthorizationStatus { LocationClient.greeted.authorization.status }

    /// Whether the board's location services are switched on, by the daemon's last report.
    open class func locationServicesEnabled() -> Bool { LocationClient.greeted.authorization.servicesEnabled }

    /// The purpose of the locations in the program's words, for later requests for authorization.
    ///
    /// The user sees it beside the manifest's text, which every request for authorization needs. Only its first 512
    /// bytes are shown, without line breaks.
    @available(*, deprecated, message: "Set the purpose texts in the client's manifest.")
    open var purpose: String? {
        get { statedPurpose }
        set { statedPurpose = newValue }
    }

    /// `purpose` without the warning that it is deprecated.
    var statedPurpose: String?

    /// Asks to be authorized while the program is in use.
    ///
    /// The delegate is called if the status changes. Releasing the manager withdraws the request.
    open func requestWhenInUseAuthorization() { authorize(.whenInUse) }

    /// Asks to be authorized at all times, which also lets the daemon start the program for an event.
    open func requestAlwaysAuthorization() { authorize(.always) }

    /// Asks for full accuracy for a while; the user sees the manifest's text for this purpose key.
    ///
    /// The completion runs on the delegate's run loop or queue; its error is nil if the user was asked.
    open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)? = nil
    ) {
        askFullAccuracy(purposeKey, completion)
    }

    /// Asks for full accuracy for a while, without waiting for the answer.
    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
        askFullAccuracy(purposeKey, nil)
    }

    /// Asks for full accuracy for a while; throws `CLError.promptDeclined` if no user was asked.
    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Always false: a board has no widgets.
    open var isAuthorizedForWidgetUpdates: Bool { false }

    // MARK: Updates

    /// The accuracy that the locations should have; a coarser accuracy lets the receiver rest more.
    ///
    /// Unit: metre, or one of the named constants. The default is `kCLLocationAccuracyBest`.
    open var desiredAccuracy: CLLocationAccuracy {
        get { settings.accuracy }
        set { settings.accuracy = newValue }
    }

    /// The smallest distance between a location and the previously delivered location.
    ///
    /// Unit: metre. The default is `kCLDistanceFilterNone`: every location is delivered.
    open var distanceFilter: CLLocationDistance {
        get { settings.distanceFilter }
        set { settings.distanceFilter = newValue }
    }

    /// The activity that the locations are for, which decides when updates pause.
    open var activityType: CLActivityType {
        get { settings.activityType }
        set { settings.activityType = newValue }
    }

    /// Whether updates pause while the device does not move; true unless set.
    open var pausesLocationUpdatesAutomatically: Bool {
        get { settings.pausesAutomatically }
        set { settings.pausesAutomatically = newValue }
    }

    /// Whether updates go on in the background; setting it to true is fatal without the manifest's `backgroundMode`.
    open var allowsBackgroundLocationUpdates: Bool {
        get { settings.continuesInBackground }
        set {
            do {
                try allowBackgroundLocationUpdates(newValue)
            } catch {
                fatalError(error.description)
            }
        }
    }

    /// Whether the location indicator shows background updates of a client that is always authorized; false unless set.
    open var showsBackgroundLocationIndicator: Bool {
        get { settings.showsIndicator }
        set { settings.showsIndicator = newValue }
    }

    /// The last location that any service delivered to this program; nil before the first.
    open var location: CLLocation? { toldLocation ?? client.read { $0.newest } }

    /// Starts the delivery of locations: first the last known one, however old, then new ones as they are measured.
    ///
    /// A second call while updates run does nothing, except that it ends a pause. If the program's authorization is not
    /// determined yet, the call asks for authorization while in use, unless the manifest says `asksAtStart: false`.
    open func startUpdatingLocation() { beginUpdates() }

    /// Ends updates and a request for one location; no location is delivered after this returns.
    open func stopUpdatingLocation() { endUpdates() }

    /// Asks for one location; the delegate is called once, with the location or with an error.
    ///
    /// The call does nothing while updates run or a request is open. If the program's authorization is not determined
    /// yet, it asks for one as `startUpdatingLocation` does, and waits up to five minutes for the answer.
    open func requestLocation() { locate() }

    /// Asks for the newest locations of the board's track, oldest first.
    ///
    /// The track is the daemon's record of the locations that it determined for its clients. Only these programs can
    /// read it: those whose manifest has `operator: true`, and those of root or of the daemon's user. Any other
    /// program, whatever its authorization, gets `CLError.historicalLocationError`, and so does every program if the
    /// daemon keeps no track. The completion runs on the delegate's run loop or queue. The locations have no vertical,
    /// course or speed accuracy. As on Apple's watches the user is not asked anew; the purpose key is not used.
    ///
    /// - Parameter sampleCount: The largest number of locations, at least 1; a number above 256 counts as 256.
    open func requestHistoricalLocations(
        purposeKey: String, sampleCount: Int,
        completionHandler handler: @escaping @Sendable ([CLLocation], (any Error)?) -> Void
    ) {
        askHistory(sampleCount, handler)
    }

    /// The newest locations of the board's track, as `requestHistoricalLocations` returns them.
    open func historicalLocations(purposeKey: String, sampleCount: Int) async throws -> [CLLocation] {
        try await withCheckedThrowingContinuation { continuation in
            requestHistoricalLocations(purposeKey: purposeKey, sampleCount: sampleCount) { locations, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: locations) }
            }
        }
    }

    open class func deferredLocationUpdatesAvailable() -> Bool {
        LocationClient.greeted.has("deferral", unlessKnown: false)
    }

    /// Holds locations back in the background until the device has moved this distance or the timeout is over.
    ///
    /// The delegate is called once when each deferral ends. Distance in metres, timeout in seconds.
    open func allowDeferredLocationUpdates(untilTraveled distance: CLLocationDistance, timeout: TimeInterval) {
        deferUpdates(distance, timeout)
    }

    open func disallowDeferredLocationUpdates() { endDeferral() }

    // MARK: Significant changes and visits

    open class func significantLocationChangeMonitoringAvailable() -> Bool {
        LocationClient.greeted.has("significantChange", unlessKnown: true)
    }

    /// Delivers a location now and after every move of 500 m or more, to every manager of the program.
    ///
    /// Until it is stopped, the service goes on after the program's end, and starts a program that is always
    /// authorized.
    open func startMonitoringSignificantLocationChanges() { monitorSignificantChanges() }

    open func stopMonitoringSignificantLocationChanges() { endSignificantChanges() }

    /// Delivers visits to every manager of the program until stopped; the service continues when the program has ended.
    open func startMonitoringVisits() { monitorVisits(true) }

    open func stopMonitoringVisits() { monitorVisits(false) }

    // MARK: Location pushes, which no board receives

    /// Fails with `CLLocationPushServiceError.unsupportedPlatform`: Apple's push service reaches Apple's devices only.
    ///
    /// The completion runs on the delegate's run loop or queue, after the manager's first authorization callback.
    open func startMonitoringLocationPushes(completion: ((Data?, (any Error)?) -> Void)? = nil) {
        refuseLocationPushes(completion)
    }

    /// Throws `CLLocationPushServiceError.unsupportedPlatform`.
    open func startMonitoringLocationPushes() async throws -> Data {
        throw CLLocationPushServiceError(.unsupportedPlatform)
    }

    /// Does nothing, since no location pushes can have begun.
    open func stopMonitoringLocationPushes() {}

    // MARK: Regions

    @available(*, deprecated, renamed: "isMonitoringAvailable(for:)")
    open class func regionMonitoringAvailable() -> Bool { isMonitoringAvailable(for: CLCircularRegion.self) }

    @available(*, deprecated, message: "Use isMonitoringAvailable(for:) and authorizationStatus.")
    open class func regionMonitoringEnabled() -> Bool {
        regionMonitoringAvailable() && LocationClient.greeted.authorization.isGranted
    }

    /// Whether regions of a class can be monitored: circular regions if the board supports regions, beacon regions
    /// while its Bluetooth radio is usable.
    open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
        if regionClass is CLBeaconRegion.Type { return isRangingAvailable() }
        return regionClass is CLCircularRegion.Type && LocationClient.greeted.has("regions", unlessKnown: true)
    }

    /// The largest radius that is monitored.
    ///
    /// Unit: metre; -1 where no region can be monitored.
    open var maximumRegionMonitoringDistance: CLLocationDistance { largestRadius }

    /// The program's regions, also those registered by other managers or earlier runs; each call makes new objects.
    open var monitoredRegions: Set<CLRegion> { confirmedRegions }

    /// Reports to every manager of the program when the region is entered or left, until monitoring is stopped.
    ///
    /// A region with the same identifier is replaced. Monitoring goes on when the program has ended.
    open func startMonitoring(for region: CLRegion) { monitor(region, cushion: nil) }

    /// Monitors as `startMonitoring(for:)` does, but reports a crossing only this far past the border, in metres.
    @available(*, deprecated, renamed: "startMonitoring(for:)")
    open func startMonitoring(for region: CLRegion, desiredAccuracy accuracy: CLLocationAccuracy) {
        monitor(region, cushion: accuracy > 0 ? accuracy : nil)
    }

    /// Ends the monitoring of the region with this identifier.
    open func stopMonitoring(for region: CLRegion) { unmonitor(region) }

    /// Asks whether the device is inside the region; the delegate is called once with the answer.
    open func requestState(for region: CLRegion) { askState(region) }

    // MARK: Beacons

    /// Whether the board has a Bluetooth radio that can receive beacons, and the radio is switched on.
    open class func isRangingAvailable() -> Bool { LocationClient.greeted.has("beacons", unlessKnown: false) }

    /// The constraints for which this manager's `startRangingBeacons(satisfying:)` ranges beacons.
    open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { rangedConstraints }

    /// The regions for which this manager's `startRangingBeacons(in:)` ranges beacons.
    @available(*, deprecated, message: "Use rangedBeaconConstraints.")
    open var rangedRegions: Set<CLRegion> { Set(rangedBeaconRegions.map { $0 as CLRegion }) }

    /// Starts to report the matching beacons that are received to the delegate, once a second, the nearest first.
    ///
    /// The array is empty if no such beacon is received. Without a usable radio the delegate gets
    /// `CLError.rangingUnavailable`; if the radio goes away later, it gets `CLError.rangingFailure` once. Reports
    /// resume by themselves when the radio is back.
    open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        rangedConstraints.insert(CLBeaconIdentityConstraint(constraint.identity))
        range(constraint.identity)
    }

    /// Ends the ranging of these beacons; no report about them comes after this returns.
    open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        rangedConstraints.remove(constraint)
        endRanging(constraint.identity)
    }

    /// Ranges as `startRangingBeacons(satisfying:)` does, but calls the delegate's methods that name a region.
    @available(*, deprecated, message: "Use startRangingBeacons(satisfying:).")
    open func startRangingBeacons(in region: CLBeaconRegion) { beginRanging(in: region) }

    @available(*, deprecated, message: "Use stopRangingBeacons(satisfying:).")
    open func stopRangingBeacons(in region: CLBeaconRegion) { endRanging(in: region) }

    // MARK: Heading

    /// Whether the board has a compass that answers.
    open class func headingAvailable() -> Bool { LocationClient.greeted.has("heading", unlessKnown: false) }

    /// The heading last delivered to this manager; nil before the first.
    open var heading: CLHeading? { lastHeading }

    /// The smallest change of heading that is reported, measured the shorter way round the circle.
    ///
    /// Unit: degree; `kCLHeadingFilterNone` for every sample. The default is 1.
    open var headingFilter: CLLocationDegrees {
        get { headingSettings.filter }
        set { headingSettings.filter = newValue }
    }

    /// The way in which the device is held, which decides the side of the device to which later headings refer.
    ///
    /// Headings in `landscapeLeft` are 90° more than in `portrait`, in `landscapeRight` 90° less. Setting `unknown`,
    /// `faceUp` or `faceDown` changes nothing.
    open var headingOrientation: CLDeviceOrientation {
        get { headingSettings.orientation }
        set { if newValue.isReference { headingSettings.orientation = newValue } }
    }

    /// The view to whose top headings should refer; it has no effect.
    ///
    /// A board has no views, so `headingOrientation` applies.
    open var headingBody: (any CLBodyIdentifiable)?

    /// Starts the delivery of headings: one at once, then one after each change by `headingFilter`.
    ///
    /// A second call while headings run does nothing; if `headingAvailable()` is false, neither a heading nor an error
    /// comes. True headings come while this manager's location updates run.
    open func startUpdatingHeading() { beginHeadings() }

    /// Ends the delivery of headings; no heading is delivered after this returns.
    open func stopUpdatingHeading() { endHeadings() }

    /// Ends the display that asks the user to turn the device about for calibration.
    open func dismissHeadingCalibrationDisplay() { dismissCalibration() }
}
