import CoreLocation

/// A location manager, its delegate, and the thread that both run on.
final class ManagerProbe: @unchecked Sendable {
    // Unchecked: everything except `number` and `thread` is used only on the manager's thread.
    let number: Int
    private let thread: ProbeThread?
    private var manager: CLLocationManager?
    private var delegate: (any CLLocationManagerDelegate)?

    private init(_ number: Int, _ thread: ProbeThread?) {
        self.number = number
        self.thread = thread
    }

    static func make(_ number: Int, _ manner: Set<String>) async -> ManagerProbe {
        let probe = ManagerProbe(number, manner.contains("thread") ? await ProbeThread.start() : nil)
        await probe.onThread {
            let manager = CLLocationManager()
            let delegate: any CLLocationManagerDelegate =
                if manner.contains("legacy") {
                    LegacyDelegate(number)
                } else {
                    manner.contains("both") ? BilingualDelegate(number) : ModernDelegate(number)
                }
            manager.delegate = delegate
            probe.manager = manager
            probe.delegate = delegate
        }
        return probe
    }

    private func onThread(_ body: @escaping @Sendable () -> Void) async {
        if let thread { await thread.run(body) } else { await MainActor.run(body: body) }
    }

    func perform(_ arguments: Arguments) async throws {
        let failure = Failure()
        await onThread { [self] in
            do { try perform(arguments, on: manager) } catch { failure.error = error }
        }
        if let error = failure.error { throw error }
    }

    /// Carries a command's error from the manager's thread; it is read only after that thread's work has ended.
    private final class Failure: @unchecked Sendable {
        var error: (any Error)?
    }

    private func perform(_ arguments: Arguments, on manager: CLLocationManager?) throws {
        guard let manager else { throw CommandError("manager \(number) was dropped") }
        var rest = arguments
        switch try rest.next("what to do") {
        case "drop": self.manager = nil
        case "delegate": manager.delegate = try rest.next("on or off") == "on" ? delegate : nil
        case "show": show(manager)
        case "set": try set(&rest, manager)
        case "start": manager.startUpdatingLocation()
        case "stop": manager.stopUpdatingLocation()
        case "request": manager.requestLocation()
        case "whenInUse": manager.requestWhenInUseAuthorization()
        case "always": manager.requestAlwaysAuthorization()
        case "fullAccuracy": askFullAccuracy(try rest.next("a purpose key"), manager)
        case "undefer": manager.disallowDeferredLocationUpdates()
        case "defer":
            manager.allowDeferredLocationUpdates(
                untilTraveled: try rest.number("metres", or: ["max": CLLocationDistanceMax]),
                timeout: try rest.number("seconds", or: ["max": CLTimeIntervalMax]))
        case let service: try perform(service, &rest, manager)
        }
    }

