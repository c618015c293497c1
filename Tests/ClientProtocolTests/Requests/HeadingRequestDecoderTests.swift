import ClientProtocol
import ClientVocabulary
import Magnetism
import Testing

@Suite("Decoder of the requests of those who want headings")
struct HeadingRequestDecoderTests {
    @Test(
        arguments: [
            (#""watchHeading""#, .watchHeading(HeadingSettings(filter: 1, orientation: .portrait))),
            (
                #""watchHeading","filter":0,"orientation":"landscapeLeft""#,
                .watchHeading(HeadingSettings(filter: 0, orientation: .landscapeLeft))
            ),
            (
                #""changeHeading","filter":2.5,"orientation":"faceUp""#,
                .changeHeading(HeadingSettings(filter: 2.5, orientation: .faceUp))
            ),
            (#""unwatchHeading""#, .unwatchHeading), (#""displayHeadingCalibration""#, .displayHeadingCalibration),
            (#""dismissHeadingCalibration""#, .dismissHeadingCalibration),
        ] as [(String, ClientRequest.Kind)])
    func `a heading request carries its session, 0 by default`(members: String, kind: ClientRequest.Kind)
        throws
    {
        #expect(try request(members) == ClientRequest(kind))
        #expect(try request(members + #","session":63,"id":"i""#) == ClientRequest(kind, id: "i", session: 63))
    }

    @Test func `a heading filter is 0 to 180 degrees, and an orientation is one of seven words`() {
        #expect(
            problem(#""watchHeading","filter":-1"#) == .badValue(key: "filter", expected: "degrees from 0 to 180"))
        #expect(problem(#""watchHeading","filter":181"#) != nil)
        #expect(problem(#""watchHeading","orientation":"sideways""#) != nil)
        #expect(problem(#""unwatchHeading","filter":1"#) == .unknownKey("filter"))
    }

    private static let calibration = """
        "setCompassCalibration","magnetometer":"lis3mdl","reach":"spatial","offset":[1,-2.5,3],\
        "matrix":[[1,2,3],[4,5,6],[7,8,9]],"norm":48.6,"residual":0.4,"levelHeadingError":0.5,"tiltedHeadingError":0.7
        """

    @Test func `a calibration's matrix is read row by row`() throws {
        let expected = CompassCalibration(
            reach: .spatial, offset: SIMD3(1, -2.5, 3),
            matrix: Matrix3(columns: SIMD3(1, 4, 7), SIMD3(2, 5, 8), SIMD3(3, 6, 9)), norm: 48.6, residual: 0.4,
            levelHeadingError: 0.5, tiltedHeadingError: 0.7)
        #expect(
            try request(Self.calibration)
                == ClientRequest(.operator(.compass(.calibrate(expected, magnetometer: "lis3mdl")))))
    }

    @Test func `a planar calibration's axis is scaled to length 1`() throws {
        let turned = Self.calibration.split(separator: "spatial", maxSplits: 1).joined(separator: "planar")
        guard case .operator(.compass(.calibrate(let read, _))) = try request(turned + #","axis":[0.6,0,0.8001]"#).kind
        else { return #expect(Bool(false), "no calibration was read") }
        let axis = try #require(read.axis)
        #expect(abs(axis.x - 0.6) < 1e-4 && axis.y == 0 && abs((axis * axis).sum() - 1) < 1e-12)
        #expect(
            problem(turned + #","axis":[0.6,0,0.6]"#)
                == .badValue(key: "axis", expected: "three numbers whose squares add up to 1"))
    }

    @Test(
        arguments: [
            ("\"offset\":[1,-2.5,3]", "\"offset\":[1,-2.5]"), ("[7,8,9]", "[7,8,\"9\"]"), ("[7,8,9]", "[7,8]"),
            (",[7,8,9]", ""),
            ("[7,8,9]", "[7,8,90]"), ("48.6", "-48.6"), ("\"norm\":48.6,", ""),
            ("spatial", "perfect"), ("\"residual\":0.4", "\"residual\":null"),
        ])
    func `a calibration with a missing, extra or out-of-range number is refused`(
        part: String, wrong: String
    ) {
        let parts = Self.calibration.split(separator: part, maxSplits: 1, omittingEmptySubsequences: false)
        #expect(parts.count == 2 && problem(parts.joined(separator: wrong)) != nil)
    }

    @Test(
        arguments: [
            ("spatial", 15, true), ("spatial", 14.9, false), ("spatial", 75, true), ("spatial", 75.1, false),
            ("planar", 2, true), ("planar", 1.9, false), ("planar", 76, false),
        ])
    func `a calibration's field norm must be one that a fit can give`(reach: String, norm: Double, isTaken: Bool) throws
    {
        let members = Self.calibration.split(separator: "48.6", maxSplits: 1).joined(separator: "\(norm)")
            .split(separator: "spatial", maxSplits: 1).joined(separator: reach)
        guard !isTaken else { return #expect(problem(members) == nil) }
        #expect(
            problem(members)
                == .badValue(
                    key: "norm",
                    expected: "microtesla for reach \(reach) from \(reach == "spatial" ? "15" : "2") to 75"))
    }

    @Test func `an operator can request the compass status, samples, and to forget a calibration`() throws {
        #expect(try request(#""compassStatus""#).kind == .operator(.compass(.status)))
        #expect(try request(#""watchCompass""#).kind == .operator(.compass(.watch(isEnabled: true))))
        #expect(try request(#""watchCompass","enabled":false"#).kind == .operator(.compass(.watch(isEnabled: false))))
        #expect(try request(#""eraseCompassCalibration""#).kind == .operator(.compass(.eraseCalibration)))
    }
}
