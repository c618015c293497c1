import DaemonClient
import Foundation
import Testing

@testable import CoreLocation

@MainActor @Suite("Managers: regions, visits and significant changes")
struct ManagerRegionsTests {
    static let home = """
        {"event":"registration","kind":"region","identifier":"home","latitude":1,"longitude":2,"radius":100,\
        "notifyOnEntry":false,"notifyOnExit":true,"state":"inside"}
        """
    let recorder = Recorder()

    private static func circle(_ identifier: String) -> CLCircularRegion {
        CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 3, longitude: 4), radius: 50, identifier: identifier)
    }

    private func crossing(_ number: Int, _ transition: String, of identifier: String = "home") -> String {
        """
        {"event":"regionEvent","number":\(number),"identifier":"\(identifier)","transition":"\(transition)",\
        "time":"2026-05-01T10:00:00.000Z"}
        """
    }

    @Test func `regions of earlier runs are listed, and a new one is once the daemon has accepted it`() async throws {
        let daemon = FakeDaemon(kept: [Self.home])
        let client = daemon.client
        let manager = await recorder.manager(client)
        #expect(manager.monitoredRegions.map(\.identifier) == ["home"])
        manager.startMonitoring(for: Self.circle("work"))
        #expect(manager.monitoredRegions.count == 1)
        await client.settled()
        daemon.send(#"{"event":"monitoring","identifier":"work"}"#)
        await client.settled()
        #expect(recorder.calls == ["monitoring work"])
        #expect(manager.monitoredRegions.map(\.identifier).sorted() == ["home", "work"])
    }

    @Test func `a region changed while the list of earlier ones comes keeps the change`() throws {
        var registry = RegionRegistry()
        let changed = try #require(WatchedRegion(Self.circle("home")))
        let line = try #require(DaemonLine(Array(Self.home.utf8)))
        for _ in ["new", "known"] {
            registry.beginAsking()
            registry.propose(changed, identifier: "home")
            registry.note(line)
            registry.finishAsking()
            registry.confirm("home")
            #expect(registry.watched("home") == changed)
        }
    }

    @Test func `a refused region is reported with its error code, and not listed`() async throws {
        let daemon = FakeDaemon()
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startMonitoring(for: Self.circle("work"))
        await client.settled()
        daemon.send(#"{"event":"monitoringFailed","identifier":"work","errorCode":5,"reason":"limit"}"#)
        await client.settled()
        #expect(recorder.calls == ["unmonitored work 5"])
        #expect(manager.monitoredRegions.isEmpty)
        let sentence = "The program has as many regions as its manifest's maximumRegions allows."
        #expect(recorder.reasons == [sentence])
    }

    @Test func `delays are told with their reason, and a region that is too small with a better one`() async throws {
        let daemon = FakeDaemon(kept: [Self.home])
        let client = daemon.client
        let manager = await recorder.manager(client)
        daemon.send(
            #"{"event":"monitoringFailed","identifier":"home","errorCode":7,"reason":"smallRadius","radius":20}"#,
            #"{"event":"monitoringFailed","identifier":"home","errorCode":6,"reason":"smallRadius","radius":20}"#,
            #"{"event":"monitoringFailed","errorCode":6,"reason":"noSky"}"#)
        await client.settled()
        #expect(recorder.calls == ["unmonitored home 7", "unmonitored home 6", "unmonitored  6"])
        #expect(manager.monitoredRegions.count == 1, "the region is monitored")
        for error in recorder.errors.prefix(2) {
            let better = (error as? CLError)?.alternateRegion as? CLCircularRegion
            #expect(better?.identifier == "home" && better?.radius == 20)
        }
        #expect(recorder.reasons.last??.contains("clearer view of the sky") == true)
    }

    @Test func `a denial fails every region and the significant changes once, and any new region`() async throws {
        let daemon = FakeDaemon(kept: [Self.home])
        let client = daemon.client
        let manager = await recorder.manager(client)
        #expect(manager.monitoredRegions.count == 1)
        manager.startMonitoringSignificantLocationChanges()
        await client.settled()
        daemon.send(
            #"{"event":"authorization","status":"denied","accuracyAuthorization":"full","servicesEnabled":true}"#,
            #"{"event":"authorization","status":"restricted","accuracyAuthorization":"full","servicesEnabled":true}"#)
        await client.settled()
        #expect(
            recorder.calls == [
                "authorization denied", "failed 1", "unmonitored home 4", "authorization restricted",
            ])
        #expect(recorder.reasons.allSatisfy { $0?.contains("sextant clients allow") == true })
        #expect(manager.monitoredRegions.count == 1, "the registration is kept")
        recorder.calls = []
        manager.startMonitoring(for: Self.circle("work"))
        await client.settled()
        daemon.send(#"{"event":"monitoring","identifier":"work"}"#)
        await client.settled()
        #expect(recorder.calls == ["unmonitored work 4"])
        #expect(recorder.reasons.last??.contains("sextant clients allow") == true)
        daemon.send(
            #"{"event":"authorization","status":"denied","accuracyAuthorization":"full","servicesEnabled":false}"#,
            #"{"event":"monitoring","identifier":"work"}"#)
        await client.settled()
        #expect(recorder.reasons.last??.contains("sextant services on") == true)
        #expect(manager.monitoredRegions.count == 2)
    }

    @Test func `visits, changes and regions fail at once where the manifest states no purpose`() async throws {
        let daemon = FakeDaemon()
        daemon.greet(with: ["status": "notDetermined", "purposes": ["whenInUse": false]])
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startMonitoringVisits()
        manager.startMonitoringSignificantLocationChanges()
        await client.settled()
        manager.startMonitoring(for: Self.circle("work"))
        await client.settled()
        daemon.send(#"{"event":"monitoring","identifier":"work"}"#)
        await client.settled()
        #expect(recorder.calls == ["failed 1", "failed 1", "unmonitored work 4"])
        let reasons = recorder.errors.map { "\($0)" }
        #expect(reasons.allSatisfy { $0.contains("purpose.whenInUse") }, "\(reasons)")
    }

    @Test func `significant changes that begin while the program is denied fail at once`() async throws {
        let daemon = FakeDaemon()
        daemon.greet(with: ["status": "denied"])
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startMonitoringSignificantLocationChanges()
        await client.settled()
        #expect(recorder.calls == ["failed 1"])
    }

    @Test
    func `a thousand regions registered at once all reach the daemon, even if it was away`() async throws {
        let daemon = FakeDaemon()
        let client = daemon.client
        let manager = await recorder.manager(client)
        daemon.hangUp()
        for number in 0..<1_000 { manager.startMonitoring(for: Self.circle("region \(number)")) }
        await client.settled()
        await client.settled()
        let identifiers = Set(daemon.requests("monitorRegion").compactMap { $0["identifier"] as? String })
        #expect(identifiers.count == 1_000)
    }

    @Test func `a region that the daemon finds malformed is reported as a monitoring failure`() async throws {
        let daemon = FakeDaemon()
        let client = daemon.client
        let manager = await recorder.manager(client)
        let nowhere = CLLocationCoordinate2D(latitude: .nan, longitude: 4)
        manager.startMonitoring(for: CLCircularRegion(center: nowhere, radius: 50, identifier: "nowhere"))
        await client.settled()
        let id = try #require(daemon.requests("monitorRegion").first?["id"] as? String)
        daemon.send(#"{"event":"error","id":"\#(id)","code":"malformed","message":"latitude is missing."}"#)
        await client.settled()
        #expect(recorder.calls == ["unmonitored nowhere 5"])
        #expect(recorder.reasons == ["The daemon refused the request: latitude is missing."])
        #expect(manager.monitoredRegions.isEmpty)
    }

    @Test func `every manager is told of a crossing, and then it is acknowledged`() async throws {
        let daemon = FakeDaemon(kept: [Self.home])
        let client = daemon.client
        let first = await recorder.manager(client)
        let second = await recorder.manager(client)
        var acknowledgedEarly = false
        recorder.during = { _, _ in acknowledgedEarly = acknowledgedEarly || !daemon.requests("acknowledge").isEmpty }
        daemon.send(crossing(7, "exit"))
        await client.settled()
        await client.settled()
        #expect(recorder.calls == ["outside home", "exit home", "outside home", "exit home"])
        #expect(daemon.requests("acknowledge").map { $0["number"] as? Int } == [7])
        #expect(!acknowledgedEarly)
        #expect(first.delegate === second.delegate)
    }

    @Test func `a repeated event number is acknowledged and not reported again`() async throws {
        let daemon = FakeDaemon(kept: [Self.home])
        let client = daemon.client
        let manager = await recorder.manager(client)
        daemon.send(crossing(7, "exit"))
        await client.settled()
        daemon.send(crossing(7, "exit"))
        await client.settled()
        await client.settled()
        #expect(recorder.calls == ["outside home", "exit home"])
        #expect(daemon.requests("acknowledge").count == 2)
        #expect(manager.delegate === recorder)
    }

    @Test func `a crossing without its notify flag is reported only as a state`() async throws {
        let daemon = FakeDaemon(kept: [Self.home])
        let client = daemon.client
        let manager = await recorder.manager(client)
        daemon.send(crossing(1, "enter"))
        await client.settled()
        #expect(recorder.calls == ["inside home"])
        #expect(manager.delegate === recorder)
    }

    @Test func `an event that has an earlier one's number, after the card refused that, is reported`() async throws {
        let daemon = FakeDaemon(kept: [Self.home])
        let client = daemon.client
        let manager = await recorder.manager(client)
        daemon.send(crossing(7, "exit"), crossing(7, "enter"))
        await client.settled()
        await client.settled()
        #expect(recorder.calls == ["outside home", "exit home", "inside home"])
        #expect(manager.delegate === recorder)
    }

    @Test func `events that arrived before there was a delegate wait for it`() async throws {
        let daemon = FakeDaemon(kept: [Self.home])
        let client = daemon.client
        let manager = CLLocationManager(client: client)
        await client.settled()
        let visit = """
            {"event":"visit","number":2,"arrival":"2026-05-01T09:00:00.000Z","latitude":1,"longitude":2,\
            "horizontalAccuracy":30}
            """
        daemon.send(crossing(1, "exit"), visit)
        await client.settled()
        #expect(daemon.requests("acknowledge").isEmpty)
        manager.delegate = recorder
        await client.settled()
        await client.settled()
        #expect(recorder.calls == ["outside home", "exit home", "visit arrival"])
        #expect(daemon.requests("acknowledge").map { $0["number"] as? Int } == [1, 2])
    }

    /// A delegate that keeps the last visit.
    private final class Visited: NSObject, CLLocationManagerDelegate {
        var visit: CLVisit?

        func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) { self.visit = visit }
    }

    @Test func `SLEEP-05: a visit that nobody followed has ranges of dates`() async throws {
        let daemon = FakeDaemon()
        let client = daemon.client
        let manager = CLLocationManager(client: client)
        let delegate = Visited()
        manager.delegate = delegate
        await client.settled()
        daemon.send(
            """
            {"event":"visit","number":2,"arrival":"2026-05-01T09:00:00.000Z","latitude":1,"longitude":2,\
            "arrivalNotBefore":"2026-05-01T08:00:00.000Z","arrivalNotAfter":"2026-05-01T09:00:00.000Z"}
            """)
        await client.settled()
        await client.settled()
        let visit = try #require(delegate.visit)
        let range = try #require(visit.sextantArrivalRange)
        #expect(range.upperBound == visit.arrivalDate)
        #expect(range.upperBound.timeIntervalSince(range.lowerBound) == 3600)
        #expect(visit.sextantDepartureRange == nil)
    }

    @Test func `a crossing of an unknown region is looked up, and acknowledged if no such region exists`() async throws
    {
        let daemon = FakeDaemon()
        let client = daemon.client
        let manager = await recorder.manager(client)
        daemon.keep([Self.home])
        daemon.send(crossing(1, "exit"), crossing(2, "exit", of: "elsewhere"))
        await client.settled()
        await client.settled()
        await client.settled()
        #expect(recorder.calls == ["outside home", "exit home"])
        #expect(Set(daemon.requests("acknowledge").compactMap { $0["number"] as? Int }) == [1, 2])
        #expect(manager.monitoredRegions.count == 1)
    }

    @Test func `a dwell event is acknowledged and not reported`() async throws {
        let daemon = FakeDaemon(kept: [Self.home])
        let client = daemon.client
        let manager = await recorder.manager(client)
        daemon.send(crossing(3, "dwell"), crossing(4, "dwell", of: "elsewhere"), crossing(5, "exit"))
        await client.settled()
        await client.settled()
        #expect(recorder.calls == ["outside home", "exit home"])
        #expect(Set(daemon.requests("acknowledge").compactMap { $0["number"] as? Int }) == [3, 4, 5])
        #expect(manager.delegate === recorder)
    }

    @Test func `polygons registered by another program of the same client are not listed as regions`() async throws {
        let ring = "[[8,47],[9,47],[9,48],[8,47]]"
        let members = #""kind":"region","notifyOnEntry":true,"notifyOnExit":true,"dwell":60,"state":"inside""#
        let daemon = FakeDaemon(kept: [
            #"{"event":"registration","identifier":"field","polygon":[\#(ring)],\#(members)}"#, Self.home,
            #"{"event":"registration","identifier":"isles","multiPolygon":[[\#(ring)],[\#(ring)]],\#(members)}"#,
        ])
        let client = daemon.client
        let manager = await recorder.manager(client)
        #expect(manager.monitoredRegions.map(\.identifier) == ["home"])
        daemon.send(crossing(1, "enter", of: "field"), crossing(2, "exit"))
        await client.settled()
        await client.settled()
        await client.settled()
        #expect(recorder.calls == ["outside home", "exit home"])
    }

    @Test func `a requested region state is reported once, to the manager that asked`() async throws {
        let daemon = FakeDaemon(kept: [Self.home])
        let client = daemon.client
        let manager = await recorder.manager(client)
        let other = await recorder.manager(client)
        manager.requestState(for: Self.circle("new"))
        await client.settled()
        let asked = try #require(daemon.requests("regionState").first)
        #expect(asked["radius"] as? Double == 50)
        let id = try #require(asked["id"] as? String)
        let answer = #"{"event":"regionState","id":"\#(id)","identifier":"new","state":"outside"}"#
        daemon.send(answer, answer)
        await client.settled()
        #expect(recorder.calls == ["outside new"])
        #expect(other.delegate === recorder)
    }

    @Test func `a significant change is reported to every manager and becomes its location`() async throws {
        let daemon = FakeDaemon()
        let client = daemon.client
        let manager = await recorder.manager(client)
        manager.startMonitoringSignificantLocationChanges()
        manager.startMonitoringSignificantLocationChanges()
        await client.settled()
        daemon.send(location(5, #","service":"significantChange","number":9"#))
        await client.settled()
        await client.settled()
        #expect(daemon.requests("monitor").count == 1)
        #expect(recorder.calls == ["locations 5"])
        #expect(manager.location?.coordinate.latitude == 5)
        #expect(daemon.requests("acknowledge").map { $0["number"] as? Int } == [9])
    }
}
