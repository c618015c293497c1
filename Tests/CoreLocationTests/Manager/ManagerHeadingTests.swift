import Foundation
import Testing

@testable import CoreLocation

@MainActor @Suite("Managers: headings")
struct ManagerHeadingTests {
    let daemon = FakeDaemon()
    let recorder = Recorder()

    private func heading(_ degrees: Int, _ more: String = "") -> String {
        """
        {"event":"heading","time":"2026-05-01T10:00:00.250Z","magneticHeading":\(degrees).00,"trueHeading":-1.00,\
        "headingAccuracy":2.50,"x":1.500,"y":20.000,"z":-43.000\(more)}
        """
    }

    @Test func `heading requests follow the manager's properties, and changes are sent while headings run`()
        async throws
    {
        let client = daemon.client
        let manager = await recorder.manager(client)
        #expect(manager.headingFilter == 1 && manager.headingOrientation == .portrait && manager.heading == nil)
        manager.headingFilter = 5
        manager.startUpdatingHeading()
        manager.headingFilter = kCLHeadingFilterNone
        manager.headingOrientation = .landscapeLeft
        manager.stopUpdatingHeading()
        manager.headingFilter = 2
        await client.settled()
        let requests = daemon.requests()
        #expect(
            requests.map { $0["request"] as? String }
                == ["watchHeading", "changeHeading", "changeHeading", "unwatchHeading"])
        #expect(requests.compactMap { $0["filter"] as? Double } == [5, 0, 0])
        #expect(requests.compactMap { $0["orientation"] as? String } == ["portrait", "portrait", "landscapeLeft"])
    }

    @Test(arguments: [CLDeviceOrientation.unknown, .faceUp, .faceDown])
    func `HEAD-07: an orientation without an upper side leaves the previous one in effect`(
        orientation: CLDeviceOrientation
    )
        async throws
    {
        let manager = await recorder.manager(daemon.client)
        manager.headingOrientation = .landscapeRight
        manager.headingOrientation = orientation
        #expect(manager.headingOrientation == .landscapeRight)
    }

    @Test func `HEAD-09: starting twice sends one request, and stopping and starting sends another`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingHeading()
        manager.startUpdatingHeading()
        await client.settled()
        #expect(daemon.requests().count == 1)
        manager.stopUpdatingHeading()
        manager.startUpdatingHeading()
        await client.settled()
        #expect(daemon.requests("watchHeading").count == 2)
    }

    @Test func `a heading has the values from the daemon, and stays in the manager's heading property`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingHeading()
        await client.settled()
        daemon.send(heading(123))
        await client.settled()
        #expect(recorder.calls == ["heading 123 -1"])
        let told = try #require(manager.heading)
        #expect(told.magneticHeading == 123 && told.trueHeading == -1 && told.headingAccuracy == 2.5)
        #expect(told.x == 1.5 && told.y == 20 && told.z == -43)
        #expect(told.timestamp.timeIntervalSince1970 == 1_777_629_600.25)
        manager.stopUpdatingHeading()
        daemon.send(heading(124))
        await client.settled()
        #expect(manager.heading?.magneticHeading == 123)
    }

    @Test func `headings still in flight at the stop are reported neither then nor after the next start`() async throws
    {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingHeading()
        await client.settled()
        daemon.send(heading(1))
        manager.stopUpdatingHeading()
        manager.startUpdatingHeading()
        daemon.send(heading(2))
        await client.settled()
        daemon.send(heading(3))
        await client.settled()
        #expect(recorder.calls.last == "heading 3 -1" && !recorder.calls.contains("heading 1 -1"))
    }

    @Test func `a heading for one manager is not reported to another`() async throws {
        let client = daemon.client
        let first = await recorder.manager(client)
        let second = await recorder.manager(client)
        first.startUpdatingHeading()
        second.startUpdatingHeading()
        await client.settled()
        daemon.send(heading(7, ",\"session\":1"))
        await client.settled()
        #expect(recorder.calls == ["heading 7 -1"])
        #expect(first.heading == nil && second.heading?.magneticHeading == 7)
    }

    @Test func `HEAD-08: the calibration display is shown only when the delegate agrees, and can be dismissed`()
        async throws
    {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingHeading()
        await client.settled()
        daemon.send(#"{"event":"headingCalibration","wanted":true}"#)
        await client.settled()
        #expect(recorder.calls == ["calibration?"])
        #expect(daemon.requests("displayHeadingCalibration").isEmpty)
        recorder.displaysCalibration = true
        daemon.send(#"{"event":"headingCalibration","wanted":false}"#)
        daemon.send(#"{"event":"headingCalibration","wanted":true}"#)
        await client.settled()
        #expect(recorder.calls == ["calibration?", "calibration?"])
        // What the delegate answered has left too.
        await client.settled()
        #expect(daemon.requests("displayHeadingCalibration").count == 1)
        manager.dismissHeadingCalibrationDisplay()
        await client.settled()
        #expect(daemon.requests("dismissHeadingCalibration").count == 1)
    }

    @Test func `a compass failure is error 3, reported only to managers with headings running`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startUpdatingLocation()
        await client.settled()
        daemon.send(#"{"event":"failed","errorCode":3}"#)
        await client.settled()
        #expect(recorder.calls.isEmpty)
        manager.startUpdatingHeading()
        await client.settled()
        daemon.send(#"{"event":"failed","errorCode":3}"#)
        await client.settled()
        #expect(recorder.calls == ["failed 3"])
    }

    @Test func `headings resume on the next connection`() async throws {
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.headingFilter = 3
        manager.startUpdatingHeading()
        await client.settled()
        daemon.forgetRequests()
        daemon.hangUp()
        await client.settled()
        await client.settled()
        #expect(daemon.requests("watchHeading").first?["filter"] as? Double == 3)
        await client.settled()
        daemon.send(heading(9))
        await client.settled()
        #expect(recorder.calls.last == "heading 9 -1")
    }

    @Test func `HEAD-01: headingAvailable follows the daemon, also when it changes later`() async throws {
        let client = daemon.client
        _ = await recorder.manager(client)
        #expect(!client.has("heading", unlessKnown: false))
        daemon.send(#"{"event":"capabilities","capabilities":["standard","heading"]}"#)
        await client.settled()
        #expect(client.has("heading", unlessKnown: false))
    }
}
