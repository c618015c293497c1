@_spi(Testing) import CoreLocation

/// Commands that begin a loop over an asynchronous sequence; such a command is done when the loop has begun.
@MainActor
enum Loops {
    static func begin<Probe>(_ make: () throws -> Probe) async rethrows -> Probe {
        let before = SextantTesting.loopsBegun
        let probe = try make()
        while SextantTesting.loopsBegun == before { await Task.yield() }
        return probe
    }
}

/// A loop over live updates.
@MainActor
final class LiveProbe {
    private let task: Task<Void, Never>

    init(_ number: Int, _ configuration: CLLocationUpdate.LiveConfiguration) {
        task = Task {
            do {
                for try await update in CLLocationUpdate.liveUpdates(configuration) { Self.tell(update, number) }
            } catch {
                Output.print(["live": number, "callback": "threw", "error": "\(error)"])
            }
            Output.print(["live": number, "callback": "ended"])
        }
    }

    static func configuration(_ name: String?) throws -> CLLocationUpdate.LiveConfiguration {
        guard let name else { return .default }
        let found = CLLocationUpdate.LiveConfiguration.allCases.first { "\($0)" == name }
        guard let found else { throw CommandError("no configuration \(name)") }
        return found
    }

    func end() async {
        task.cancel()
        await task.value
    }

    private static func tell(_ update: CLLocationUpdate, _ number: Int) {
        Output.print([
            "live": number, "callback": "update", "location": update.location.map { Output.members($0) as Any },
            "stationary": update.stationary, "authorizationDenied": update.authorizationDenied,
            "authorizationDeniedGlobally": update.authorizationDeniedGlobally,
            "authorizationRestricted": update.authorizationRestricted,
            "authorizationRequestInProgress": update.authorizationRequestInProgress,
            "insufficientlyInUse": update.insufficientlyInUse,
            "serviceSessionRequired": update.serviceSessionRequired, "accuracyLimited": update.accuracyLimited,
            "locationUnavailable": update.locationUnavailable,
        ])
    }
}

/// A service session, and a loop over its diagnostics.
@MainActor
final class ServiceProbe {
    let session: CLServiceSession
    private let task: Task<Void, Never>

    init(_ number: Int, _ session: CLServiceSession) {
        self.session = session
        let diagnostics = session.diagnostics
        task = Task {
            do {
                for try await diagnostic in diagnostics { Self.tell(diagnostic, number) }
            } catch {
                Output.print(["service": number, "callback": "threw", "error": "\(error)"])
            }
            Output.print(["service": number, "callback": "ended"])
        }
    }

    static func session(_ rest: inout Arguments) throws -> CLServiceSession {
        let requirements: [String: CLServiceSession.AuthorizationRequirement] = [
            "none": .none, "whenInUse": .whenInUse, "always": .always,
        ]
        let word = try rest.next("none, whenInUse or always")
        guard let requirement = requirements[word] else { throw CommandError("no requirement \(word)") }
        guard let key = rest.optional() else { return CLServiceSession(authorization: requirement) }
        return CLServiceSession(authorization: requirement, fullAccuracyPurposeKey: key)
    }

    func end() async {
        task.cancel()
        await task.value
    }

    private static func tell(_ diagnostic: CLServiceSession.Diagnostic, _ number: Int) {
        Output.print([
            "service": number, "callback": "diagnostic", "authorizationDenied": diagnostic.authorizationDenied,
            "authorizationDeniedGlobally": diagnostic.authorizationDeniedGlobally,
            "authorizationRestricted": diagnostic.authorizationRestricted,
            "authorizationRequestInProgress": diagnostic.authorizationRequestInProgress,
            "insufficientlyInUse": diagnostic.insufficientlyInUse,
            "serviceSessionRequired": diagnostic.serviceSessionRequired,
            "alwaysAuthorizationDenied": diagnostic.alwaysAuthorizationDenied,
            "fullAccuracyDenied": diagnostic.fullAccuracyDenied,
        ])
    }
}

/// A background activity session, and a loop over its diagnostics.
@MainActor
final class ActivityProbe {
    let session = CLBackgroundActivitySession()
    private let task: Task<Void, Never>

    init(_ number: Int) {
        let diagnostics = session.diagnostics
        task = Task {
            do {
                for try await diagnostic in diagnostics { Self.tell(diagnostic, number) }
            } catch {
                Output.print(["activity": number, "callback": "threw", "error": "\(error)"])
            }
            Output.print(["activity": number, "callback": "ended"])
        }
    }

