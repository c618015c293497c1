import ClientProtocol
import ClientVocabulary
import Magnetism
import Testing

@testable import Engine

private func heading(_ degrees: Double?, accuracy: Double? = 2, trueHeading: Double? = nil) -> HeadingObject {
    HeadingObject(
        magneticHeading: degrees, trueHeading: trueHeading, accuracy: accuracy, field: SIMD3(20, 0, -43), time: nil)
}

@Suite("Heading session")
struct HeadingSessionTests {
    /// Which of these headings are told.
    private func told(_ headings: [HeadingObject], filter: Double? = 1) -> [Int] {
        var session = HeadingSession(HeadingSettings(filter: filter))
        return headings.indices.filter { session.takes(headings[$0]) }
    }

    private func told(_ degrees: [Double], filter: Double? = 1) -> [Int] {
        told(degrees.map { heading($0) }, filter: filter)
    }

    @Test func `HEAD-02: a change of 0.9 degrees is not reported, and one of 1.1 is`() {
        #expect(HeadingSettings().filter == 1)
        #expect(told([100, 100.9, 101.1]) == [0, 2])
        #expect(told([100, 99.1, 98.9]) == [0, 2])
    }

    @Test func `HEAD-03: across north the shorter angle counts, in both directions`() {
        #expect(HeadingFilter.turn(from: 359.5, to: 0.9).isAlmost(1.4))
        #expect(HeadingFilter.turn(from: 0.9, to: 359.5).isAlmost(1.4))
        #expect(HeadingFilter.turn(from: 10, to: 190) == 180)
        #expect(told([359.5, 0.9]) == [0, 1])
        #expect(told([359.5, 0.4]) == [0])
        #expect(told([359.5, 0.9], filter: 2) == [0])
    }

    @Test(arguments: [nil, 0] as [Double?])
    func `HEAD-04: without a filter every sample is reported`(filter: Double?) {
        #expect(told([100, 100, 100], filter: filter) == [0, 1, 2])
    }

    @Test func `small turns are measured from the last reported heading, so they add up`() {
        #expect(told((0...40).map { Double($0) * 0.26 }, filter: 2) == [0, 8, 16, 24, 32, 40])
    }

    @Test func `a heading that becomes invalid or valid is reported even if unchanged`() {
        let headings = [heading(100), heading(100, accuracy: nil), heading(100, accuracy: nil), heading(100)]
        #expect(told(headings) == [0, 1, 3])
    }

    @Test func `gaining or losing true north is reported`() {
        #expect(told([heading(100), heading(100, trueHeading: 103), heading(100)]) == [0, 1, 2])
    }

    @Test func `the absence of a heading is reported once`() {
        #expect(
            told([heading(100), heading(nil, accuracy: nil), heading(nil, accuracy: nil), heading(100)]) == [0, 1, 3])
    }

    @Test func `a changed filter applies from the next heading on, measured from the last reported one`() {
        var session = HeadingSession(HeadingSettings(filter: 10))
        #expect(session.takes(heading(0)) == true)
        session.change(to: HeadingSettings(filter: 4))
        #expect(session.takes(heading(3)) == false)
        #expect(session.takes(heading(5)) == true)
    }

    @Test(arguments: DeviceOrientation.allCases)
    func `HEAD-07: an orientation without an upper side leaves the previous one in effect`(
        orientation: DeviceOrientation
    ) {
        var session = HeadingSession(HeadingSettings(orientation: .landscapeRight))
        session.change(to: HeadingSettings(orientation: orientation))
        #expect(session.orientation == orientation.heading ?? .landscapeRight)
        #expect(
            HeadingSession(HeadingSettings(orientation: orientation)).orientation == orientation.heading ?? .portrait)
    }

    @Test func `a compass failure is reported once, and again after a heading`() {
        var session = HeadingSession(HeadingSettings())
        let told = (session.fails(), session.fails())
        #expect(told == (true, false))
        _ = session.takes(heading(1))
        let again = session.fails()
        #expect(again == true)
    }

    @Test func `HEAD-08: the user is asked to calibrate once per occasion, until it is over`() {
        var session = HeadingSession(HeadingSettings())
        #expect(asked(&session, [nil, 1, 1, 1, nil, nil, 2]) == [nil, true, nil, nil, false, nil, true])
    }

    @Test func `HEAD-08: the calibration display is shown only if the client agrees, until dismissed or calibrated`() {
        var session = HeadingSession(HeadingSettings())
        session.displayCalibration()
        #expect(!session.displaysCalibration, "nobody was asked")
        _ = session.settle(calibrationWantedFor: 1)
        #expect(!session.displaysCalibration)
        session.displayCalibration()
        #expect(session.displaysCalibration)
        session.dismissCalibration()
        #expect(!session.displaysCalibration)
        #expect(
            asked(&session, [1, nil, 2]) == [nil, nil, true], "what was dismissed is asked again for another reason")
        session.displayCalibration()
        #expect(asked(&session, [3, nil]) == [nil, false], "what is displayed need not be asked for")
        #expect(!session.displaysCalibration)
    }

    private func asked(_ session: inout HeadingSession, _ occasions: [Int?]) -> [Bool?] {
        occasions.map { session.settle(calibrationWantedFor: $0) }
    }
}

extension Double {
    fileprivate func isAlmost(_ other: Double) -> Bool { abs(self - other) < 1e-9 }
}
