import ClientProtocol
import Magnetism
import SextantUnits
import Testing

@Suite("Lines about headings")
struct HeadingLinesTests {
    @Test func `a heading has all its numbers, and unknown ones are negative`() {
        var heading = HeadingObject(
            magneticHeading: 123.456, trueHeading: 126.789, accuracy: 2.5, field: SIMD3(1.5, -20, 43.25),
            time: UTCInstant(nanoseconds: 1_795_176_000_250_000_000))
        #expect(
            text { ClientEvent.append(heading, session: 3, to: &$0) } == """
                {"event":"heading","session":3,"time":"2026-11-20T12:00:00.250Z","magneticHeading":123.46,\
                "trueHeading":126.79,"headingAccuracy":2.50,"x":1.500,"y":-20.000,"z":43.250}

                """)
        heading = HeadingObject(magneticHeading: nil, trueHeading: nil, accuracy: nil, field: .zero, time: nil)
        #expect(
            text { ClientEvent.append(heading, to: &$0) } == """
                {"event":"heading","magneticHeading":-1.00,"trueHeading":-1.00,"headingAccuracy":-1.00,\
                "x":0.000,"y":0.000,"z":0.000}

                """)
    }

    @Test(arguments: [(0, "0.00"), (359.994, "359.99"), (359.995, "0.00"), (359.99999, "0.00")] as [(Double, String)])
    func `a heading that would round to 360 is written as 0`(degrees: Double, expected: String) {
        let heading = HeadingObject(
            magneticHeading: degrees, trueHeading: degrees, accuracy: 1, field: .zero, time: nil)
        #expect(text { ClientEvent.append(heading, to: &$0) }.contains("\"magneticHeading\":\(expected),"))
    }

    @Test func `a compass sample has what each chip measured in its own axes`() {
        var sample = CompassSample(
            instant: .zero, field: SIMD3(1, -2, 3), isSaturated: true, acceleration: SIMD3(0.1, -9.81, 0))
        #expect(
            text { ClientEvent.append(sample, time: nil, to: &$0) } == """
                {"event":"compassSample","x":1.000,"y":-2.000,"z":3.000,"saturated":true,"ax":0.1000,"ay":-9.8100,\
                "az":0.0000}

                """)
        sample = CompassSample(instant: .zero, field: SIMD3(1, -2, 3))
        #expect(
            text { ClientEvent.append(sample, time: nil, to: &$0) }
                == #"{"event":"compassSample","x":1.000,"y":-2.000,"z":3.000}"# + "\n")
    }

    @Test func `a compass status names its chips and lists its calibration matrix row by row`() {
        var status = CompassStatus(state: .absent)
        status.detail = "no device answers"
        #expect(
            text { ClientEvent.append(status, id: "c", to: &$0) } == """
                {"event":"compass","id":"c","state":"absent","detail":"no device answers","samples":0,"failures":0}

                """)
        status = CompassStatus(state: .ready)
        status.magnetometer = "lis3mdl"
        status.calibration = CompassCalibration(
            reach: .planar, offset: SIMD3(1, 2, 3),
            matrix: Matrix3(columns: SIMD3(1, 4, 7), SIMD3(2, 5, 8), SIMD3(3, 6, 9)), norm: 48, residual: 0.5,
            levelHeadingError: 1, tiltedHeadingError: 10)
        #expect(
            text { ClientEvent.append(status, id: nil, to: &$0) } == """
                {"event":"compass","state":"ready","magnetometer":"lis3mdl","samples":0,"failures":0,\
                "calibration":{"reach":"planar","offset":[1.000,2.000,3.000],\
                "matrix":[[1.000000,2.000000,3.000000],[4.000000,5.000000,6.000000],[7.000000,8.000000,9.000000]],\
                "norm":48.000,"residual":0.500,"levelHeadingError":1.00,"tiltedHeadingError":10.00}}

                """)
    }

    @Test func `a client is told that calibration is wanted, and an agent that it is displayed`() {
        #expect(
            text { ClientEvent.appendHeadingCalibration(isWanted: true, session: 2, to: &$0) }
                == "{\"event\":\"headingCalibration\",\"session\":2,\"wanted\":true}\n")
        #expect(
            text { ClientEvent.appendCalibrationDisplay(isShown: false, to: &$0) }
                == "{\"event\":\"calibrationDisplay\",\"enabled\":false}\n")
        #expect(
            text { ClientEvent.appendWatchingHeading(true, session: 1, id: "h", to: &$0) }
                == "{\"event\":\"watchingHeading\",\"id\":\"h\",\"session\":1,\"enabled\":true}\n")
    }
}
