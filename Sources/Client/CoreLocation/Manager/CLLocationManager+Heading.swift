internal import Foundation

extension CLLocationManager {
    /// No board has a magnetometer that tells a heading.
    public class func headingAvailable() -> Bool { false }

    /// The heading last told; nil, as none ever is.
    public var heading: CLHeading? { nil }

    /// Does nothing where `headingAvailable()` is false, as Apple's does.
    public func startUpdatingHeading() {}

    public func stopUpdatingHeading() {}

    public func dismissHeadingCalibrationDisplay() {}
}
