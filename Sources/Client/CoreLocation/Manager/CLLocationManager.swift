public import Foundation

/// The object through which a program learns where it is.
///
/// Every method returns at once: results are told to the `delegate` later, on the run loop of the thread that made the
/// manager (on the main queue, if that was the main thread). Call it on that thread. Where no run loop runs, on a dispatch
/// queue other than the main one or in a `Task` off the main actor, a warning is printed and the main queue is used. Keep
/// a manager in something that lives as long as its service is wanted; letting go of it ends its updates and the question
/// it asked the user, but not regions, visits or significant changes.
///
/// The whole interface stands here, so that a subclass can override it; the work is done in the extensions.
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
    /// The name of the running watch; events with other names are late and are ignored, as for the two names below.
    var watchName: String?
    var locateName: String?
    var headingName: String?
    /// The names of the rangings, by what they range.
    var rangingNames: [BeaconIdentity: String] = [:]
    var rangedConstraints: Set<CLBeaconIdentityConstraint> = []
    var rangedBeaconRegions: Set<CLBeaconRegion> = []
    var completions: [String: ((any Error)?) -> Void] = [:]
    var historyCompletions: [String: ([CLLocation], (any Error)?) -> Void] = [:]

    /// The location that is being delivered to the delegate now, so that the manager's `location` reads the same.
    var toldLocation: CLLocation?
    var toldAuthorization: Authorization?

    var lastHeading: CLHeading?

    /// The location delivered before the current one, for delegates with the oldest callback; nil at the first.
    var previousDelivered: CLLocation?
    /// The authorization that the delegate was told last; kept only where the manager was made on a thread without a run
    /// loop, whose first callback may come before there is a delegate.
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

    /// The accuracy with which this program may know where the device is.
    open var accuracyAuthorization: CLAccuracyAuthorization { authorization.accuracy }

    @available(*, deprecated, message: "Ask a manager for its authorizationStatus.")
    open class func authorizationStatus() -> CLAuthorizationStatus { LocationClient.greeted.authorization.status }

    /// Whether the board's location services are switched on, as last heard from the daemon.
    open class func locationServicesEnabled() -> Bool { LocationClient.greeted.authorization.servicesEnabled }

    /// The purpose of the locations in the program's words, for later requests for authorization.
    ///
    /// The user is shown it beside the manifest's text, which no question goes without. Only its first 512 bytes are
    /// shown, without line breaks.
    @available(*, deprecated, message: "Set the purpose texts in the client's manifest.")
    open var purpose: String? {
        get { statedPurpose }
        set { statedPurpose = newValue }
    }

    /// `purpose` without the warning that it is deprecated.
    var statedPurpose: String?

    /// Asks to be authorized while the program is in use.
    ///
    /// The delegate is told if the status changes. Releasing the manager withdraws the question.
    open func requestWhenInUseAuthorization() { authorize("whenInUse") }

    /// Asks to be authorized at all times, also to be started for an event.
    open func requestAlwaysAuthorization() { authorize("always") }

    /// Asks for full accuracy for a while, with the manifest's text for this purpose key.
    ///
    /// The completion runs where the delegate is called; its error is nil if the user was asked, whatever the answer.
    open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)? = nil
    ) {
        askFullAccuracy(purposeKey, completion)
    }

    /// Asks for full accuracy for a while, without waiting for the answer.
    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
        askFullAccuracy(purposeKey, nil)
    }

    /// Asks for full accuracy for a while; throws `CLError.promptDeclined` where no user was asked.
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

    /// The accuracy that the locations should have; a coarser one lets the receiver rest more.
    ///
    /// Unit: metre, or one of the named constants. At first `kCLLocationAccuracyBest`.
    open var desiredAccuracy: CLLocationAccuracy {
        get { settings.accuracy }
        set { settings.accuracy = newValue }
    }

    /// The least distance between a location and the one delivered before it.
    ///
    /// Unit: metre. At first `kCLDistanceFilterNone`: every location is delivered.
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

    /// Whether the indicator shows background updates of a client that is always authorized; false unless set.
    open var showsBackgroundLocationIndicator: Bool {
        get { settings.showsIndicator }
        set { settings.showsIndicator = newValue }
    }

    /// The last location that any service delivered to this program; nil before the first.
    open var location: CLLocation? { toldLocation ?? client.read { $0.newest } }

    /// Starts the delivery of locations: first the last known one, however old, then new ones as they are measured.
    ///
    /// A second call while updates run does nothing, except that it ends a pause. Where nothing was decided about the
    /// program, it asks to be authorized while in use, unless the manifest says `asksAtStart: false`.
    open func startUpdatingLocation() { beginUpdates() }

    /// Ends updates and a request for one location; no location is delivered after this returns.
    open func stopUpdatingLocation() { endUpdates() }

    /// Asks for one location; the delegate is called once, with the location or with an error.
    ///
    /// The call does nothing while updates run or a request is open. Where nothing was decided about the program, it asks
    /// as `startUpdatingLocation` does, and waits for the answer up to five minutes.
    open func requestLocation() { locate() }

    /// Asks for the newest locations of the board's track, oldest first.
    ///
    /// The track holds what the board's receiver found for its clients, so only a program that may read it gets locations:
    /// one whose manifest has `operator: true`, or of root or the daemon's user. Any other, whatever its authorization, gets
    /// `CLError.historicalLocationError`, as does one whose daemon keeps no track. The completion runs where the delegate
    /// is called. The locations have no vertical, course or speed accuracy. As on Apple's watches the user is not asked
    /// anew; the purpose key is not used.
    ///
    /// - Parameter sampleCount: The most locations, 1 to 256; a greater number counts as 256, and a smaller is an error.
    open func requestHistoricalLocations(
        purposeKey: String, sampleCount: Int,
        completionHandler handler: @escaping @Sendable ([CLLocation], (any Error)?) -> Void
    ) {
        askHistory(sampleCount, handler)
    }

    /// The newest locations of the board's track, as `requestHistoricalLocations` has them.
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
    /// The service goes on when the program has ended, and starts a program that is always authorized, until it is
    /// stopped.
    open func startMonitoringSignificantLocationChanges() { monitorSignificantChanges() }

    open func stopMonitoringSignificantLocationChanges() { endSignificantChanges() }

    /// Delivers visits to every manager of the program until stopped; the service continues when the program has ended.
    open func startMonitoringVisits() { monitorVisits(true) }

    open func stopMonitoringVisits() { monitorVisits(false) }

    // MARK: Location pushes, which no board receives

    /// Fails with `CLLocationPushServiceError.unsupportedPlatform`: Apple's push service reaches Apple's devices only.
    ///
    /// The completion runs where the delegate is called, after the manager's first authorization callback.
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

    /// Whether regions of a class can be monitored: circles if the board supports them, beacons while its radio is usable.
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

    /// Reports to every manager of the program when the region is entered or left, until it is stopped.
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

    /// Whether the board has a radio that hears beacons, and it is switched on.
    open class func isRangingAvailable() -> Bool { LocationClient.greeted.has("beacons", unlessKnown: false) }

    /// The rangings that `startRangingBeacons(satisfying:)` began for this manager.
    open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { rangedConstraints }

    /// The rangings that `startRangingBeacons(in:)` began for this manager.
    @available(*, deprecated, message: "Use rangedBeaconConstraints.")
    open var rangedRegions: Set<CLRegion> { Set(rangedBeaconRegions.map { $0 as CLRegion }) }

    /// Starts to report once a second, to this manager's delegate, which of these beacons are heard, the nearest first.
    ///
    /// The array is empty where none is heard. Without a usable radio the delegate is told `CLError.rangingUnavailable`,
    /// and `rangingFailure` once if the radio goes away; beacons come by themselves when it is back.
    open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        rangedConstraints.insert(CLBeaconIdentityConstraint(constraint.identity))
        range(constraint.identity)
    }

    /// Ends a ranging; none of its beacons are reported after this returns.
    open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        rangedConstraints.remove(constraint)
        endRanging(constraint.identity)
    }

    /// Ranges as `startRangingBeacons(satisfying:)` does, and tells the delegate's methods about regions.
    @available(*, deprecated, message: "Use startRangingBeacons(satisfying:).")
    open func startRangingBeacons(in region: CLBeaconRegion) { beginRanging(in: region) }

    @available(*, deprecated, message: "Use stopRangingBeacons(satisfying:).")
    open func stopRangingBeacons(in region: CLBeaconRegion) { endRanging(in: region) }

    // MARK: Heading

    /// Whether the board has a compass that answers.
    open class func headingAvailable() -> Bool { LocationClient.greeted.has("heading", unlessKnown: false) }

    /// The heading last delivered to this manager; nil before the first.
    open var heading: CLHeading? { lastHeading }

    /// The least change of heading that is reported, measured the shorter way round.
    ///
    /// Unit: degree; `kCLHeadingFilterNone` for every sample. At first 1.
    open var headingFilter: CLLocationDegrees {
        get { headingSettings.filter }
        set { headingSettings.filter = newValue }
    }

    /// The way in which the device is held, which decides the side of the device to which later headings refer.
    ///
    /// In `landscapeLeft` they are 90° more than in `portrait`, in `landscapeRight` 90° less. Setting `unknown`,
    /// `faceUp` or `faceDown` changes nothing.
    open var headingOrientation: CLDeviceOrientation {
        get { headingSettings.orientation }
        set { if newValue.isReference { headingSettings.orientation = newValue } }
    }

    /// The view to whose top headings refer; a board has no views, so `headingOrientation` holds as before.
    open var headingBody: (any CLBodyIdentifiable)?

    /// Starts the delivery of headings: one at once, then further ones by `headingFilter`.
    ///
    /// A second call while headings run does nothing; where `headingAvailable()` is false no heading comes, and no
    /// error. True headings come while this manager's location updates run.
    open func startUpdatingHeading() { beginHeadings() }

    /// Ends the delivery of headings; no heading is delivered after this returns.
    open func stopUpdatingHeading() { endHeadings() }

    /// Ends the display that asks the user to turn the device about for calibration.
    open func dismissHeadingCalibrationDisplay() { dismissCalibration() }
}
