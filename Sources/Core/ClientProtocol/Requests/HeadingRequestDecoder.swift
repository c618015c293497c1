internal import ClientVocabulary
internal import Magnetism

/// Decodes the requests for headings, and the members of a compass calibration.
enum HeadingRequestDecoder {
    /// - Returns: Nil if no request for headings has this name.
    static func kind(
        _ name: RequestName, _ request: inout RequestMembers
    ) throws(ClientRequestError) -> ClientRequest.Kind? {
        switch name {
        case .watchHeading: .watchHeading(try settings(&request))
        case .changeHeading: .changeHeading(try settings(&request))
        case .unwatchHeading: .unwatchHeading
        case .displayHeadingCalibration: .displayHeadingCalibration
        case .dismissHeadingCalibration: .dismissHeadingCalibration
        default: nil
        }
    }

    private static func settings(_ request: inout RequestMembers) throws(ClientRequestError) -> HeadingSettings {
        let filter = try request.number(.filter, in: HeadingSettings.filterRange, "degrees")
        let orientation = try request.word(.orientation, of: DeviceOrientation.allCases)
        return HeadingSettings(
            filter: filter ?? HeadingSettings.defaultFilter,
            orientation: orientation ?? .portrait)
    }

    /// Decodes a compass calibration in the form that `sextant compass calibrate --json` prints.
    static func calibration(_ request: inout RequestMembers) throws(ClientRequestError) -> CompassCalibration {
        let reach = try request.needed(.reach, word: ["spatial", "planar"])
        let offset = try request.needed(.offset, count: 3, in: -fields...fields, "microtesla")
        let rows = try request.neededRows(.matrix, count: 3, in: -10...10, "a number")
        return CompassCalibration(
            reach: reach == "spatial" ? .spatial : .planar, offset: SIMD3(offset[0], offset[1], offset[2]),
            matrix: Matrix3(
                columns: SIMD3(rows[0][0], rows[1][0], rows[2][0]), SIMD3(rows[0][1], rows[1][1], rows[2][1]),
                SIMD3(rows[0][2], rows[1][2], rows[2][2])),
            norm: try request.needed(
                .norm, in: reach == "spatial" ? norms : planarNorms, "microtesla for reach \(reach)"),
            residual: try request.needed(.residual, in: 0...fields, "microtesla"),
            levelHeadingError: try request.needed(.levelHeadingError, in: 0...180, "degrees"),
            tiltedHeadingError: try request.needed(.tiltedHeadingError, in: 0...180, "degrees"),
            axis: try axis(&request))
    }

    /// Decodes the axis of a calibration, a vector whose length may differ from 1 by 1 %, because its components are
    /// rounded.
    private static func axis(_ request: inout RequestMembers) throws(ClientRequestError) -> SIMD3<Double>? {
        guard let parts = try request.numbers(.axis, count: 3, in: -1...1, "a number") else { return nil }
        let axis = SIMD3(parts[0], parts[1], parts[2])
        let length = (axis * axis).sum().squareRoot()
        guard (0.99...1.01).contains(length) else {
            throw .badValue(key: MemberKey.axis.name, expected: "three numbers whose squares add up to 1")
        }
        return axis / length
    }

    /// The largest offset or residual that a compass calibration can have, in microtesla; a magnet nearby can cause
    /// that much, and chips can measure it.
    private static let fields = 5000.0
    /// The accepted norms of the magnetic field in microtesla: those of the Earth's field, 22 to 67, widened by the
    /// scale errors of chips.
    private static let norms = 15.0...75.0
    /// The accepted strengths of the magnetic field's horizontal part in microtesla; without a horizontal part a
    /// compass has no direction.
    private static let planarNorms = 2.0...75.0
}
