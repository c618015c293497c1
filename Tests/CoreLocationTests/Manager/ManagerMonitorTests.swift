import ClientVocabulary
import Foundation
import Testing

@testable import CoreLocation

/// A condition of a type that no daemon watches.
private struct OtherCondition: CLCondition {}

@Suite("Managers: CLMonitor")
struct ManagerMonitorTests {
    static let door = """
        {"event":"registration","kind":"region","monitor":"house","identifier":"door","latitude":1,"longitude":2,\
        "radius":100,"state":"outside","date":"2026-05-01T09:00:00.000Z"}
        """
    let circle = CLMonitor.CircularGeographicCondition(
        center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 100)

    private func change(_ number: Int, _ state: String, of identifier: String = "door") -> String {
        """
        {"event":"regionEvent","number":\(number),"monitor":"house","identifier":"\(identifier)","state":"\(state)",\
        "time":"2026-05-01T10:00:00.500Z"}
        """
    }

    @Test func `opening a monitor by name restores its conditions and records`() async throws {
        let daemon = FakeDaemon(kept: [Self.door])
        let monitor = try await CLMonitor.open("house", client: daemon.client)
        #expect(await monitor.identifiers == ["door"])
        let record = try #require(await monitor.record(for: "door"))
        #expect(record.lastEvent.state == .unsatisfied)
        #expect((record.condition as? CLMonitor.CircularGeographicCondition)?.radius == 100)
    }

    @Test func `a monitor name can be open only once at a time`() async throws {
        let client = FakeDaemon().client
        var monitor: CLMonitor? = try await CLMonitor.open("house", client: client)
        #expect(await monitor?.name == "house")
        await #expect(throws: MonitorError.self) { try await CLMonitor.open("house", client: client) }
        monitor = nil
        monitor = try await CLMonitor.open("house", client: client)
        #expect(monitor != nil)
    }

    @Test func `the record changes and the event is acknowledged only when the program takes the event`() async throws {
        let daemon = FakeDaemon(kept: [Self.door])
        let client = daemon.client
        let monitor = try await CLMonitor.open("house", client: client)
        daemon.send(change(4, "inside"))
        await client.pinged()
        #expect(await monitor.record(for: "door")?.lastEvent.state == .unsatisfied)
        #expect(daemon.requests("acknowledge").isEmpty)
        var events = await monitor.events.makeAsyncIterator()
        let event = try #require(try await events.next())
        #expect(event.state == .satisfied)
        #expect(event.date.timeIntervalSince1970 == 1_777_629_600.5)
        #expect(await monitor.record(for: "door")?.lastEvent.state == .satisfied)
        await client.pinged()
        #expect(daemon.requests("acknowledge").map { $0["number"] as? Int } == [4])
    }

    @Test func `SLEEP-05: an event of what nobody followed has a range of dates`() async throws {
        let daemon = FakeDaemon(kept: [Self.door])
        let monitor = try await CLMonitor.open("house", client: daemon.client)
        daemon.send(
            change(4, "inside").dropLast()
                + #","notBefore":"2026-05-01T08:00:00.000Z","notAfter":"2026-05-01T10:00:00.500Z"}"#,
            change(5, "outside"))
        var events = await monitor.events.makeAsyncIterator()
        let range = try #require(try await events.next()?.sextantRange)
        #expect(range.lowerBound.timeIntervalSince1970 == 1_777_622_400)
        #expect(range.upperBound.timeIntervalSince1970 == 1_777_629_600.5)
        #expect(try await events.next()?.sextantRange == nil)
    }

    @Test func `MON-10: an event that came while the monitor was closed is told once, when it is opened`() async throws
    {
        let daemon = FakeDaemon(kept: [Self.door])
        let client = daemon.client
        await client.pinged()
        daemon.send(change(4, "inside"), change(4, "inside"))
        await client.pinged()
        let monitor = try await CLMonitor.open("house", client: client)
        var events = await monitor.events.makeAsyncIterator()
        #expect(try await events.next()?.state == .satisfied)
        daemon.send(change(4, "inside"), change(5, "outside"))
        #expect(try await events.next()?.state == .unsatisfied)
    }

    @Test func `adding a condition sends its assumed state, and removing it ends the monitoring`() async throws {
        let daemon = FakeDaemon()
        let client = daemon.client
        let monitor = try await CLMonitor.open("house", client: client)
        await monitor.add(circle, identifier: "door", assuming: .satisfied)
        await monitor.add(OtherCondition(), identifier: "other")
        await client.pinged()
        let asked = try #require(daemon.requests("monitorRegion").first)
        #expect(asked["monitor"] as? String == "house")
        #expect(asked["assumed"] as? String == "satisfied")
        var events = await monitor.events.makeAsyncIterator()
        let refused = try #require(try await events.next())
        #expect(refused.conditionUnsupported)
        #expect(refused.state == .unmonitored)
        await monitor.remove("door")
        #expect(await monitor.record(for: "door") == nil)
        await client.pinged()
        #expect(daemon.requests("unmonitorRegion").count == 1)
    }

