import Foundation
import Synchronization
import Testing

@testable import CoreLocation

@MainActor @Suite("Managers: history and location pushes")
struct ManagerHistoryTests {
    let daemon = FakeDaemon()

    /// What completions were called with.
    private final class Answers: Sendable {
        private let kept = Mutex<[(times: [Double], code: Int?)]>([])
        var all: [(times: [Double], code: Int?)] { kept.withLock { $0 } }

        func take(_ locations: [CLLocation], _ error: (any Error)?) {
            let times = locations.map(\.coordinate.latitude)
            kept.withLock { $0.append((times, (error as? CLError)?.errorCode)) }
        }
    }

    private func point(_ latitude: Int, _ id: String) -> String {
        #"{"event":"trackPoint","id":"\#(id)","time":"2026-05-01T10:00:0\#(latitude).000Z","latitude":\#(latitude),"#
            + #""longitude":5,"altitude":100,"horizontalAccuracy":4.5,"speed":2,"course":90}"#
    }

    private func end(_ id: String) -> String { #"{"event":"history","id":"\#(id)","count":2,"total":9}"# }

    /// The identifier of the newest request for history, once the daemon has it.
    private func asked(_ client: LocationClient) async throws -> [String: Any] {
        await client.pinged()
        while daemon.requests("history").isEmpty {
            await Task.yield()
            await client.pinged()
        }
        return try #require(daemon.requests("history").last)
    }

    @Test func `historical locations are the newest points of the track, oldest first`() async throws {
        let client = daemon.client
        let manager = CLLocationManager(client: client)
        let answers = Answers()
        manager.requestHistoricalLocations(purposeKey: "log", sampleCount: 2) { answers.take($0, $1) }
        let request = try await asked(client)
        #expect(request["limit"] as? Int == 2 && request["newest"] as? Bool == true)
        let id = try #require(request["id"] as? String)
        daemon.send(point(3, id), point(4, "other"), point(5, id))
        await client.settled()
        #expect(answers.all.isEmpty)
        daemon.send(end(id), end(id))
        await client.settled()
        #expect(answers.all.count == 1 && answers.all.first?.times == [3, 5] && answers.all.first?.code == nil)
        withExtendedLifetime(manager) {}
    }

    @Test func `a historical location has the point's values and no accuracies that the track lacks`() async throws {
        let client = daemon.client
        let manager = CLLocationManager(client: client)
        let locations = Task { try await manager.historicalLocations(purposeKey: "log", sampleCount: 1) }
        let id = try #require(try await asked(client)["id"] as? String)
        daemon.send(point(3, id), end(id))
        let location = try #require(try await locations.value.first)
        #expect(location.horizontalAccuracy == 4.5 && location.speed == 2 && location.course == 90)
        #expect(location.altitude == 100 && location.verticalAccuracy < 0 && location.speedAccuracy < 0)
        #expect(location.timestamp == Date(timeIntervalSince1970: 1_777_629_603))
    }

    @Test(arguments: ["notOperator", "noTrack", "noManifest"])
    func `a program that may not read the track gets historicalLocationError`(code: String) async throws {
        let client = daemon.client
        let manager = CLLocationManager(client: client)
        let answers = Answers()
        manager.requestHistoricalLocations(purposeKey: "log", sampleCount: 2) { answers.take($0, $1) }
        let id = try #require(try await asked(client)["id"] as? String)
        daemon.send(#"{"event":"error","id":"\#(id)","code":"\#(code)","message":"no"}"#)
        await client.settled()
        #expect(answers.all.count == 1 && answers.all.first?.times == [] && answers.all.first?.code == 19)
        withExtendedLifetime(manager) {}
    }

    @Test func `a sample count below one is an error, and a large one asks for what the daemon gives`() async throws {
        let client = daemon.client
        let manager = CLLocationManager(client: client)
        let answers = Answers()
        manager.requestHistoricalLocations(purposeKey: "log", sampleCount: 0) { answers.take($0, $1) }
        #expect(answers.all.isEmpty, "a completion never runs before the call returns")
        await client.settled()
        #expect(answers.all.map(\.code) == [19] && daemon.requests("history").isEmpty)
        manager.requestHistoricalLocations(purposeKey: "log", sampleCount: 1_000) { answers.take($0, $1) }
        #expect(try await asked(client)["limit"] as? Int == 256)
        withExtendedLifetime(manager) {}
    }

    @Test func `after a lost connection history is asked for again, and no point comes twice`() async throws {
        let client = daemon.client
        let manager = CLLocationManager(client: client)
        let answers = Answers()
        manager.requestHistoricalLocations(purposeKey: "log", sampleCount: 2) { answers.take($0, $1) }
        let id = try #require(try await asked(client)["id"] as? String)
        daemon.send(point(3, id))
        await client.settled()
        daemon.forgetRequests()
        daemon.hangUp()
        await client.settled()
        #expect(try await asked(client)["id"] as? String == id)
        daemon.send(point(3, id), point(5, id), end(id))
        await client.settled()
        #expect(answers.all.first?.times == [3, 5])
        withExtendedLifetime(manager) {}
    }

    @Test func `location pushes end in unsupportedPlatform, after the call has returned`() async throws {
        let client = daemon.client
        let manager = CLLocationManager(client: client)
        var codes: [CLLocationPushServiceError.Code?] = []
        manager.startMonitoringLocationPushes { token, error in
            #expect(token == nil)
            codes.append((error as? CLLocationPushServiceError)?.code)
        }
        #expect(codes.isEmpty)
        await client.settled()
        #expect(codes == [.unsupportedPlatform])
        await #expect(throws: CLLocationPushServiceError(.unsupportedPlatform)) {
            _ = try await manager.startMonitoringLocationPushes()
        }
        manager.stopMonitoringLocationPushes()
        #expect(daemon.requests().isEmpty)
    }

    @Test func `maritime updates are paused as those of boats are`() async throws {
        let client = daemon.client
        let manager = CLLocationManager(client: client)
        manager.activityType = .maritime
        manager.startUpdatingLocation()
        await client.settled()
        #expect(daemon.requests("watch").first?["activityType"] as? String == "otherNavigation")
    }
}
