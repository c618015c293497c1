internal import ClientVocabulary
public import Foundation

/// The object through which a program learns where the device is.
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

    /// The number under which the daemon knows this manager; nil before the manager's first request.
    var session: Int?
    /// The names of the running requests for updates, for one location and for headings; an event of any other request
    /// comes too late and is ignored.
    var watchName: String?
    var locateName: String?
    var headingName: String?
    /// The name of each running ranging request, by the UUID, major and minor number of its beacons.
    var rangingNames: [BeaconIdentity: String] = [:]
    var rangedConstraints: Set<CLBeaconIdentityConstraint> = []
    var rangedBeaconRegions: Set<CLBeaconRegion> = []
    var completions: [String: ((any Error)?) -> Void] = [:]
    var historyCompletions: [String: ([CLLocation], (any Error)?) -> Void] = [:]

    /// The location that is being delivered to the delegate; during the delivery the manager's `location` equals it.
    var toldLocation: CLLocation?
    var toldAuthorization: Authorization?

    var lastHeading: CLHeading?

    /// The location delivered before the current one, for delegates that have only `didUpdateTo:from:`; nil if there
    /// was none.
    var previousDelivered: CLLocation?
    /// The authorization that the delegate received last.
    ///
    /// It is kept only if the manager was made on a thread without a run loop, because the first callback can then come
    /// before the manager has a delegate.
    var announced: Authorization?

    public override init() {
        core = ManagerCore(client: .shared)
        super.init()
        core.attach(self)
    }

    /// Makes a manager that uses the given client of the daemon instead of the process's shared client.
    init(client: LocationClient) {
        core = ManagerCore(client: client)
        super.init()
        core.attach(self)
    }

    deinit {
        core.detach(session: session)
    }

    var client: LocationClient { core.client }

    /// The object whose methods receive the manager's events; the reference is weak.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        didSet {
            if let delegate { UncalledMethods.warn(of: delegate) }
            if core.isElsewhere, client.read({ $0.isReady }) { core.receive(.authorization(client.authorization)) }
            tellWhatWasKept()
        }
    }

    // MARK: Authorization

    /// The program's authorization; during a callback about a change, the authorization that this callback reports.
    open var authorizationStatus: CLAuthorizationStatus { authorization.status }

    /// Whether this program is allowed to know positions with full accuracy, or only with reduced accuracy.
    open var accuracyAuthorization: CLAccuracyAuthorization { authorization.accuracy }

    @available(*, deprecated, message: "Ask a manager for its authorizationStatus.")
    open class func authorizationStatus() -> CLAuthorizationStatus { LocationClient.greeted.authorization.status }

    /// Whether the board's location services are switched on, by the daemon's last report.
    open class func locationServicesEnabled() -> Bool { LocationClient.greeted.authorization.servicesEnabled }

    /// The program's own text about the purpose of the locations, for later requests for authorization.
    ///
    /// The user sees the text beside that of the program's manifest, without which nobody is asked. Only its first 512
    /// bytes are shown, without line breaks.
    @available(*, deprecated, message: "Set the purpose texts in the client's manifest.")
    open var purpose: String? {
        get { statedPurpose }
        set { statedPurpose = newValue }
    }

    /// The stored value of the property `purpose`; this module uses it, because `purpose` itself is deprecated.
    var statedPurpose: String?

    /// Requests when-in-use authorization: locations while the program is in use.
    ///
    /// The delegate is called if the status changes. Releasing the manager withdraws the request.
    open func requestWhenInUseAuthorization() { authorize(.whenInUse) }

    /// Requests always authorization: locations at all times, and the daemon can start the program for an event.
    open func requestAlwaysAuthorization() { authorize(.always) }

    /// Requests temporary full accuracy; the user sees the manifest's text for this purpose key.
    ///
    /// The completion runs on the delegate's run loop or queue; its error is nil if the user was asked.
    open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)? = nil
    ) {
        askFullAccuracy(purposeKey, completion)
    }

    /// Requests temporary full accuracy, without waiting for the answer.
    open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
        askFullAccuracy(purposeKey, nil)
    }

    /// Requests temporary full accuracy; throws `CLError.promptDeclined` if no user was asked.
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

    /// The accuracy that the locations should have; with a coarser one the GNSS receiver is switched off for longer.
    ///
    /// Unit: metre, or one of the named constants. The default is `kCLLocationAccuracyBest`.
    open var desiredAccuracy: CLLocationAccuracy {
        get { settings.accuracy }
        set { settings.accuracy = newValue }
    }

    /// The smallest distance from the previously delivered location at which another location is delivered.
    ///
    /// Unit: metre. The default is `kCLDistanceFilterNone`: every location is delivered.
    open var distanceFilter: CLLocationDistance {
        get { settings.distanceFilter }
        set { settings.distanceFilter = newValue }
    }

    /// The activity that the locations are for, which decides when updates pause automatically.
    open var activityType: CLActivityType {
        get { settings.activityType }
        set { settings.activityType = newValue }
    }

    /// Whether updates pause while the device does not move; the default is true.
    open var pausesLocationUpdatesAutomatically: Bool {
        get { settings.pausesAutomatically }
        set { settings.pausesAutomatically = newValue }
    }

    /// Whether updates go on in the background; setting true is a fatal error if the manifest lacks `backgroundMode:
    /// true`.
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

    /// Whether the location indicator is on during background updates of an always authorized program; the default is
    /// false.
    open var showsBackgroundLocationIndicator: Bool {
        get { settings.showsIndicator }
        set { settings.showsIndicator = newValue }
    }

    /// The last location that any service delivered to this program; nil if none has been delivered.
    open var location: CLLocation? { toldLocation ?? client.read { $0.newest } }

    /// Starts the delivery of locations: first the last known one, however old, then each new one as it is measured.
    ///
    /// A second call while updates run does nothing, except that it ends a pause. If the program's authorization is not
    /// determined yet, the call requests when-in-use authorization, unless the manifest says `asksAtStart: false`.
    open func startUpdatingLocation() { beginUpdates() }

    /// Ends location updates and a request for one location; no location is delivered after this method returns.
    open func stopUpdatingLocation() { endUpdates() }

    /// Requests one location; the delegate is called once, with the location or with an error.
    ///
    /// The call does nothing while updates run or such a request is open. If the program's authorization is not
    /// determined yet, the call requests it as `startUpdatingLocation` does, and waits up to five minutes for the
    /// user's answer.
    open func requestLocation() { locate() }

    /// Requests the newest locations of the board's track, oldest first.
    ///
    /// The track is the daemon's record of the locations that it determined for its clients. Only two kinds of programs
    /// can read it: those whose manifest has `operator: true`, and those of root or of the daemon's user. Any other
    /// program, whatever its authorization, gets `CLError.historicalLocationError`, and so does every program if the
    /// daemon keeps no track. The completion runs on the delegate's run loop or queue. The locations have no vertical,
    /// course or speed accuracy. As on Apple's watches the user is not asked again; the purpose key is not used.
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

    /// Defers updates: in the background, locations are held back until the device has moved this distance or the
    /// timeout is over.
    ///
    /// The delegate is called once when each deferral ends. The distance is in metres, the timeout in seconds.
    open func allowDeferredLocationUpdates(untilTraveled distance: CLLocationDistance, timeout: TimeInterval) {
        deferUpdates(distance, timeout)
    }

    open func disallowDeferredLocationUpdates() { endDeferral() }

    // MARK: Significant changes and visits

    open class func significantLocationChangeMonitoringAvailable() -> Bool {
        LocationClient.greeted.has("significantChange", unlessKnown: true)
    }

    /// Starts to deliver a location at once and after every move of 500 m or more, to every manager of the program.
    ///
    /// Until the service is stopped, it goes on after the program's end, and starts a program that is always
    /// authorized.
    open func startMonitoringSignificantLocationChanges() { monitorSignificantChanges() }

    open func stopMonitoringSignificantLocationChanges() { endSignificantChanges() }

    /// Starts to deliver visits to every manager of the program; until stopped, the service goes on after the program's
    /// end.
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

    /// Does nothing, because location pushes cannot begin on a board.
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

    /// The largest radius of a region that can be monitored.
    ///
    /// Unit: metre; -1 on a board where no region can be monitored.
    open var maximumRegionMonitoringDistance: CLLocationDistance { largestRadius }

    /// The program's monitored regions, also those of other managers and of earlier runs; each call makes new objects.
    open var monitoredRegions: Set<CLRegion> { confirmedRegions }

    /// Starts to monitor a region: every manager of the program is told when the device enters or leaves it.
    ///
    /// A region with the same identifier is replaced. Monitoring goes on after the program's end, until it is stopped.
    open func startMonitoring(for region: CLRegion) { monitor(region, cushion: nil) }

    /// Monitors as `startMonitoring(for:)` does, but reports a crossing only once the device is this many metres past
    /// the border.
    @available(*, deprecated, renamed: "startMonitoring(for:)")
    open func startMonitoring(for region: CLRegion, desiredAccuracy accuracy: CLLocationAccuracy) {
        monitor(region, cushion: accuracy > 0 ? accuracy : nil)
    }

    /// Ends the monitoring of the region with this identifier.
    open func stopMonitoring(for region: CLRegion) { unmonitor(region) }

    /// Asks the daemon whether the device is inside the region; the delegate is called once with the answer.
    open func requestState(for region: CLRegion) { askState(region) }

    // MARK: Beacons

    /// Whether the board has a Bluetooth radio that can receive beacons, and the radio is switched on.
    open class func isRangingAvailable() -> Bool { LocationClient.greeted.has("beacons", unlessKnown: false) }

    /// The constraints for which this manager's `startRangingBeacons(satisfying:)` ranges beacons.
    open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { rangedConstraints }

    /// The regions for which this manager's `startRangingBeacons(in:)` ranges beacons.
    @available(*, deprecated, message: "Use rangedBeaconConstraints.")
    open var rangedRegions: Set<CLRegion> { Set(rangedBeaconRegions.map { $0 as CLRegion }) }

    /// Starts to report received beacons that meet the constraint to the delegate, once per second, the nearest first.
    ///
    /// The array is empty if no such beacon is received. Without a usable Bluetooth radio the delegate gets
    /// `CLError.rangingUnavailable`; if the radio goes away later, the delegate gets `CLError.rangingFailure` once.
    /// Reports resume by themselves when the radio is back.
    open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        rangedConstraints.insert(CLBeaconIdentityConstraint(constraint.identity))
        range(constraint.identity)
    }

    /// Stops ranging the beacons that meet this constraint; no report about them comes after this method returns.
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

    /// The heading last delivered to this manager; nil if none has been delivered.
    open var heading: CLHeading? { lastHeading }

    /// The smallest change of heading that is reported, measured the shorter way round the circle.
    ///
    /// Unit: degree; with `kCLHeadingFilterNone` every heading is reported. The default is 1.
    open var headingFilter: CLLocationDegrees {
        get { headingSettings.filter }
        set { headingSettings.filter = newValue }
    }

    /// The way in which the device is held, which decides to which side of the device later headings refer.
    ///
    /// Headings in `landscapeLeft` are 90° more than in `portrait`, and in `landscapeRight` 90° less. Setting
    /// `unknown`, `faceUp` or `faceDown` changes nothing.
    open var headingOrientation: CLDeviceOrientation {
        get { headingSettings.orientation }
        set { if newValue.isReference { headingSettings.orientation = newValue } }
    }

    /// The view whose top should be the direction that headings tell; setting it has no effect.
    ///
    /// A board has no views, so `headingOrientation` decides instead.
    open var headingBody: (any CLBodyIdentifiable)?

    /// Starts the delivery of headings: one at once, then one after each change by at least `headingFilter`.
    ///
    /// A second call while headings run does nothing; if `headingAvailable()` is false, neither a heading nor an error
    /// comes. Headings have a true heading only while this manager's location updates run.
    open func startUpdatingHeading() { beginHeadings() }

    /// Ends the delivery of headings; no heading is delivered after this method returns.
    open func stopUpdatingHeading() { endHeadings() }

    /// Hides the display that asks the user to turn the device about to calibrate the compass.
    open func dismissHeadingCalibrationDisplay() { dismissCalibration() }
}
