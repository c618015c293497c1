internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

/// A region that the daemon watches: a circle, or the area in which beacons are received.
struct WatchedRegion: Sendable, Equatable {
    var shape: Shape
    var notifyOnEntry = true
    var notifyOnExit = true
    /// For a beacon region, the distance to a beacon in metres within which the device counts as inside; nil if it
    /// counts as inside wherever it receives a beacon.
    var within: CLLocationDistance?

    enum Shape: Sendable, Equatable {
        /// Unit: degree, degree, metre.
        case circle(latitude: CLLocationDegrees, longitude: CLLocationDegrees, radius: CLLocationDistance)
        case beacons(BeaconIdentity, notifiesOnDisplay: Bool)
    }

    /// Makes a watched region from a `CLRegion`; nil for a region of a class that cannot be watched.
    init?(_ region: CLRegion) {
        switch region {
        case let circle as CLCircularRegion:
            shape = .circle(
                latitude: circle.center.latitude, longitude: circle.center.longitude, radius: circle.radius)
        case let beacons as CLBeaconRegion:
            shape = .beacons(
                beacons.beaconIdentityConstraint.identity, notifiesOnDisplay: beacons.notifyEntryStateOnDisplay)
            within = beacons.sextantWithin
        default: return nil
        }
        notifyOnEntry = region.notifyOnEntry
        notifyOnExit = region.notifyOnExit
    }

    /// Makes a watched region from a condition of a `CLMonitor`; nil for a condition of a type that cannot be watched.
    init?(_ condition: any CLCondition) {
        switch condition {
        case let circle as CLMonitor.CircularGeographicCondition:
            shape = .circle(
                latitude: circle.center.latitude, longitude: circle.center.longitude, radius: circle.radius)
        case let beacons as CLMonitor.BeaconIdentityCondition:
            shape = .beacons(
                BeaconIdentity(uuid: beacons.uuid, major: beacons.major, minor: beacons.minor),
                notifiesOnDisplay: false)
        default: return nil
        }
    }

    /// The region in a line (one JSON object) from the daemon; nil if it is neither a circle nor a beacon region.
    init?(_ line: DaemonLine) {
        if let beacons = BeaconIdentity(line) {
            shape = .beacons(beacons, notifiesOnDisplay: line.flag(.notifyEntryStateOnDisplay) ?? false)
            within = line.number(.within)
        } else if let center = line.coordinate, let radius = line.number(.radius) {
            shape = .circle(latitude: center.latitude, longitude: center.longitude, radius: radius)
        } else {
            return nil
        }
        notifyOnEntry = line.flag(.notifyOnEntry) ?? true
        notifyOnExit = line.flag(.notifyOnExit) ?? true
    }

    func region(_ identifier: String) -> CLRegion {
        let region: CLRegion
        switch shape {
        case .circle(let latitude, let longitude, let radius):
            region = CLCircularRegion(
                center: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), radius: radius,
                identifier: identifier)
        case .beacons(let identity, let notifiesOnDisplay):
            let beacons = CLBeaconRegion(
                beaconIdentityConstraint: CLBeaconIdentityConstraint(identity), identifier: identifier)
            beacons.notifyEntryStateOnDisplay = notifiesOnDisplay
            beacons.sextantWithin = within
            region = beacons
        }
        region.notifyOnEntry = notifyOnEntry
        region.notifyOnExit = notifyOnExit
        return region
    }

    var condition: any CLCondition {
        switch shape {
        case .circle(let latitude, let longitude, let radius):
            CLMonitor.CircularGeographicCondition(
                center: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), radius: radius)
        case .beacons(let identity, _): CLMonitor.BeaconIdentityCondition(identity)
        }
    }

    /// A copy of this circle with another radius, in metres; nil keeps the radius, and a beacon region is returned
    /// unchanged.
    func withRadius(_ radius: CLLocationDistance?) -> WatchedRegion {
        guard case .circle(let latitude, let longitude, let old) = shape else { return self }
        var other = self
        other.shape = .circle(latitude: latitude, longitude: longitude, radius: radius ?? old)
        return other
    }
}

extension CLMonitor.BeaconIdentityCondition {
    init(_ identity: BeaconIdentity) {
        self.init(uuid: identity.uuid, major: identity.major, minor: identity.minor)
    }
}

extension BeaconIdentity {
    /// The UUID, major and minor number in a line (one JSON object) from the daemon; nil without a UUID.
    init?(_ line: DaemonLine) {
        guard let uuid = line.text(.uuid).flatMap(UUID.init(uuidString:)) else { return nil }
        self.init(
            uuid: uuid, major: line.integer(.major).flatMap(CLBeaconMajorValue.init(exactly:)),
            minor: line.integer(.minor).flatMap(CLBeaconMinorValue.init(exactly:)))
    }
}

extension DaemonRequest {
    func with(_ shape: WatchedRegion.Shape?) -> DaemonRequest {
        switch shape {
        case nil: self
        case .circle(let latitude, let longitude, let radius):
            with(.latitude, latitude).with(.longitude, longitude).with(.radius, radius)
        case .beacons(let identity, _): with(identity)
        }
    }

    func with(_ identity: BeaconIdentity) -> DaemonRequest {
        with(.uuid, identity.uuid.uuidString).with(.major, identity.major.map { Int($0) })
            .with(.minor, identity.minor.map { Int($0) })
    }
}