    func end() async {
        task.cancel()
        await task.value
    }

    private static func tell(_ diagnostic: CLBackgroundActivitySession.Diagnostic, _ number: Int) {
        Output.print([
            "activity": number, "callback": "diagnostic", "authorizationDenied": diagnostic.authorizationDenied,
            "authorizationDeniedGlobally": diagnostic.authorizationDeniedGlobally,
            "authorizationRestricted": diagnostic.authorizationRestricted,
            "authorizationRequestInProgress": diagnostic.authorizationRequestInProgress,
            "insufficientlyInUse": diagnostic.insufficientlyInUse,
            "serviceSessionRequired": diagnostic.serviceSessionRequired,
        ])
    }
}

/// An open monitor, and a loop over its events.
@MainActor
final class MonitorProbe {
    private let number: Int
    private let monitor: CLMonitor
    private var task: Task<Void, Never>?

    init(_ number: Int, _ monitor: CLMonitor) {
        self.number = number
        self.monitor = monitor
    }

    func end() async {
        task?.cancel()
        await task?.value
        task = nil
    }

    func perform(_ arguments: Arguments) async throws {
        var rest = arguments
        switch try rest.next("what to do") {
        case "begin":
            await end()
            await Loops.begin { begin() }
        case "end": await end()
        case "add": try await add(&rest)
        case "addBeacon":
            let identifier = try rest.next("an identifier")
            guard let uuid = UUID(uuidString: try rest.next("a UUID")) else { throw CommandError("no UUID") }
            await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: uuid), identifier: identifier)
        case "remove": await monitor.remove(try rest.next("an identifier"))
        case "record": await showRecord(try rest.next("an identifier"))
        case "identifiers":
            Output.print(["monitor": number, "callback": "identifiers", "identifiers": await monitor.identifiers])
        case let other: throw CommandError("a monitor knows no \(other); --help lists what it knows")
        }
    }

    private func begin() {
        task = Task { [number, monitor] in
            do {
                for try await event in await monitor.events {
                    Output.print(Self.members(event, number, "event"))
                }
            } catch {
                Output.print(["monitor": number, "callback": "threw", "error": "\(error)"])
            }
            Output.print(["monitor": number, "callback": "ended"])
        }
    }

    private func add(_ rest: inout Arguments) async throws {
        let identifier = try rest.next("an identifier")
        let center = CLLocationCoordinate2D(
            latitude: try rest.number("a latitude"), longitude: try rest.number("a longitude"))
        let condition = CLMonitor.CircularGeographicCondition(center: center, radius: try rest.number("a radius"))
        switch rest.optional() {
        case "satisfied": await monitor.add(condition, identifier: identifier, assuming: .satisfied)
        case "unsatisfied": await monitor.add(condition, identifier: identifier, assuming: .unsatisfied)
        default: await monitor.add(condition, identifier: identifier)
        }
    }

    private func showRecord(_ identifier: String) async {
        guard let record = await monitor.record(for: identifier) else {
            return Output.print(["monitor": number, "callback": "record", "identifier": identifier, "exists": false])
        }
        var members = Self.members(record.lastEvent, number, "record")
        members["exists"] = true
        if let circle = record.condition as? CLMonitor.CircularGeographicCondition {
            members["latitude"] = circle.center.latitude
            members["longitude"] = circle.center.longitude
            members["radius"] = circle.radius
        }
        Output.print(members)
    }

    private static func members(_ event: CLMonitor.Event, _ number: Int, _ callback: String) -> [String: Any?] {
        [
            "monitor": number, "callback": callback, "identifier": event.identifier, "state": event.state.rawValue,
            "date": Output.text(event.date), "hasRefinement": event.refinement != nil,
            "refinedMajor": (event.refinement as? CLMonitor.BeaconIdentityCondition)?.major,
            "authorizationDenied": event.authorizationDenied,
            "authorizationDeniedGlobally": event.authorizationDeniedGlobally,
            "authorizationRestricted": event.authorizationRestricted,
            "authorizationRequestInProgress": event.authorizationRequestInProgress,
            "insufficientlyInUse": event.insufficientlyInUse, "serviceSessionRequired": event.serviceSessionRequired,
            "accuracyLimited": event.accuracyLimited, "conditionLimitExceeded": event.conditionLimitExceeded,
            "conditionUnsupported": event.conditionUnsupported, "persistenceUnavailable": event.persistenceUnavailable,
        ]
    }
}
