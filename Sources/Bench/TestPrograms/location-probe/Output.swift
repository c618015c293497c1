import CoreLocation

/// Prints JSON objects on standard output, one on each line; members that are nil are left out.
enum Output {
    private static let lock = NSLock()
    // Safety: used only while the lock is held.
    nonisolated(unsafe) private static var count = 0

    /// The number of callbacks printed, without the answers to `sync`.
    static var callbackCount: Int { lock.withLock { unsafe count } }

    static func print(_ members: [String: Any?]) {
        let known = members.compactMapValues { $0 }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: known, options: options) else { return }
        let isCallback = (known["callback"] as? String).map { $0 != "synced" } ?? false
        lock.withLock {
            if isCallback { unsafe count += 1 }
            try? FileHandle.standardOutput.write(contentsOf: data + Data("\n".utf8))
        }
    }

    /// A date in ISO 8601 with milliseconds; `distantPast` and `distantFuture` by their names.
    static func text(_ date: Date) -> String {
        switch date {
        case .distantPast: "distantPast"
        case .distantFuture: "distantFuture"
        default: date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
    }

    /// The code of an error and its failure reason; empty if there is no error.
    static func failure(_ error: (any Error)?) -> [String: Any?] {
        guard let error else { return [:] }
        return [
            "errorCode": (error as? CLError)?.errorCode ?? -1, "reason": (error as NSError).localizedFailureReason,
        ]
    }

    static func members(_ location: CLLocation) -> [String: Any] {
        [
            "latitude": location.coordinate.latitude, "longitude": location.coordinate.longitude,
            "altitude": location.altitude, "ellipsoidalAltitude": location.ellipsoidalAltitude,
            "horizontalAccuracy": location.horizontalAccuracy, "verticalAccuracy": location.verticalAccuracy,
            "speed": location.speed, "speedAccuracy": location.speedAccuracy, "course": location.course,
            "courseAccuracy": location.courseAccuracy, "timestamp": text(location.timestamp),
            "isSimulatedBySoftware": location.sourceInformation?.isSimulatedBySoftware ?? false,
            "isProducedByAccessory": location.sourceInformation?.isProducedByAccessory ?? false,
            "hasFloor": location.floor != nil,
        ]
    }

    static func members(_ heading: CLHeading) -> [String: Any] {
        [
            "magneticHeading": heading.magneticHeading, "trueHeading": heading.trueHeading,
            "headingAccuracy": heading.headingAccuracy, "x": heading.x, "y": heading.y, "z": heading.z,
            "timestamp": text(heading.timestamp),
        ]
    }

    static func members(_ beacon: CLBeacon) -> [String: Any] {
        [
            "uuid": beacon.uuid.uuidString, "major": beacon.major, "minor": beacon.minor, "rssi": beacon.rssi,
            "proximity": beacon.proximity.rawValue, "accuracy": beacon.accuracy, "timestamp": text(beacon.timestamp),
        ]
    }

    static func members(_ region: CLRegion) -> [String: Any] {
        var members: [String: Any] = ["identifier": region.identifier]
        members["notifyOnEntry"] = region.notifyOnEntry
        members["notifyOnExit"] = region.notifyOnExit
        if let beacons = region as? CLBeaconRegion { members["uuid"] = beacons.uuid.uuidString }
        guard let circle = region as? CLCircularRegion else { return members }
        members["latitude"] = circle.center.latitude
        members["longitude"] = circle.center.longitude
        members["radius"] = circle.radius
        return members
    }

    static func name(_ status: CLAuthorizationStatus) -> String {
        switch status {
        case .notDetermined: "notDetermined"
        case .restricted: "restricted"
        case .denied: "denied"
        case .authorizedAlways: "authorizedAlways"
        case .authorizedWhenInUse: "authorizedWhenInUse"
        }
    }

    static func name(_ accuracy: CLAccuracyAuthorization) -> String {
        accuracy == .fullAccuracy ? "full" : "reduced"
    }
}
