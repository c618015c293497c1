internal import ClientVocabulary
public import Magnetism
internal import SextantJSON

/// The compass's state; a part of the answers to `status` and to requests about calibration.
public struct CompassStatus: Sendable {
    public enum State: String, Sendable {
        /// The daemon looks for the compass's chips.
        case searching
        /// No chip answers at the compass's bus address in the board's description file.
        case absent
        case ready
        /// The compass was found earlier but no longer measures, or its bus fails.
        case failed
    }

    public var state: State
    /// The magnetometer's name; `accelerometer` is the accelerometer's name, and `place` the magnetometer's bus and
    /// address; each is nil if its chip was not found.
    public var magnetometer: String?
    public var accelerometer: String?
    public var place: String?
    /// The compass's present fault, in a sentence; nil if there is none.
    public var detail: String?
    public var samples: UInt64 = 0
    public var failures: UInt64 = 0
    public var secondsSinceSample: Double?
    /// The number of samples that the compass takes per second; nil while no client wants headings.
    public var rate: Double?
    public var calibration: CompassCalibration?
    /// Why the stored compass calibration is not used, in a sentence; nil if it is used, or if none is stored.
    public var calibrationProblem: String?
    /// The accuracy of the newest heading, 68 %; nil if that heading is invalid.
    ///
    /// Unit: degrees.
    public var headingAccuracy: Double?

    public init(state: State) { self.state = state }

    func appendMembers(to text: inout TextBuffer) {
        text.member(.state, state.rawValue)
        text.member(.magnetometer, magnetometer)
        text.member(.accelerometer, accelerometer)
        text.member(.place, place)
        text.member(.detail, detail)
        text.member(.samples, samples)
        text.member(.failures, failures)
        text.member(.secondsSinceSample, secondsSinceSample, decimals: 3)
        text.member(.rate, rate, decimals: 1)
        text.member(.headingAccuracy, headingAccuracy, decimals: 1)
        text.member(.calibrationProblem, calibrationProblem)
        guard let calibration else { return }
        text.beginObject(.calibration)
        append(calibration, to: &text)
        text.endElement()
    }

    private func append(_ calibration: CompassCalibration, to text: inout TextBuffer) {
        text.member(.reach, literal: calibration.reach == .spatial ? "spatial" : "planar")
        text.beginArray(.offset)
        append(calibration.offset, decimals: 3, to: &text)
        text.endArray()
        text.beginArray(.matrix)
        let columns = calibration.matrix.columns
        for row in 0..<3 {
            text.append(0x5B)
            append(SIMD3(columns.0[row], columns.1[row], columns.2[row]), decimals: 6, to: &text)
            text.endArray()
        }
        text.endArray()
        if let axis = calibration.axis {
            text.beginArray(.axis)
            append(axis, decimals: 4, to: &text)
            text.endArray()
        }
        text.member(.norm, calibration.norm, decimals: 3)
        text.member(.residual, calibration.residual, decimals: 3)
        text.member(.levelHeadingError, calibration.levelHeadingError, decimals: 2)
        text.member(.tiltedHeadingError, calibration.tiltedHeadingError, decimals: 2)
    }

    private func append(_ vector: SIMD3<Double>, decimals: Int, to text: inout TextBuffer) {
        for axis in 0..<3 where text.append(vector[axis], decimals: decimals) { text.append(0x2C) }
    }
}