    @Test func `exceeding the condition limit is an event`() async throws {
        let daemon = FakeDaemon()
        let client = daemon.client
        let monitor = try await CLMonitor.open("house", client: client)
        await monitor.add(circle, identifier: "door")
        await client.pinged()
        daemon.send(
            #"{"event":"monitoringFailed","monitor":"house","identifier":"door","errorCode":5,"reason":"limit"}"#)
        var events = await monitor.events.makeAsyncIterator()
        #expect(try await events.next()?.conditionLimitExceeded == true)
    }

    @Test(arguments: [
        (#""event":"monitoringFailed","errorCode":5,"reason":"impossible""#, SessionDiagnostics.conditionUnsupported),
        (#""event":"monitoringFailed","errorCode":5,"reason":"noRadio""#, .conditionUnsupported),
        (#""event":"monitoringFailed","errorCode":4,"reason":"wakeOff""#, .authorizationRestricted),
        (#""event":"error","code":"badValue","message":"radius is out of range""#, .conditionUnsupported),
        (#""event":"error","code":"storeBusy","message":"too many changes wait""#, .persistenceUnavailable),
        (#""event":"error","code":"notStored","message":"the card takes no more""#, .persistenceUnavailable),
        (#""event":"error","code":"noManifest","message":"No manifest fits.""#, .authorizationDenied),
    ])
    func `MON-13: a refused condition is told the reason, and is asked for anew when access changes`(
        answer: String, flags: SessionDiagnostics
    ) async throws {
        let daemon = FakeDaemon()
        let client = daemon.client
        let monitor = try await CLMonitor.open("house", client: client)
        await monitor.add(circle, identifier: "door")
        await client.pinged()
        let id = try #require(daemon.requests("monitorRegion").first?["id"] as? String)
        daemon.send(#"{"id":"\#(id)","monitor":"house","identifier":"door",\#(answer)}"#)
        var events = await monitor.events.makeAsyncIterator()
        let refused = try #require(try await events.next())
        #expect(refused.state == .unmonitored && refused.flags == flags)
        #expect(refused.persistenceUnavailable == (flags == .persistenceUnavailable))
        daemon.forgetRequests()
        daemon.send(#"{"event":"authorization","status":"authorizedAlways","mayBeWoken":true}"#)
        while daemon.requests("monitorRegion").isEmpty { await client.pinged() }
    }

    @Test func `a condition that replaces a refused one is not asked for again when access changes`() async throws {
        let daemon = FakeDaemon()
        let client = daemon.client
        let monitor = try await CLMonitor.open("house", client: client)
        await monitor.add(circle, identifier: "door")
        await client.pinged()
        daemon.send(
            #"{"event":"monitoringFailed","monitor":"house","identifier":"door","errorCode":5,"reason":"limit"}"#)
        await client.pinged()
        await monitor.add(circle, identifier: "door", assuming: .satisfied)
        await client.pinged()
        daemon.forgetRequests()
        daemon.send(#"{"event":"authorization","status":"authorizedAlways","mayBeWoken":true}"#)
        // The second time, the daemon has read what the client sent at the authorization.
        for _ in 1...2 { await client.pinged() }
        #expect(daemon.requests("monitorRegion").isEmpty)
    }

    /// The reasons of an event, by the names of its properties.
    private func reasons(_ event: CLMonitor.Event) -> [String] {
        let all = [
            ("authorizationDenied", event.authorizationDenied),
            ("authorizationDeniedGlobally", event.authorizationDeniedGlobally),
            ("authorizationRestricted", event.authorizationRestricted), ("accuracyLimited", event.accuracyLimited),
            ("insufficientlyInUse", event.insufficientlyInUse),
            ("serviceSessionRequired", event.serviceSessionRequired),
        ]
        return all.filter(\.1).map(\.0)
    }

    @Test(arguments: [
        "authorizationDenied", "authorizationDeniedGlobally", "authorizationRestricted", "accuracyLimited",
        "insufficientlyInUse", "serviceSessionRequired",
    ])
    func `MON-13: why nothing is watched is told to each condition, and so is its end`(reason: String) async throws {
        let daemon = FakeDaemon(kept: [Self.door])
        let client = daemon.client
        let monitor = try await CLMonitor.open("house", client: client)
        var events = await monitor.events.makeAsyncIterator()
        await client.pinged()
        let held = try #require(daemon.requests("holdSession").first)
        #expect(held["implicit"] as? Bool == true)
        let number = try #require(held["number"] as? Int)
        daemon.send(
            #"{"event":"sessionDiagnostics","number":\#(number),"active":false,"\#(reason)":true}"#)
        let silent = try #require(try await events.next())
        #expect(silent.state == .unmonitored && reasons(silent) == [reason])
        daemon.send(#"{"event":"sessionDiagnostics","number":\#(number),"active":true}"#)
        let again = try #require(try await events.next())
        #expect(again.state == .unsatisfied && reasons(again).isEmpty)
        #expect(await monitor.record(for: "door")?.lastEvent.state == .unsatisfied)
    }

    @Test func `a refusal for want of a manifest ends the wait for the conditions of earlier runs`() async throws {
        let daemon = FakeDaemon()
        daemon.loseManifest()
        let client = daemon.client
        await client.pinged()
        #expect(client.read { $0.registry.isKnown && !$0.registry.isAsking })
    }

    @Test func `without a manifest a condition is told so once, and asked for anew after a new greeting`() async throws
    {
        let daemon = FakeDaemon()
        let client = daemon.client
        let monitor = try await CLMonitor.open("house", client: client)
        await monitor.add(circle, identifier: "door")
        var events = await monitor.events.makeAsyncIterator()
        await client.pinged()
        let id = try #require(daemon.requests("monitorRegion").first?["id"] as? String)
        let held = try #require(daemon.requests("holdSession").first?["id"] as? String)
        for name in [id, held] {
            daemon.send(#"{"event":"error","id":"\#(name)","code":"noManifest","message":"No manifest fits."}"#)
        }
        let denied = try #require(try await events.next())
        #expect(denied.state == .unmonitored && denied.authorizationDenied)
        daemon.forgetRequests()
        daemon.send(
            #"{"event":"hello","protocol":1,"client":"test","status":"authorizedWhenInUse","servicesEnabled":true}"#)
        while daemon.requests("monitorRegion").isEmpty { await client.pinged() }
        daemon.send(change(1, "inside"))
        #expect(try await events.next()?.state == .satisfied, "one event said that it was denied")
    }
}
