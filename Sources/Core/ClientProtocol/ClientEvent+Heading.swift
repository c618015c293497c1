internal import ClientVocabulary
public import Magnetism
public import SextantJSON
public import SextantUnits

/// One heading as it is reported to a client.
public struct HeadingObject: Sendable, Equatable {
    /// The heading from magnetic north, clockwise; nil if the measurement gives no direction.
    ///
    /// Unit: degrees, 0 to below 360.
    public var magneticHeading: Double?
    /// The heading from true north, clockwise; nil if the heading or the declination is not known.
    ///
    /// Unit: degrees, 0 to below 360.
    public var trueHeading: Double?
    /// The accuracy of the heading, 68 %; nil if the compass is uncalibrated or disturbed.
    ///
    /// Unit: degrees.
    public var accuracy: Double?
    /// The magnetic field as the chip measured it, without calibration, along the axes of the device.
    ///
    /// Unit: microtesla.
    public var field: SIMD3<Double>
    /// The time of the measurement; nil if no clock of the board can be trusted.
    public var time: UTCInstant?

    public init(
        magneticHeading: Double?, trueHeading: Double?, accuracy: Double?, field: SIMD3<Double>, time: UTCInstant?
    ) {
        self.magneticHeading = magneticHeading
        self.trueHeading = trueHeading
        self.accuracy = accuracy
        self.field = field
        self.time = time
    }
}

/// Events for clients that want headings.
extension ClientEvent {
    /// Appends a heading event; as in Core Location, a negative heading or accuracy stands for one that is not known.
    public static func append(_ heading: HeadingObject, session: UInt8 = 0, to text: inout TextBuffer) {
        text.begin(.heading)
        appendSession(session, to: &text)
        text.member(.time, heading.time)
        text.member(.magneticHeading, heading.magneticHeading.map(turn) ?? -1, decimals: 2)
        text.member(.trueHeading, heading.trueHeading.map(turn) ?? -1, decimals: 2)
        text.member(.headingAccuracy, heading.accuracy ?? -1, decimals: 2)
        appendField(heading.field, to: &text)
        end(&text)
    }

    /// The angle that is written, in degrees: 0 instead of one that two decimals would round to 360.00.
    private static func turn(_ degrees: Double) -> Double { degrees >= 359.995 ? 0 : degrees }

    /// Appends the answer to a `watchHeading` or `unwatchHeading` request.
    public static func appendWatchingHeading(
        _ isWatching: Bool, session: UInt8 = 0, id: String?, to text: inout TextBuffer
    ) {
        text.begin(.watchingHeading)
        text.member(.id, id)
        appendSession(session, to: &text)
        text.member(.enabled, isWatching)
        end(&text)
    }

    /// Appends the event that tells a client whether to ask the user to turn the device about for calibration.
    public static func appendHeadingCalibration(
        isWanted: Bool, session: UInt8 = 0, to text: inout TextBuffer
    ) {
        text.begin(.headingCalibration)
        appendSession(session, to: &text)
        text.member(.wanted, isWanted)
        end(&text)
    }

    /// Appends the event that tells agents (programs that ask the user) to show or to hide a request to turn the device
    /// about.
    public static func appendCalibrationDisplay(isShown: Bool, to text: inout TextBuffer) {
        text.begin(.calibrationDisplay)
        text.member(.enabled, isShown)
        end(&text)
    }

    // MARK: Events for operators

    /// Appends a raw sample of the compass's chips: the magnetic field and the acceleration, along the magnetometer's
    /// axes.
    public static func append(_ sample: CompassSample, time: UTCInstant?, to text: inout TextBuffer) {
        text.begin(.compassSample)
        text.member(.time, time)
        appendField(sample.field, to: &text)
        if sample.isSaturated { text.member(.saturated, true) }
        text.member(.ax, sample.acceleration?.x, decimals: 4)
        text.member(.ay, sample.acceleration?.y, decimals: 4)
        text.member(.az, sample.acceleration?.z, decimals: 4)
        end(&text)
    }

    public static func append(_ status: CompassStatus, id: String?, to text: inout TextBuffer) {
        text.begin(.compass)
        text.member(.id, id)
        status.appendMembers(to: &text)
        end(&text)
    }

    private static func appendField(_ field: SIMD3<Double>, to text: inout TextBuffer) {
        text.member(.x, field.x, decimals: 3)
        text.member(.y, field.y, decimals: 3)
        text.member(.z, field.z, decimals: 3)
    }
}
