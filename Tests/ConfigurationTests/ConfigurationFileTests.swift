import Boards
import Configuration
import Foundation
import SextantJSON
import Testing
import TimeService

@Suite("Configuration file")
struct ConfigurationFileTests {
    private func settings(_ text: String) throws -> TrackerSettings {
        try readFile(text) { try ConfigurationFile.settings(readFrom: $0) }
    }

    @Test func `comments, bare keys and trailing commas are JSON5`() throws {
        let settings = try settings(
            """
            // A tracker.
            {
                device: '/dev/serial0', /* the UART */
                baud: 38400,
                socket: "/tmp/s",
                stateDirectory: "/var/lib/sextant",
                gpsd: { port: 2948, addresses: ["::1"], },
            }
            """)
        var expected = TrackerSettings(device: "/dev/serial0", baud: 38_400)
        expected.socket = "/tmp/s"
        expected.stateDirectory = "/var/lib/sextant"
        expected.clients = .files(TrackerSettings.ClientFiles())
        expected.gpsdPort = 2948
        expected.gpsdAddresses = ["::1"]
        #expect(settings == expected)
    }

    @Test func `the time service is off unless the file has its section, which may be empty`() throws {
        #expect(try settings("{device: \"/dev/x\"}").time == nil)
        #expect(try settings("{device: \"/dev/x\", time: {}}").time == TimeSettings())
        let time = try settings("{device: \"/dev/x\", time: {chrony: \"/run/c.sock\", serialDelay: 0.25}}").time
        #expect(time?.chrony == "/run/c.sock")
        #expect(time?.serialDelay == 0.25)
        #expect(time?.pulse == nil && time?.demand == nil)
        let more = try settings("{device: \"/dev/x\", time: {pulse: {device: \"/dev/pps1\"}, demand: {every: 600}}}")
            .time
        #expect(more?.pulse?.device == "/dev/pps1" && more?.pulse?.chrony == "/run/chrony.pps.sextant.sock")
        #expect(more?.demand == TimeDemand(interval: 600_000_000_000, length: 30_000_000_000))
        for wrong in [
            "chrony: \"c.sock\"", "serialDelay: 2", "demand: 1", "demand: {every: 60}", "demand: {seconds: 601}",
            "pulse: {device: \"pps0\"}", "pulse: {chrony: \"/run/chrony.sextant.sock\"}",
        ] {
            #expect(throws: ConfigurationError.self) { try settings("{device: \"/dev/x\", time: {\(wrong)}}") }
        }
    }

    @Test func `the gpsd port can be switched off and the rate found`() throws {
        let settings = try settings("{device: \"/dev/x\", baud: \"auto\", gpsd: {enabled: false}}")
        #expect(settings.baud == nil)
        #expect(settings.gpsdPort == nil)
    }

