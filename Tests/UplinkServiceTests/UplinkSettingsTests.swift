import Configuration
import Foundation
import SextantUplink
import Testing

@testable import UplinkService

@Suite("The uplink's configuration")
struct UplinkSettingsTests {
    private static let machine = "0123456789abcdef0123456789abcdef\n"

    private func read(_ text: String, machine: String? = machine) throws -> UplinkSettings {
        let path = NSTemporaryDirectory() + "uplink-\(UUID().uuidString).json5"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try UplinkSettings.read(from: path, machine: machine)
    }

    @Test func `a broker is enough`() throws {
        let settings = try read(#"{ broker: "mqtts://broker.example" }"#)
        #expect(settings.broker.host == "broker.example")
        #expect(settings.broker.port == 8883)
        #expect(settings.broker.usesTLS)
        #expect(settings.uplink.id == "0123456789abcdef")
        #expect(settings.uplink.usesTLS)
        #expect(settings.uplink.delivery == .broker)
        #expect(settings.uplink.history == .all)
        #expect(settings.uplink.commands.isEmpty)
        #expect(settings.uplink.connection == .kept)
    }

    @Test(arguments: [
        ("mqtts://b", "b", 8883), ("mqtt://b", "b", 1883), ("mqtts://b:9/", "b", 9), ("mqtt://[::1]:1884", "::1", 1884),
        ("mqtts://[fe80::1]", "fe80::1", 8883),
    ])
    func `addresses of brokers`(text: String, host: String, port: Int32) throws {
        let address = try #require(BrokerAddress(text))
        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test(arguments: [
        "broker", "http://b", "mqtts://", "mqtts://b:0", "mqtts://b:65536", "mqtts://b:x", "mqtts://u:secret@b",
        "mqtts://b/path", "mqtts://b c", "mqtts://[::1", "mqtts://:8883",
    ])
    func `what is no address of a broker is refused, and not repeated, since it may have a password in it`(
        text: String
    ) throws {
        let error = try #require(throws: ConfigurationError.self) { try read("{ broker: \"\(text)\" }") }
        #expect(error.description.contains("broker: must be an address such as mqtts://broker.example:8883"))
        #expect(!error.description.contains("secret"))
    }

    @Test(arguments: [
        ("{}", "broker: missing; name one"),
        (#"{ broker: "mqtt://b", id: "My Boat" }"#, "id: \"My Boat\" must be 1 to 32 of a to z"),
        (#"{ broker: "mqtt://b", delivery: "cloud" }"#, "delivery: \"cloud\" must be one of \"broker\", \"receiver\""),
        (#"{ broker: "mqtt://b", connection: { every: 5 } }"#, "connection.every: 5 must be seconds from 60 to 86400"),
        (
            #"{ broker: "mqtt://b", format: "owntracks", delivery: "receiver" }"#,
            "delivery: \"receiver\" must be \"broker\" in the format owntracks"
        ),
        (#"{ broker: "mqtt://b", connection: 5 }"#, "connection: 5 must be \"kept\""),
        (#"{ broker: "mqtt://b", commands: ["dump"] }"#, "commands: \"dump\" must be a list of locate"),
        (#"{ broker: "mqtt://b", password: "secret" }"#, "password: unknown key"),
        (#"{ broker: "mqtt://b", queue: { bytes: 5 } }"#, "queue.bytes: 5 must be bytes from 100000"),
        (
            #"{ broker: "mqtt://b", owntracks: { tracker: "boat" } }"#,
            "owntracks.tracker: \"boat\" must be two characters"
        ),
    ])
    func `a mistake names the key, what stands there and what was expected`(text: String, expected: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try read(text) }
        #expect(error.description.contains(expected), "\(error.description)")
        #expect(!error.description.contains("secret"))
    }

    @Test func `without an id and a machine's id it asks for one`() throws {
        let error = try #require(throws: ConfigurationError.self) { try read(#"{ broker: "mqtt://b" }"#, machine: nil) }
        #expect(error.description.contains("id: missing; name the device"))
    }

    @Test func `all keys`() throws {
        let settings = try read(
            """
            { broker: "mqtt://b", id: "boat", user: "boat", format: "owntracks", owntracks: { user: "me", device: "boat",
              tracker: "BO" }, homeAssistant: true, name: "Boat", delivery: "broker", history: "none",
              repeatAfterBrokerLoss: true, connection: { every: 900 }, spread: 120,
              watch: { accuracy: 50, distanceFilter: 20, minimumInterval: 30, passive: false },
              events: ["regions", "visits", "significantChanges"], commands: ["locate"], commandJoules: 10,
              queue: { bytes: 1000000, days: 7 } }
            """)
        #expect(settings.uplink.owntracksUser == "me")
        #expect(settings.uplink.trackerID == "BO")
        #expect(settings.uplink.connection == .every(seconds: 900))
        #expect(settings.watch == UplinkSettings.Watch(accuracy: 50, distanceFilter: 20, minimumInterval: 30))
        #expect(settings.events == [.regions, .visits, .significantChanges])
        #expect(settings.uplink.commands == [.locate])
        #expect(settings.uplink.maximumBytes == 1_000_000)
        #expect(settings.uplink.maximumAge == 7 * 86_400)
    }
}
