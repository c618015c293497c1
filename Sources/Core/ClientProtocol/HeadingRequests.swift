public import Magnetism

/// How a client wants headings.
public struct HeadingSettings: Sendable, Hashable {
    /// By how much the heading must have changed since the last that was told.
    ///
    /// Unit: degrees; nil for every sample.
    public var filter: Double?
    public var orientation: DeviceOrientation

    public init(filter: Double? = HeadingSettings.defaultFilter, orientation: DeviceOrientation = .portrait) {
        self.filter = filter
        self.orientation = orientation
    }

    /// Degrees, where a client says nothing.
    public static let defaultFilter = 1.0
    /// Degrees; the range of `filter`.
    public static let filterRange: ClosedRange<Double> = 0...180
}

/// How a device is held, by the names of Core Location.
public enum DeviceOrientation: String, Sendable, Hashable, CaseIterable {
    case unknown
    case portrait
    case portraitUpsideDown
    case landscapeLeft
    case landscapeRight
    case faceUp
    case faceDown

    /// Which of the device's sides the heading is that of; nil where it does not say, and leaves that as it was.
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

/// What an operator asks of the compass.
public enum CompassRequest: Sendable, Equatable {
    case status
    /// Every sample from now on, as the chips measured it, or no more.
    case watch(isEnabled: Bool)
    /// This calibration from now on; `magnetometer` is the chip that it is of, where that is known.
    case calibrate(CompassCalibration, magnetometer: String?)
    case eraseCalibration
}
