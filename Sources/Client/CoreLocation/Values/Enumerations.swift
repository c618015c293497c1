/// A program's authorization; raw values are Apple's.
public enum CLAuthorizationStatus: Int32, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorizedAlways = 3
    case authorizedWhenInUse = 4

    @available(*, deprecated, renamed: "authorizedAlways")
    public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// How exact the positions are that a program is allowed to know; raw values are Apple's.
public enum CLAccuracyAuthorization: Int, Sendable {
    case fullAccuracy = 0
    case reducedAccuracy = 1
}

/// The activity that locations are for, which decides when updates pause automatically; raw values are Apple's.
public enum CLActivityType: Int, Sendable {
    case other = 1
    case automotiveNavigation = 2
    case fitness = 3
    case otherNavigation = 4
    case airborne = 5
    /// The activity of a vessel on water, under way or at anchor; updates pause as for `otherNavigation`, which
    /// includes boats.
    ///
    /// New in iOS 27. Its raw value, the next after `airborne`, is from one public binding of that SDK, not from a
    /// header.
    case maritime = 6
}

/// How the device is held, which decides to which side of the device headings refer; raw values are Apple's.
public enum CLDeviceOrientation: Int32, Sendable {
    case unknown = 0
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeLeft = 3
    case landscapeRight = 4
    case faceUp = 5
    case faceDown = 6
}

/// Whether the device is inside or outside a region; raw values are Apple's.
public enum CLRegionState: Int, Sendable {
    case unknown = 0
    case inside = 1
    case outside = 2
}

/// How near a beacon is; raw values are Apple's.
public enum CLProximity: Int, Sendable {
    case unknown = 0
    case immediate = 1
    case near = 2
    case far = 3
}
