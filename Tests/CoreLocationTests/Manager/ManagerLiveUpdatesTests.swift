import Foundation
import TestSupport
import Testing

@testable import CoreLocation

@Suite("Managers: live updates and sessions")
struct ManagerLiveUpdatesTests {
    let daemon = FakeDaemon()

    private func updates(_ client: LocationClient) -> CLLocationUpdate.Updates {
        CLLocationUpdate.Updates(client: client, configuration: .fitness)
    }

    @Test func `a loop over live updates sends its request when it begins, and releases it when it ends`() async throws
    {
        let client = daemon.client
        await client.settled()
        let sequence = updates(client)
        #expect(daemon.requests().isEmpty)
        let daemon = daemon
        let loop = Task { () -> [Int] in
            var latitudes: [Int] = []
            for try await update in sequence {
                guard let location = update.location else { continue }
                latitudes.append(Int(location.coordinate.latitude))
                if latitudes.count == 2 { break }
            }
            return latitudes
        }
        try await eventually("a watch") {
            await client.settled()
            return !daemon.requests("watch").isEmpty
        }
        await client.settled()
        daemon.send(location(1, second: 1), location(2, second: 2), location(3, second: 3))
        #expect(try await loop.value == [1, 2])
        // The third location may still be on its way to the loop, and keep it from its end for a moment.
        try await eventually("the release") {
            await client.settled()
            return !daemon.requests("releaseSession").isEmpty
        }
        let requests = daemon.requests()
        #expect(
            requests.map { $0["request"] as? String } == ["holdSession", "watch", "release", "releaseSession"])
        #expect(requests[0]["implicit"] as? Bool == true && requests[0]["authorization"] as? String == "whenInUse")
        #expect(requests[1]["live"] as? Bool == true)
        #expect(requests[1]["activityType"] as? String == "fitness")
    }

    @Test func `missing authorization, lost fixes and rest are reported as updates`() async throws {
        let client = daemon.client
        var iterator = updates(client).makeAsyncIterator()
        iterator.loop.begin()
        await client.settled()
        daemon.send(
            #"{"event":"liveDiagnostics","authorizationRequestInProgress":true}"#, #"{"event":"liveDiagnostics"}"#,
            location(1), #"{"event":"failed","errorCode":0}"#, #"{"event":"paused","reason":"still"}"#)
        await client.settled()
        let asking = try #require(try await iterator.next())
        #expect(asking.authorizationRequestInProgress)
        #expect(asking.location == nil)
        let first = try #require(try await iterator.next())
        #expect(first.location != nil)
        #expect(!first.authorizationRequestInProgress)
        let lost = try #require(try await iterator.next())
        #expect(lost.locationUnavailable)
        let resting = try #require(try await iterator.next())
        #expect(resting.stationary)
        #expect(resting.location?.coordinate.latitude == 1)
    }

    @Test func `without a manifest a loop is told that it is denied, and goes on after a new greeting`() async throws {
        let client = daemon.client
        var iterator = updates(client).makeAsyncIterator()
        iterator.loop.begin()
        await client.settled()
        let id = try #require(daemon.requests("watch").first?["id"] as? String)
        let refusal = #"{"event":"error","id":"\#(id)","code":"noManifest","message":"No manifest fits."}"#
        daemon.send(refusal, refusal)
        await client.settled()
        let denied = try #require(try await iterator.next())
        #expect(denied.authorizationDenied && denied.location == nil)
        daemon.forgetRequests()
        daemon.send(
            #"{"event":"hello","protocol":1,"client":"test","status":"authorizedWhenInUse","servicesEnabled":true}"#)
        while daemon.requests("watch").isEmpty { await client.pinged() }
        #expect(daemon.requests("watch").first?["id"] as? String == id)
        #expect(daemon.requests("holdSession").count == 1)
        daemon.send(location(1))
        let first = try #require(try await iterator.next())
        #expect(first.location != nil && !first.authorizationDenied)
    }

    @Test func `a loop is told at once that its accuracy was reduced`() async throws {
        let client = daemon.client
        var iterator = updates(client).makeAsyncIterator()
        iterator.loop.begin()
        await client.settled()
        daemon.send(
            #"{"event":"authorization","status":"authorizedWhenInUse","accuracyAuthorization":"reduced"}"#,
            #"{"event":"liveDiagnostics","active":true,"accuracyLimited":true}"#)
        let limited = try #require(try await iterator.next())
        #expect(limited.accuracyLimited && limited.location == nil)
        daemon.send(location(1))
        #expect(try await iterator.next()?.accuracyLimited == true)
        daemon.send(#"{"event":"liveDiagnostics","active":true}"#, location(2))
        #expect(try await iterator.next()?.accuracyLimited == false)
    }

    @Test func `without a manifest a service session says that it is denied`() async throws {
        let client = daemon.client
        let session = CLServiceSession(client: client, .whenInUse, purposeKey: nil)
        await client.settled()
        let id = try #require(daemon.requests("holdSession").first?["id"] as? String)
        daemon.send(#"{"event":"error","id":"\#(id)","code":"noManifest","message":"No manifest fits."}"#)
        var diagnostics = session.diagnostics.makeAsyncIterator()
        #expect(try await diagnostics.next()?.authorizationDenied == true)
    }

    @Test func `a slow loop loses the oldest updates`() async throws {
        let client = daemon.client
        var iterator = updates(client).makeAsyncIterator()
        iterator.loop.begin()
        await client.settled()
        for latitude in 0..<70 { daemon.send(location(latitude, second: latitude % 60)) }
        await client.pinged()
        let first = try await iterator.next()
        #expect(first?.location?.coordinate.latitude == 6)
    }

    @Test func `cancelling the task ends the loop`() async throws {
        let client = daemon.client
        let sequence = updates(client)
        let loop = Task { () -> Bool in
            for try await _ in sequence {}
            return true
        }
        await client.settled()
        loop.cancel()
        #expect(try await loop.value)
    }

    @Test func `a service session reports its diagnostics, and ends for good when invalidated`() async throws {
        let client = daemon.client
        let session = CLServiceSession(client: client, .always, purposeKey: "navigate")
        await client.settled()
        let held = try #require(daemon.requests("holdSession").first)
        #expect(held["authorization"] as? String == "always")
        #expect(held["fullAccuracyPurposeKey"] as? String == "navigate")
        let number = try #require(held["number"] as? Int)
        daemon.send(#"{"event":"sessionDiagnostics","number":\#(number),"active":false,"insufficientlyInUse":true}"#)
        await client.settled()
        var iterator = session.diagnostics.makeAsyncIterator()
        let standing = try #require(try await iterator.next())
        #expect(standing.insufficientlyInUse)
        session.invalidate()
        #expect(try await iterator.next() == nil)
        await client.pinged()
        daemon.hangUp()
        await client.settled()
        await client.settled()
        #expect(daemon.requests("holdSession").count == 1)
        #expect(daemon.requests("releaseSession").count == 1)
    }

    @Test func `releasing a background session ends it, and a new connection restores a held one`() async throws {
        let client = daemon.client
        var session: CLBackgroundActivitySession? = CLBackgroundActivitySession(client: client)
        await client.settled()
        daemon.hangUp()
        await client.settled()
        await client.settled()
        let kinds = daemon.requests("holdSession").map { $0["kind"] as? String }
        #expect(kinds == ["backgroundActivity", "backgroundActivity"])
        #expect(session != nil)
        session = nil
        await client.settled()
        #expect(daemon.requests("releaseSession").count == 1)
    }
    @Test func `a background session says whether the board may be switched off, once each time that changes`() async {
        let client = daemon.client
        let session = CLBackgroundActivitySession(client: client)
        #expect(!session.sextantAllowsHostSleep)
        await client.settled()
        session.sextantAllowsHostSleep = true
        session.sextantAllowsHostSleep = true
        #expect(session.sextantAllowsHostSleep)
        session.sextantAllowsHostSleep = false
        await client.settled()
        let held = daemon.requests("holdSession")
        #expect(held.map { $0["hostSleep"] as? Bool } == [nil, true, nil])
        #expect(Set(held.map { $0["number"] as? Int }).count == 1)
    }
}
