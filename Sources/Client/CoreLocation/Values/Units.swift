public import Foundation

/// An angle of latitude or longitude on WGS84.
///
/// Unit: degree; north and east are positive.
public typealias CLLocationDegrees = Double

/// A length.
///
/// Unit: metre.
public typealias CLLocationDistance = Double

/// The accuracy of a position, or the accuracy that a program wants.
///
/// Unit: metre; a negative value means "not valid" in a location, and in a manager's setting it is one of the named
/// constants.
public typealias CLLocationAccuracy = Double

/// A speed over ground.
///
/// Unit: metre per second; negative is "not known".
public typealias CLLocationSpeed = Double

/// An uncertainty of speed, one sigma.
///
/// Unit: metre per second; negative is "not known".
public typealias CLLocationSpeedAccuracy = Double

/// A direction clockwise from north.
///
/// Unit: degree, 0 to below 360; negative is "not known", 0 is north.
public typealias CLLocationDirection = Double

/// An uncertainty of direction, one sigma.
///
/// Unit: degree; negative is "not known".
public typealias CLLocationDirectionAccuracy = Double

/// A magnetic flux density along one axis of the sensor.
///
/// Unit: microtesla.
public typealias CLHeadingComponentValue = Double

/// The major number of a beacon, the more significant of its two 16-bit numbers.
public typealias CLBeaconMajorValue = UInt16

/// The minor number of a beacon, the less significant of its two 16-bit numbers.
public typealias CLBeaconMinorValue = UInt16

/// The largest distance; a deferral of updates with this distance has no limit of distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude

/// The longest interval; a deferral of updates with this timeout has no limit of time.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude

/// The distance filter that delivers every location.
public let kCLDistanceFilterNone: CLLocationDistance = -1

/// The heading filter that delivers every heading.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

/// The best accuracy of the hardware: the GNSS receiver with the help of all other sensors.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2

/// The best accuracy of the GNSS receiver.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1

/// An accuracy within ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10

/// An accuracy within a hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100

/// An accuracy within a kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1_000

/// An accuracy within three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3_000

/// The coarse accuracy of a program without full accuracy, which gets a location a few times per hour.
///
/// A program with full accuracy that requests this accuracy gets locations in the same way.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = .greatestFiniteMagnitude
