public import ClientVocabulary
public import Magnetism

/// A client's settings for its headings.
public struct HeadingSettings: Sendable, Hashable {
    /// A heading is reported if it differs by at least this from the heading reported most recently.
    ///
    /// Unit: degrees; nil reports every measured heading.
    public var filter: Double?
    public var orientation: DeviceOrientation

    public init(filter: Double? = HeadingSettings.defaultFilter, orientation: DeviceOrientation = .portrait) {
        self.filter = filter
        self.orientation = orientation
    }

    /// The default of the smallest change of heading that is reported; degrees.
    public static let defaultFilter = 1.0
    /// The accepted values of the smallest change of heading that is reported; degrees.
    public static let filterRange: ClosedRange<Double> = 0...180
}

extension DeviceOrientation {
    /// The side of the device from which headings are measured in this orientation; nil if it lies flat or the
    /// orientation is unknown, since the side then stays as it was.
    public var heading: HeadingOrientation? {
        switch self {
        case .portrait: .portrait
        case .portraitUpsideDown: .portraitUpsideDown
        case .landscapeLeft: .landscapeLeft
        case .landscapeRight: .landscapeRight
        case .unknown, .faceUp, .faceDown: nil
        }
    }
}

/// An operator's request about the compass.
public enum CompassRequest: Sendable, Equatable {
    case status
    /// Start or stop the sending of every raw sample of the compass.
    case watch(isEnabled: Bool)
    /// Use this compass calibration from now on; `magnetometer` is the name of the chip for which it was made, nil if
    /// that is not known.
    case calibrate(CompassCalibration, magnetometer: String?)
    case eraseCalibration
}
