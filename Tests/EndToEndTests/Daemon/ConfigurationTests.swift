import Foundation
import Testing

/// `sextantd --config` with good files and wrong ones.
@Suite("Configuration")
struct ConfigurationTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `comments, trailing commas and bare keys are read`() async throws {
        let path = try scratch.write(
            """
            // The tracker on the bench.
            {
                device: "\(scratch.path("receiver"))", /* a link */
                "baud": 115200,
                socket: '\(scratch.path("s"))',
                stateDirectory: "\(scratch.path)",
                recording: "\(scratch.path("flight"))",
                gpsd: { enabled: false, port: 2947, addresses: ["127.0.0.1", "::1",], },
            }
            """, to: "good.json5")
        let daemon = try Program(Built.sextantd, ["--config", path], in: scratch)
        #expect(try await daemon.logged("serving") == "sextantd: serving \(scratch.path("s"))")
        let status = try await Program.sextant(["status", "--json", "--socket", scratch.path("s")], in: scratch)
        let receiver = JSON(line: status.program.outputLines[0])?.object("receiver")
        #expect(receiver?.text("device") == scratch.path("receiver"))
        #expect(FileManager.default.fileExists(atPath: scratch.path("flight")))
        daemon.signal(SIGTERM)
        #expect(try await daemon.status() == 0)
    }

    @Test func `an option overrides the file`() async throws {
        let path = try scratch.write("{ device: \"/nowhere\", socket: \"/nowhere/s\", baud: \"auto\" }", to: "a.json5")
        let daemon = try Program(
            Built.sextantd, ["--config", path, "--socket", scratch.path("s"), "--gpsd", "0", "--baud", "9600"],
            in: scratch)
        try await daemon.logged("serving \(scratch.path("s")), gpsd on port ")
    }

    @Test(arguments: [
        ("{}", "device: missing; name the receiver's device, such as device: \"/dev/serial0\""),
        ("[]", "the file must hold one object: { device: \"/dev/serial0\" }"),
        ("{device: 5}", "device: 5 must be a text"),
        ("{device: \"\"}", "device: \"\" must be a text"),
        ("{device: \"/d\", baud: 300}", "baud: 300 must be bits per second from 4800 to 921600, or \"auto\""),
        ("{device: \"/d\", baud: 9600.5}", "baud: 9600.5 must be bits per second from 4800 to 921600, or \"auto\""),
        ("{device: \"/d\", baud: \"9600\"}", "baud: \"9600\" must be bits per second from 4800 to 921600, or \"auto\""),
        ("{device: \"/d\", baud: null}", "baud: null must be bits per second from 4800 to 921600, or \"auto\""),
        ("{device: \"/d\", socket: true}", "socket: true must be a text"),
        (
            "{device: \"/d\", devcie: \"/e\"}",
            "devcie: unknown key; the keys here are device, board, baud, socket, stateDirectory, recording, "
                + "geocoding, power, hostSleep, time, spots, clients, wakeDirectory, gpsd"
        ),
        (
            "{device: \"/d\", clients: {folder: \"/m\"}}",
            "clients.folder: unknown key; the keys here are manifests, policy"
        ),
        ("{device: \"/d\", gpsd: 2947}", "gpsd: 2947 must be an object"),
        ("{device: \"/d\", gpsd: {port: 0}}", "gpsd.port: 0 must be a port from 1 to 65535"),
        ("{device: \"/d\", gpsd: {port: 70000}}", "gpsd.port: 70000 must be a port from 1 to 65535"),
        ("{device: \"/d\", gpsd: {port: \"2947\"}}", "gpsd.port: \"2947\" must be a port from 1 to 65535"),
        ("{device: \"/d\", gpsd: {enabled: 1}}", "gpsd.enabled: 1 must be true or false"),
        (
            "{device: \"/d\", gpsd: {addresses: []}}",
            "gpsd.addresses: a list must be a list of addresses, such as [\"127.0.0.1\", \"::1\"]"
        ),
        ("{device: \"/d\", gpsd: {addresses: [7]}}", "gpsd.addresses: 7 must be an address"),
        (
            "{device: \"/d\", gpsd: {adresses: []}}",
            "gpsd.adresses: unknown key; the keys here are enabled, port, addresses"
        ),
    ])
    func `an error in the file names its key, its value and the expected value`(text: String, problem: String)
        async throws
    {
        let path = try scratch.write(text, to: "wrong.json5")
        let daemon = try Program(Built.sextantd, ["--config", path], in: scratch)
        #expect(try await daemon.status() == 78)
        #expect(daemon.errorLines == ["sextantd: \(path): \(problem)"])
    }

    @Test(arguments: [
        ("", "line 1, column 1: a value expected, but the text ends"),
        ("hello", "line 1, column 1: a value expected; put a text in quotes"),
        ("{\n  device: /dev/serial0\n}", "line 2, column 11: a value expected; put a text in quotes"),
        ("{device: \"/d\"", "line 1, column 14: a comma or } expected, but the text ends"),
        ("{\n  device: \"/d\"\n  baud: 9600,\n}", "line 3, column 3: a comma or } expected"),
        ("{device: \"/d, baud: 9600}\n", "line 1, column 10: the text is not closed; close it with \" in its line"),
        ("{device: \"/d\", gpsd: {addresses: [\"::1\"}}", "line 1, column 40: a comma or ] expected"),
        ("{device \"/d\"}", "line 1, column 9: a colon after the key expected"),
        ("{device: \"/d\",, }", "line 1, column 15: a key or } expected"),
        ("{device: \"/d\"} }", "line 1, column 16: unexpected text after the end of the value"),
        ("/* device\n{}", "line 1, column 1: the comment is not closed; close it with */"),
        ("\u{0}\u{1}", "line 1, column 1: a value expected"),
    ])
    func `a file that is not JSON5 is reported with the place of the error`(text: String, place: String) async throws {
        let path = try scratch.write(text, to: "wrong.json5")
        let daemon = try Program(Built.sextantd, ["--config", path], in: scratch)
        #expect(try await daemon.status() == 78)
        #expect(daemon.errorLines == ["sextantd: \(path): not JSON5: \(place)"])
    }

    @Test func `an invalid address is named`() async throws {
        let path = try scratch.write(
            "{device: \"/d\", socket: \"\(scratch.path("s"))\", gpsd: {addresses: [\"localhost\"]}}", to: "a.json5")
        let daemon = try Program(Built.sextantd, ["--config", path], in: scratch)
        #expect(try await daemon.status() == 69)
        #expect(daemon.errorLines == ["sextantd: localhost: not a numeric IP address, such as 127.0.0.1 or ::1"])
    }

    @Test func `a file that cannot be read exits 74`() async throws {
        let cases = [
            (scratch.path("none"), "no such file; write one, or give --device"),
            (scratch.path, "is a directory; name the file in it"),
            (
                try scratch.write([UInt8](repeating: 0x20, count: 70_000), to: "big"),
                "larger than 64 KiB; this is not a Sextant configuration"
            ),
        ]
        for (path, problem) in cases {
            let daemon = try Program(Built.sextantd, ["--config", path], in: scratch)
            let status = try await daemon.status()
            #expect(status == (path.hasSuffix("big") ? 78 : 74))
            #expect(daemon.errorLines == ["sextantd: \(path): \(problem)"])
        }
    }

    @Test func `--help, --version and --option=value work`() async throws {
        let help = try Program(Built.sextantd, ["--help"], in: scratch)
        #expect(try await help.status() == 0)
        #expect(help.output.contains("USAGE: sextantd [--config <file>]"))
        #expect(help.outputLines.allSatisfy { $0.hasPrefix("USAGE") || $0.count <= 80 })
        let version = try Program(Built.sextantd, ["--version"], in: scratch)
        #expect(try await version.status() == 0)
        #expect(version.output.first?.isNumber == true)
        let joined = try Program(Built.sextantd, ["--config=\(scratch.path("none"))"], in: scratch)
        #expect(try await joined.status() == 74)
    }

    @Test(arguments: [
        (["--device", "/d", "--config", "/c"], "give either --config, which names the device, or --device"),
        (["--device", "/d", "--baud", "300"], "300"), (["--device", "/d", "--gpsd", "70000"], "70000"),
        (["--fast"], "--fast"), (["--baud"], "Missing value"),
        (["--config", "--device", "/d"], "Missing value for '--config"), (["--baud=fast"], "fast"),
        (["device"], "device"),
    ])
    func `wrong usage exits 64 and says what is wrong`(arguments: [String], problem: String) async throws {
        let daemon = try Program(Built.sextantd, arguments, in: scratch)
        #expect(try await daemon.status() == 64)
        #expect(daemon.errorLines.first?.hasPrefix("Error: ") == true)
        #expect(daemon.errorLines.first?.contains(problem) == true)
    }

    @Test(arguments: [
        (String(repeating: "x", count: 120), "too long for a socket path; choose one of at most 107 bytes"),
        ("file", "exists and is not a socket; remove it or choose another path"),
        ("none/deep/s", "its directory does not exist; create it, or choose another path"),
    ])
    func `a socket that cannot be created exits 69`(name: String, problem: String) async throws {
        _ = try scratch.write("", to: "file")
        let path = scratch.path(name)
        let daemon = try Program(Built.sextantd, ["--device", "/d", "--socket", path, "--gpsd", "off"], in: scratch)
        #expect(try await daemon.status() == 69)
        #expect(daemon.errorLines == ["sextantd: \(path): \(problem)"])
    }
}