    private func perform(_ service: String, _ rest: inout Arguments, _ manager: CLLocationManager) throws {
        let action = try rest.next("start or stop")
        switch (service, action) {
        case ("significant", "start"): manager.startMonitoringSignificantLocationChanges()
        case ("significant", "stop"): manager.stopMonitoringSignificantLocationChanges()
        case ("visits", "start"): manager.startMonitoringVisits()
        case ("visits", "stop"): manager.stopMonitoringVisits()
        case ("heading", "start"): manager.startUpdatingHeading()
        case ("heading", "stop"): manager.stopUpdatingHeading()
        case ("heading", "dismiss"): manager.dismissHeadingCalibrationDisplay()
        case ("calibration", "yes"), ("calibration", "no"):
            (delegate as? ModernDelegate)?.displaysCalibration = action == "yes"
        case ("region", _): try performRegion(action, &rest, manager)
        case ("beacon", _): try performBeacon(action, &rest, manager)
        case ("range", _):
            manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: try uuid(action)))
        case ("unrange", _):
            manager.stopRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: try uuid(action)))
        default: throw CommandError("a manager knows no \(service) \(action); --help lists what it knows")
        }
    }

    private func uuid(_ text: String) throws -> UUID {
        guard let uuid = UUID(uuidString: text) else { throw CommandError("\(text) is no UUID") }
        return uuid
    }

    private func performBeacon(_ action: String, _ rest: inout Arguments, _ manager: CLLocationManager) throws {
        let identifier = try rest.next("an identifier")
        guard action != "stop" else {
            return manager.stopMonitoring(for: CLBeaconRegion(uuid: UUID(), identifier: identifier))
        }
        let uuid = try uuid(try rest.next("a UUID"))
        var numbers: [CLBeaconMajorValue] = []
        while let number = rest.peek.flatMap({ CLBeaconMajorValue($0) }) {
            numbers.append(number)
            _ = try rest.next("a number")
        }
        let region =
            switch numbers.count {
            case 0: CLBeaconRegion(uuid: uuid, identifier: identifier)
            case 1: CLBeaconRegion(uuid: uuid, major: numbers[0], identifier: identifier)
            default: CLBeaconRegion(uuid: uuid, major: numbers[0], minor: numbers[1], identifier: identifier)
            }
        region.notifyEntryStateOnDisplay = rest.peek == "display"
        if rest.peek == "display" { _ = try rest.next("display") }
        switch action {
        case "start": manager.startMonitoring(for: region)
        case "state": manager.requestState(for: region)
        default: throw CommandError("a region can be started, stopped and asked for its state, not \(action)")
        }
    }

    private func performRegion(_ action: String, _ rest: inout Arguments, _ manager: CLLocationManager) throws {
        let identifier = try rest.next("an identifier")
        let region = try circle(identifier, &rest)
        switch action {
        case "start": try startMonitoring(region, &rest, manager)
        case "stop": manager.stopMonitoring(for: region)
        case "state": manager.requestState(for: region)
        default: throw CommandError("a region can be started, stopped and asked for its state, not \(action)")
        }
    }

    /// Makes a region from a command's words: a circle from latitude, longitude and radius; without these, a region
    /// that only carries the identifier of the one to address.
    private func circle(_ identifier: String, _ rest: inout Arguments) throws -> CLCircularRegion {
        guard rest.peek != nil else {
            return CLCircularRegion(center: CLLocationCoordinate2D(), radius: 1, identifier: identifier)
        }
        let center = CLLocationCoordinate2D(
            latitude: try rest.number("a latitude"), longitude: try rest.number("a longitude"))
        return CLCircularRegion(center: center, radius: try rest.number("a radius"), identifier: identifier)
    }

    private func startMonitoring(
        _ region: CLCircularRegion, _ rest: inout Arguments, _ manager: CLLocationManager
    ) throws {
        if let sides = rest.peek, sides != "cushion" {
            region.notifyOnEntry = sides != "exit"
            region.notifyOnExit = try rest.next("entry, exit or both") != "entry"
        }
        guard rest.peek == "cushion" else { return manager.startMonitoring(for: region) }
        _ = try rest.next("cushion")
        (manager as any OlderMonitoring).startMonitoring(for: region, desiredAccuracy: try rest.number("metres"))
    }

    private func set(_ rest: inout Arguments, _ manager: CLLocationManager) throws {
        switch try rest.next("a property") {
        case "desiredAccuracy": manager.desiredAccuracy = try rest.number("metres", or: Self.accuracies)
        case "distanceFilter":
            manager.distanceFilter = try rest.number("metres", or: ["none": kCLDistanceFilterNone])
        case "activityType": manager.activityType = try Self.activity(rest.next("an activity"))
        case "pauses": manager.pausesLocationUpdatesAutomatically = try rest.isTrue()
        case "background": manager.allowsBackgroundLocationUpdates = try rest.isTrue()
        case "headingFilter": manager.headingFilter = try rest.number("degrees", or: ["none": kCLHeadingFilterNone])
        case "headingOrientation": manager.headingOrientation = try Self.orientation(rest.next("an orientation"))
        case "indicator": manager.showsBackgroundLocationIndicator = try rest.isTrue()
        case let other: throw CommandError("no property \(other); --help lists those that can be set")
        }
    }

    private static let accuracies = [
        "best": kCLLocationAccuracyBest, "bestForNavigation": kCLLocationAccuracyBestForNavigation,
        "reduced": kCLLocationAccuracyReduced,
    ]

    private static func activity(_ name: String) throws -> CLActivityType {
        let activities: [String: CLActivityType] = [
            "other": .other, "automotiveNavigation": .automotiveNavigation, "fitness": .fitness,
            "otherNavigation": .otherNavigation, "airborne": .airborne,
        ]
        guard let activity = activities[name] else { throw CommandError("no activity \(name)") }
        return activity
    }

    private static func orientation(_ name: String) throws -> CLDeviceOrientation {
        let orientations: [String: CLDeviceOrientation] = [
            "unknown": .unknown, "portrait": .portrait, "portraitUpsideDown": .portraitUpsideDown,
            "landscapeLeft": .landscapeLeft, "landscapeRight": .landscapeRight, "faceUp": .faceUp,
            "faceDown": .faceDown,
        ]
        guard let orientation = orientations[name] else { throw CommandError("no orientation \(name)") }
        return orientation
    }

    private func askFullAccuracy(_ key: String, _ manager: CLLocationManager) {
        let number = number
        manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: key) { error in
            let members: [String: Any?] = ["manager": number, "callback": "fullAccuracyCompletion"]
            Output.print(members.merging(Output.failure(error)) { $1 })
        }
    }

    private func show(_ manager: CLLocationManager) {
        Output.print([
            "manager": number, "callback": "shown", "authorizationStatus": Output.name(manager.authorizationStatus),
            "accuracyAuthorization": Output.name(manager.accuracyAuthorization),
            "location": manager.location.map { Output.members($0) as Any }, "desiredAccuracy": manager.desiredAccuracy,
            "distanceFilter": manager.distanceFilter, "activityType": manager.activityType.rawValue,
            "pausesLocationUpdatesAutomatically": manager.pausesLocationUpdatesAutomatically,
            "allowsBackgroundLocationUpdates": manager.allowsBackgroundLocationUpdates,
            "showsBackgroundLocationIndicator": manager.showsBackgroundLocationIndicator,
            "maximumRegionMonitoringDistance": manager.maximumRegionMonitoringDistance,
            "hasHeading": manager.heading != nil, "heading": manager.heading.map { Output.members($0) as Any },
            "headingFilter": manager.headingFilter, "headingOrientation": manager.headingOrientation.rawValue,
            "monitoredRegions": manager.monitoredRegions.sorted { $0.identifier < $1.identifier }
                .map { Output.members($0) },
        ])
    }
}

/// Deprecated methods that must still be tested; called through a protocol, they give no warning.
private protocol OlderMonitoring {
    func startMonitoring(for region: CLRegion, desiredAccuracy accuracy: CLLocationAccuracy)
}

extension CLLocationManager: OlderMonitoring {}