    /// The path of a folder of `boards/`.
    private func board(_ name: String) -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return root.deletingLastPathComponent().appendingPathComponent("boards/\(name)").path
    }

    @Test func `a board gives its device and rate where the file leaves them out`() throws {
        let settings = try settings("{board: \"\(board("zero-2w-neo-m8n"))\"}")
        #expect(settings.board?.name == "zero-2w-neo-m8n")
        #expect(settings.device == settings.board?.receiver.device)
        #expect(settings.baud == settings.board?.receiver.baud)
    }

    @Test func `the longest rest without a probe is read, and what is wrong with it is told`() throws {
        #expect(try settings("{device: '/dev/x', power: {probe: 60}}").longestUnwatchedRest == 60)
        #expect(try settings("{device: '/dev/x', power: {}}").longestUnwatchedRest == nil)
        #expect(throws: ConfigurationError(description: "FILE: power.probe: 5 must be seconds from 10 to 86400")) {
            try settings("{device: '/dev/x', power: {probe: 5}}")
        }
        #expect(throws: ConfigurationError(description: "FILE: power.rest: unknown key; the keys here are probe")) {
            try settings("{device: '/dev/x', power: {rest: 5}}")
        }
    }

    @Test func `what the file says stands above the board`() throws {
        let settings = try settings("{board: \"\(board("zero-2w-max-m10s"))\", device: \"/dev/x\", baud: 38400}")
        #expect(settings.board?.name == "zero-2w-max-m10s")
        #expect(settings.device == "/dev/x")
        #expect(settings.baud == 38_400)
    }

    @Test func `a board that was not filled in is none where the device is given instead`() throws {
        let settings = try settings("{board: \"\", device: \"/dev/x\"}")
        #expect(settings.board == nil && settings.device == "/dev/x")
    }

    @Test func `a board that is not there is said so`() {
        let text =
            "board \"none-such\": no part of this name in /etc/sextant/boards or /usr/share/sextant/boards; "
            + "a board elsewhere is named by a path, such as ./boards/none-such"
        #expect(throws: ConfigurationError(description: text, isUnreadable: true)) {
            try settings("{board: \"none-such\"}")
        }
    }

    @Test(arguments: [
        ("{}", "FILE: device: missing; name the receiver's device, such as device: \"/dev/serial0\""),
        (
            "{bord: \"zero-2w+neo-m8n\"}",
            "FILE: bord: unknown key; the keys here are device, board, baud, socket, stateDirectory, recording, "
                + "geocoding, power, hostSleep, time, spots, clients, wakeDirectory, gpsd"
        ),
        ("{device: 5}", "FILE: device: 5 must be a text"),
        ("{device: \"\"}", "FILE: device: \"\" must be a text"),
        (
            "{device: \"/dev/x\", baud: 300}",
            "FILE: baud: 300 must be bits per second from 4800 to 921600, or \"auto\""
        ),
        (
            "{device: \"/dev/x\", baud: NaN}",
            "FILE: baud: NaN must be bits per second from 4800 to 921600, or \"auto\""
        ),
        ("{device: \"/dev/x\", gpsd: {port: -Infinity}}", "FILE: gpsd.port: -Infinity must be a port from 1 to 65535"),
        (
            "{device: \"/dev/x\", bauds: 9600}",
            "FILE: bauds: unknown key; the keys here are device, board, baud, socket, stateDirectory, recording, "
                + "geocoding, power, hostSleep, time, spots, clients, wakeDirectory, gpsd"
        ),
        ("{device: \"/dev/x\", gpsd: {port: 70000}}", "FILE: gpsd.port: 70000 must be a port from 1 to 65535"),
        (
            "{device: \"/dev/x\", gpsd: {prt: 1}}",
            "FILE: gpsd.prt: unknown key; the keys here are enabled, port, addresses"
        ),
        ("{device: \"/dev/x\", gpsd: true}", "FILE: gpsd: true must be an object"),
        ("[1]", "FILE: the file must hold one object: { device: \"/dev/serial0\" }"),
    ])
    func `an error names the file, the key, the value and what was expected`(text: String, message: String) {
        #expect(throws: ConfigurationError(description: message)) { try settings(text) }
    }

    @Test func `what is no JSON5 is said so in one line`() {
        #expect {
            try settings("{device: \"/dev/x\"")
        } throws: { error in
            let text = (error as? ConfigurationError)?.description ?? ""
            return text.hasPrefix("FILE: not JSON5: ") && !text.contains("\n")
        }
    }

    @Test func `a file that is not there is said so`() {
        #expect {
            try ConfigurationFile.settings(readFrom: "/nonexistent/sextant.json5")
        } throws: { error in
            "\(error)" == "/nonexistent/sextant.json5: no such file; write one, or give --device"
        }
    }

    // MARK: What cannot be used

    /// What holds of a text that is no configuration.
    private func rest(_ text: String) throws -> TrackerSettings {
        let reading = try readFile(text) { ConfigurationFile.reading(of: $0) }
        #expect(reading.problem != nil)
        return reading.settings
    }

    @Test(arguments: [
        "device: 5,", "device: '/dev/x', baud: 300,", "board: 'none-such',", "board: '',",
        "device: '/dev/x', socket: 7,",
        "device: '/dev/x', recording: {},", "",
    ])
    func `every part that is right holds where another is wrong`(wrong: String) throws {
        let rest = try rest(
            """
            { \(wrong) stateDirectory: "/s", wakeDirectory: "/w", clients: { manifests: "/m", policy: "/p" },
              gpsd: { port: 2948, addresses: ["::1"] } }
            """)
        var expected = TrackerSettings(device: "receiver", baud: nil)
        expected.stateDirectory = "/s"
        expected.wakeDirectory = "/w"
        var files = TrackerSettings.ClientFiles()
        (files.manifests, files.policy) = ("/m", "/p")
        expected.clients = .files(files)
        expected.gpsdPort = 2948
        expected.gpsdAddresses = ["::1"]
        #expect(rest == expected)
    }

    @Test func `a receiver that is right is not used, and nothing recorded, where another part is wrong`() throws {
        let rest = try rest("{ device: '/dev/x', baud: 9600, recording: '/r', stateDirectory: 5 }")
        #expect(rest.device == "receiver" && rest.baud == nil && rest.recording == nil && rest.stateDirectory == nil)
        #expect(rest.clients == .files(TrackerSettings.ClientFiles()) && rest.gpsdPort == 2947)
    }

    @Test(arguments: [
        ("{ clients: 5, device: '/dev/x' }", 2947), ("{ clients: { manifests: '' }, device: '/dev/x' }", 2947),
        ("{ clients: { polcy: '/p' }, device: '/dev/x' }", 2947), ("{ clients: null, device: '/dev/x' }", 2947),
        ("{ clinets: { policy: '/p' }, device: '/dev/x' }", nil), ("{ device: '/dev/x' ", nil), ("7", nil), ("", nil),
        ("{ clients: {}, clients: {}, device: '/dev/x' }", nil),
    ])
    func `nobody is served where it is not told who is`(text: String, port: UInt16?) throws {
        let rest = try rest(text)
        #expect(rest.clients == .nobody)
        #expect(rest.gpsdPort == port)
    }

    @Test(arguments: [
        "gpsd: 5", "gpsd: { enabled: 'no' }", "gpsd: { port: 0, enabled: false }", "gpsd: { prot: 2948 }", "gspd: {}",
        "gpsd: { addresses: [5] }", "gpsd: { enabled: false }, baud: 3",
    ])
    func `there is no gpsd port where it is not told which`(text: String) throws {
        let rest = try rest("{ device: '/dev/x', clients: { policy: '/p' }, \(text) }")
        #expect(rest.gpsdPort == nil && rest.gpsdAddresses == nil)
        #expect(rest.clients.files?.policy == "/p")
    }

    @Test func `a file that is not there tells nothing`() {
        let reading = ConfigurationFile.reading(of: "/nonexistent/sextant.json5")
        #expect(reading.problem?.isUnreadable == true)
        #expect(reading.settings.clients == .nobody && reading.settings.gpsdPort == nil)
        #expect(reading.settings.stateDirectory == nil)
        #expect(reading.files == ["/nonexistent/sextant.json5"])
    }

    @Test func `the files that it depends on are its own, its board's, and those that are looked for`() throws {
        let files = try readFile("{ device: 5, board: '\(board("zero-2w-neo-m8n"))+none-such' }") { path in
            let files = ConfigurationFile.reading(of: path).files
            #expect(files.first == path)
            return files
        }
        #expect(files.contains("\(board("zero-2w-neo-m8n"))/board.json5"))
        for folder in [board("none-such"), "/etc/sextant/boards/none-such", "/usr/share/sextant/boards/none-such"] {
            #expect(files.contains("\(folder)/board.json5"))
        }
    }
}
