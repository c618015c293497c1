public import Foundation

/// The direction in which the device points, and the magnetic field that it was computed from.
open class CLHeading: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Safety: `Sendable` is unchecked because the class is open, as Apple's is; its only storage is constant.
    private let measured: HeadingMeasurement

    package init(_ measured: HeadingMeasurement) {
        self.measured = measured
        super.init()
    }

    /// A heading whose values are all unknown.
    public override init() {
        measured = HeadingMeasurement()
        super.init()
    }

    /// The angle from magnetic north; negative if not known.
    ///
    /// Unit: degree, 0 to below 360.
    open var magneticHeading: CLLocationDirection { measured.magneticHeading }

    /// The angle from true north; negative if not known, for example without location updates.
    ///
    /// Unit: degree, 0 to below 360.
    open var trueHeading: CLLocationDirection { measured.trueHeading }

    /// The limit below which the error of `magneticHeading` stays in 68 % of cases; negative if the reading is
    /// disturbed or uncalibrated.
    ///
    /// Unit: degree.
    open var headingAccuracy: CLLocationDirection { measured.headingAccuracy }

    /// The magnetic field along the device's axis to the right, as the sensor measured it, without calibration.
    ///
    /// Unit: microtesla.
    open var x: CLHeadingComponentValue { measured.x }

    /// The magnetic field along the device's axis forward, to its top, as the sensor measured it, without calibration.
    ///
    /// Unit: microtesla.
    open var y: CLHeadingComponentValue { measured.y }

    /// The magnetic field along the device's axis up, out of its face, as the sensor measured it, without calibration.
    ///
    /// Unit: microtesla.
    open var z: CLHeadingComponentValue { measured.z }

    /// When the field was measured.
    open var timestamp: Date { measured.timestamp }

    /// Reads an archive of this class or of Apple's; nil if the magnetic heading, its accuracy or the time is missing.
    ///
    /// A subclass can archive only its own values; if one of these three is missing in its archive, all values of the
    /// heading are unknown.
    public required init?(coder: NSCoder) {
        guard
            let measured = HeadingMeasurement(coder: coder)
                ?? (Self.self == CLHeading.self ? nil : HeadingMeasurement())
        else { return nil }
        self.measured = measured
        super.init()
    }

    open func encode(with coder: NSCoder) {
        measured.encode(with: coder)
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

/// All values of one `CLHeading`.
///
/// Units and invalid values are those of the `CLHeading` properties with the same names.
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

extension HeadingMeasurement {
    private enum Key {
        static let magneticHeading = ArchiveKey(
            own: "CLHeading.magneticHeading", apple: "kCLHeadingCodingKeyMagneticHeading")
        static let trueHeading = ArchiveKey(own: "CLHeading.trueHeading", apple: "kCLHeadingCodingKeyTrueHeading")
        static let headingAccuracy = ArchiveKey(own: "CLHeading.headingAccuracy", apple: "kCLHeadingCodingKeyAccuracy")
        static let x = ArchiveKey(own: "CLHeading.x", apple: "kCLHeadingCodingKeyX")
        static let y = ArchiveKey(own: "CLHeading.y", apple: "kCLHeadingCodingKeyY")
        static let z = ArchiveKey(own: "CLHeading.z", apple: "kCLHeadingCodingKeyZ")
        static let timestamp = ArchiveKey(own: "CLHeading.timestamp", apple: "kCLHeadingCodingKeyTimestamp")
    }

    /// Reads an archive that `encode(with:)` or Apple's class wrote; nil if the magnetic heading, its accuracy or the
    /// time is missing.
    fileprivate init?(coder: NSCoder) {
        guard let magneticHeading = coder.double(Key.magneticHeading), let time = coder.double(Key.timestamp),
            let headingAccuracy = coder.double(Key.headingAccuracy)
        else { return nil }
        self.init(
            magneticHeading: magneticHeading, trueHeading: coder.double(Key.trueHeading) ?? -1,
            headingAccuracy: headingAccuracy, x: coder.double(Key.x) ?? 0, y: coder.double(Key.y) ?? 0,
            z: coder.double(Key.z) ?? 0, timestamp: Date(timeIntervalSinceReferenceDate: time))
    }

    fileprivate func encode(with coder: NSCoder) {
        coder.encode(magneticHeading, forKey: Key.magneticHeading.own)
        coder.encode(trueHeading, forKey: Key.trueHeading.own)
        coder.encode(headingAccuracy, forKey: Key.headingAccuracy.own)
        coder.encode(x, forKey: Key.x.own)
        coder.encode(y, forKey: Key.y.own)
        coder.encode(z, forKey: Key.z.own)
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: Key.timestamp.own)
    }
}
