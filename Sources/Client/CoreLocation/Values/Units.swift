public import Foundation

/// An angle of latitude or longitude on WGS84.
///
/// Unit: degree; north and east are positive.
public typealias CLLocationDegrees = Double

/// A length.
///
/// Unit: metre.
public typealias CLLocationDistance = Double

/// An uncertainty of position or a wish for one.
///
/// Unit: metre; negative is "not valid" on a location, and a named constant on a manager.
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

/// The more significant of a beacon's two numbers.
public typealias CLBeaconMajorValue = UInt16

/// The less significant of a beacon's two numbers.
public typealias CLBeaconMinorValue = UInt16

/// The largest distance there is: defer, or filter, without a limit of distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude

/// The longest interval there is: defer without a limit of time.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude

/// No distance filter: every location is delivered.
public let kCLDistanceFilterNone: CLLocationDistance = -1

/// No heading filter: every heading is delivered.
public let kCLHeadingFilterNone: CLLocationDegrees = -1

/// As good as the hardware can give, with whatever other sensors help.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2

/// As good as the receiver can give.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1

/// Within ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10

/// Within a hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100

/// Within a kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1_000

/// Within three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3_000

/// As coarse as a client without full accuracy gets it: coarser than every other constant.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = .greatestFiniteMagnitude
