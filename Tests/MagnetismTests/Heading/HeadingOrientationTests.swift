import Magnetism
import SextantUnits
import Testing

@Suite("Heading orientation")
struct HeadingOrientationTests {
    @Test(arguments: [
        (HeadingOrientation.portrait, 0.0), (.landscapeLeft, 90), (.landscapeRight, -90), (.portraitUpsideDown, 180),
    ])
    func `on a level board each orientation shifts the heading by a multiple of 90 degrees`(
        orientation: HeadingOrientation, shift: Double
    ) {
        var board = CompassBoard(seed: 1)
        let portrait = board.settled(Attitude(heading: 300))
        let turned = portrait.turned(to: orientation)
        #expect(turned.orientation == orientation)
        // The accelerometer's noise makes it not quite level.
        #expect(abs(headingDifference(turned.magneticHeading, portrait.magneticHeading + shift)) < 0.01)
        #expect(abs(turned.headingAccuracy - portrait.headingAccuracy) < 0.01)
        #expect(turned.field == portrait.field && turned.instant == portrait.instant)
        #expect(turned.turned(to: .portrait) == portrait)
    }

    @Test func `on a board tilted about both axes the heading is the direction of the chosen front`() {
        var board = CompassBoard(seed: 2)
        (board.fieldNoise, board.forceNoise) = (0, 0)
        let attitude = Attitude(heading: 100, pitch: 30, roll: 30)
        // East and north of the device's right side.
        let x = SIMD2(
            attitude.deviceFrame(SIMD3(1, 0, 0)).x, attitude.deviceFrame(SIMD3(0, 1, 0)).x)
        let expected = Trigonometry.arctangent(y: x.x, x: x.y) * Trigonometry.degreesPerRadian
        let heading = board.settled(attitude)
        let right = heading.turned(to: .landscapeLeft)
        #expect(abs(headingDifference(right.magneticHeading, expected)) < 1e-6)
        #expect(abs(headingDifference(right.magneticHeading, 190)) > 10)
        let left = heading.turned(to: .landscapeRight)
        #expect(abs(headingDifference(left.magneticHeading, right.magneticHeading + 180)) < 1e-6)
    }

    @Test func `a heading can be made for a level board without tilt data`() {
        for degrees in [0.0, 45, 359, -10] {
            let heading = CompassHeading(
                instant: .zero, field: SIMD3(1, 2, 3), magneticHeading: degrees, headingAccuracy: 3, declination: 20)
            let right = heading.turned(to: .landscapeLeft)
            #expect(abs(headingDifference(heading.magneticHeading, degrees)) < 1e-9)
            #expect(abs(headingDifference(right.magneticHeading, degrees + 90)) < 1e-9)
            #expect(heading.trueHeading.map { abs(headingDifference($0, degrees + 20)) < 1e-9 } == true)
            #expect(right.headingAccuracy == 3)
        }
    }

    @Test func `without a heading no orientation has one`() {
        var board = CompassBoard(seed: 3)
        let raw = board.settled(Attitude(heading: 10), isCalibrated: false)
        for orientation in HeadingOrientation.allCases {
            let turned = raw.turned(to: orientation)
            #expect(turned.problem == .uncalibrated && turned.headingAccuracy == -1)
        }
    }
}
