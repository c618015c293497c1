internal import ClientVocabulary
internal import DaemonClient

/// The settings that a location manager or a loop over updates requests for its locations.
struct WatchSettings: Sendable, Equatable {
    var accuracy: CLLocationAccuracy = kCLLocationAccuracyBest
    var distanceFilter: CLLocationDistance = kCLDistanceFilterNone
    var activityType = CLActivityType.other
    var pausesAutomatically = true
    var continuesInBackground = false
    var showsIndicator = false
    var allowsHostSleep = false
    var isLive = false

    /// A `watch` or `change` request to the daemon, with these settings as its JSON members.
    func line(_ request: RequestName, session: Int) -> DaemonRequest {
        DaemonRequest(request)
            .with(.session, session == 0 ? nil : session)
            .withAccuracy(accuracy)
            .with(.distanceFilter, distanceFilter > 0 ? min(distanceFilter, Self.farthest) : nil)
            .with(.activityType, activityType.name)
            .with(.pausesAutomatically, pausesAutomatically)
            .with(.live, isLive ? true : nil)
            .with(.background, continuesInBackground ? true : nil)
            .with(.indicator, showsIndicator ? true : nil)
            .with(.hostSleep, allowsHostSleep ? true : nil)
    }

    /// Half the Earth's circumference, the largest distance between two places.
    ///
    /// Unit: metre.
    private static let farthest = 20_037_508.0
}

extension DaemonRequest {
    /// Adds the wanted accuracy to the request: a word for a named constant, or metres limited to the daemon's range of
    /// 1 m to 100 km.
    func withAccuracy(_ accuracy: CLLocationAccuracy) -> DaemonRequest {
        if accuracy == kCLLocationAccuracyReduced { return with(.accuracy, "reduced") }
        if accuracy == kCLLocationAccuracyBestForNavigation { return with(.accuracy, "bestForNavigation") }
        return accuracy > 0 ? with(.accuracy, min(max(accuracy, 1), 100_000)) : with(.accuracy, "best")
    }
}

extension CLActivityType {
    /// The word for this activity in the daemon's protocol.
    var name: String {
        switch self {
        case .other: "other"
        case .automotiveNavigation: "automotiveNavigation"
        case .fitness: "fitness"
        case .otherNavigation, .maritime: "otherNavigation"
        case .airborne: "airborne"
        }
    }
}
