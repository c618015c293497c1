@_spi(Testing) import CoreLocation
import Glibc

/// The reason for which a command could not be run.
struct CommandError: Error {
    var sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}

/// Holds all objects that the commands have made.
@MainActor
final class Probe {
    static let shared = Probe()
    private var managers: [Int: ManagerProbe] = [:]
    private var loops: [Int: LiveProbe] = [:]
    private var monitors: [Int: MonitorProbe] = [:]
    private var services: [Int: ServiceProbe] = [:]
    private var activities: [Int: ActivityProbe] = [:]
    private let geocoder = CLGeocoder()
    /// The number of callbacks at the end of the last `settle()`.
    private var settledCount = 0

    func run(_ words: [String], _ line: String) async {
        do {
            let time = try await ContinuousClock().measure { try await perform(Arguments(words)) }
            Output.print(["done": line, "milliseconds": time / .milliseconds(1)])
        } catch {
            Output.print(["error": (error as? CommandError)?.sentence ?? "\(error)", "line": line])
        }
    }

    private func perform(_ arguments: Arguments) async throws {
        var rest = arguments
        switch try rest.next("a command") {
        case "sync": Output.print(["callback": "synced", "connected": await settle()])
        case "show": show()
        case "state": CLLocationManager.sextantApplicationState = try state(&rest)
        case "extendWake": CLLocationManager.sextantExtendWake(seconds: Int(try rest.number("seconds")))
        case "quit": exit(0)
        case "manager": try await manager(&rest)
        case "live": try await live(&rest)
        case "monitor": try await monitor(&rest)
        case "service": try await service(&rest)
        case "activity": try await activity(&rest)
        case "geocode": try geocode(try rest.next("begin or cancel"))
        case let other: throw CommandError("no command \(other); --help lists them")
        }
    }

    /// Waits until all events from the daemon were delivered, and the daemon has received what the library sent in
    /// response.
    ///
    /// - Returns: Whether the daemon answers.
    private func settle() async -> Bool {
        while await SextantTesting.settle() {
            // If callbacks were printed meanwhile, the library can have sent more to the daemon, such as an
            // acknowledgement; so the wait is repeated.
            let count = Output.callbackCount
            guard count != settledCount else { return true }
            settledCount = count
        }
        return false
    }

    private func state(_ rest: inout Arguments) throws -> SextantApplicationState {
        let word = try rest.next("foreground or background")
        guard let state = SextantApplicationState(rawValue: word) else {
            throw CommandError("\(word) is neither foreground nor background")
        }
        return state
    }

    private func show() {
        Output.print([
            "callback": "shown",
            "locationServicesEnabled": CLLocationManager.locationServicesEnabled(),
            "headingAvailable": CLLocationManager.headingAvailable(),
            "significantLocationChangeMonitoringAvailable":
                CLLocationManager.significantLocationChangeMonitoringAvailable(),
            "isMonitoringAvailable": CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self),
            "isRangingAvailable": CLLocationManager.isRangingAvailable(),
            "deferredLocationUpdatesAvailable": CLLocationManager.deferredLocationUpdatesAvailable(),
            "sextantApplicationState": CLLocationManager.sextantApplicationState.rawValue,
            "sextantLaunchReason": CLLocationManager.sextantLaunchReason,
        ])
    }

    private func manager(_ rest: inout Arguments) async throws {
        let number = Int(try rest.number("the manager's number"))
        if rest.peek == "new" {
            _ = try rest.next("new")
            managers[number] = await ManagerProbe.make(number, Set(rest.all))
            return
        }
        guard let probe = managers[number] else { throw CommandError("no manager \(number); make it with new") }
        if rest.peek == "drop" { managers[number] = nil }
        try await probe.perform(rest)
    }

    private func live(_ rest: inout Arguments) async throws {
        let number = Int(try rest.number("the loop's number"))
        switch try rest.next("begin or end") {
        case "begin":
            let configuration = try LiveProbe.configuration(rest.optional())
            loops[number] = await Loops.begin { LiveProbe(number, configuration) }
        case "end": await loops.removeValue(forKey: number)?.end()
        case let other: throw CommandError("\(other) is neither begin nor end")
        }
    }

    private func monitor(_ rest: inout Arguments) async throws {
        let number = Int(try rest.number("the monitor's number"))
        switch rest.peek {
        case "open":
            _ = try rest.next("open")
            monitors[number] = MonitorProbe(number, try await CLMonitor.open(try rest.next("a name")))
        case "close": await monitors.removeValue(forKey: number)?.end()
        default:
            guard let probe = monitors[number] else { throw CommandError("monitor \(number) is not open") }
            try await probe.perform(rest)
        }
    }

    private func service(_ rest: inout Arguments) async throws {
        let number = Int(try rest.number("the session's number"))
        switch try rest.next("hold, invalidate or drop") {
        case "hold":
            let session = try ServiceProbe.session(&rest)
            services[number] = await Loops.begin { ServiceProbe(number, session) }
        case "invalidate": services[number]?.session.invalidate()
        case "drop": await services.removeValue(forKey: number)?.end()
        case let other: throw CommandError("\(other) is none of hold, invalidate, drop")
        }
    }

    private func activity(_ rest: inout Arguments) async throws {
        let number = Int(try rest.number("the session's number"))
        switch try rest.next("hold, invalidate or drop") {
        case "hold": activities[number] = await Loops.begin { ActivityProbe(number) }
        case "invalidate": activities[number]?.session.invalidate()
        case "drop": await activities.removeValue(forKey: number)?.end()
        case let other: throw CommandError("\(other) is none of hold, invalidate, drop")
        }
    }

    private func geocode(_ action: String) throws {
        switch action {
        case "begin":
            geocoder.reverseGeocodeLocation(CLLocation(latitude: 47.3769, longitude: 8.5417)) { placemarks, error in
                let members: [String: Any?] = ["callback": "geocoded", "placemarks": placemarks?.count]
                Output.print(members.merging(Output.failure(error)) { $1 })
            }
        case "cancel": geocoder.cancelGeocode()
        case let other: throw CommandError("\(other) is neither begin nor cancel")
        }
    }
}
