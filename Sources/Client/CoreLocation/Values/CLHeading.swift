public import Foundation

/// The direction in which the device points, and the magnetic field that it was computed from.
open class CLHeading: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Safety: the class is open as Apple's is; its only storage is constant.
    private let measured: HeadingMeasurement

    package init(_ measured: HeadingMeasurement) {
        self.measured = measured
        super.init()
    }

    /// A heading of which nothing is known.
    public override init() {
        measured = HeadingMeasurement()
        super.init()
    }

    /// The angle from magnetic north; negative if not known.
    ///
    /// Unit: degree, 0 to below 360.
    open var magneticHeading: CLLocationDirection { measured.magneticHeading }

    /// The angle from true north; negative if not known, as it is without location updates.
    ///
    /// Unit: degree, 0 to below 360.
    open var trueHeading: CLLocationDirection { measured.trueHeading }

    /// The error that 68 % of the `magneticHeading` values stay below; negative if the reading is disturbed or
    /// uncalibrated.
    ///
    /// Unit: degree.
    open var headingAccuracy: CLLocationDirection { measured.headingAccuracy }

    /// The field along the device's axis to the right, as it was measured: no calibration is in it.
    ///
    /// Unit: microtesla.
    open var x: CLHeadingComponentValue { measured.x }

    /// The field along the device's axis forward, to its top, as it was measured: no calibration is in it.
    ///
    /// Unit: microtesla.
    open var y: CLHeadingComponentValue { measured.y }

    /// The field along the device's axis up, out of its face, as it was measured: no calibration is in it.
    ///
    /// Unit: microtesla.
    open var z: CLHeadingComponentValue { measured.z }

    /// When the field was measured.
    open var timestamp: Date { measured.timestamp }

    public required init?(coder: NSCoder) {
        measured = HeadingMeasurement(
            magneticHeading: coder.decodeDouble(forKey: "CLHeading.magneticHeading"),
            trueHeading: coder.decodeDouble(forKey: "CLHeading.trueHeading"),
            headingAccuracy: coder.decodeDouble(forKey: "CLHeading.headingAccuracy"),
            x: coder.decodeDouble(forKey: "CLHeading.x"), y: coder.decodeDouble(forKey: "CLHeading.y"),
            z: coder.decodeDouble(forKey: "CLHeading.z"),
            timestamp: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "CLHeading.timestamp")))
        super.init()
    }

    open func encode(with coder: NSCoder) {
        coder.encode(magneticHeading, forKey: "CLHeading.magneticHeading")
        coder.encode(trueHeading, forKey: "CLHeading.trueHeading")
        coder.encode(headingAccuracy, forKey: "CLHeading.headingAccuracy")
        coder.encode(x, forKey: "CLHeading.x")
        coder.encode(y, forKey: "CLHeading.y")
        coder.encode(z, forKey: "CLHeading.z")
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "CLHeading.timestamp")
    }

    open class var supportsSecureCoding: Bool { true }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLHeading else { return false }
        return measured == other.measured
    }

    open override var hash: Int { measured.hashValue }

    open override var description: String {
        "magneticHeading \(magneticHeading) trueHeading \(trueHeading) accuracy \(headingAccuracy) "
            + "x \(x) y \(y) z \(z) @ \(timestamp)"
    }
}

/// Everything that a heading holds.
///
/// Units and invalid values are those of the properties of the same name of `CLHeading`.
package struct HeadingMeasurement: Sendable, Hashable {
    package var magneticHeading: CLLocationDirection
    package var trueHeading: CLLocationDirection
    package var headingAccuracy: CLLocationDirection
    package var x: CLHeadingComponentValue
    package var y: CLHeadingComponentValue
    package var z: CLHeadingComponentValue
    package var timestamp: Date

    package init(
        magneticHeading: CLLocationDirection = -1, trueHeading: CLLocationDirection = -1,
        headingAccuracy: CLLocationDirection = -1, x: CLHeadingComponentValue = 0, y: CLHeadingComponentValue = 0,
        z: CLHeadingComponentValue = 0, timestamp: Date = Date()
    ) {
        self.magneticHeading = magneticHeading
        self.trueHeading = trueHeading
        self.headingAccuracy = headingAccuracy
        self.x = x
        self.y = y
        self.z = z
        self.timestamp = timestamp
    }
}
