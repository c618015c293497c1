import Foundation
import Testing

/// The gpsd protocol over a bare socket: what clients send in practice, and what they should not.
@Suite("The gpsd port", .serialized)
struct GPSDSocketTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func connect(to daemon: Daemon) async throws -> Wire {
        let client = try Wire(port: daemon.port)
        let version = try await client.object()
        #expect(version.text("class") == "VERSION" && version.number("proto_major") == 3)
        return client
    }

    @Test func `gpsmon's WATCH needs neither enable nor a semicolon`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let client = try await connect(to: daemon)
        try client.send("?WATCH={\"raw\":2,\"pps\":true}\r\n")
        #expect(try await client.object().text("class") == "DEVICES")
        let watch = try await client.object()
        #expect(watch.text("class") == "WATCH" && watch.bool("enable") == true && watch.bool("json") == false)
        #expect(watch.number("raw") == 2 && watch.bool("pps") == true)
    }

    @Test func `POLL, DEVICES, VERSION and DEVICE are answered`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let client = try await connect(to: daemon)
        try client.send("?DEVICES;")
        let absent = try await client.object()
        #expect(absent.text("class") == "DEVICES")
        #expect(absent.objects("devices")?.first?.text("path") == daemon.device)
        #expect(absent.objects("devices")?.first?.number("activated") == 0)
        try client.send("?POLL;")
        let empty = try await client.object()
        #expect(empty.text("class") == "POLL" && empty.number("active") == 0 && empty.objects("tpv")?.isEmpty == true)
        let receiver = try await EmulatedReceiver.start(
            in: scratch, EmulatedReceiver.fast + ["--output", "ubx"])
        defer { receiver.signal(SIGTERM) }
        let poll = try await poll(client) { $0.objects("tpv")?.first?.number("mode") == 3 }
        #expect(poll.number("active") == 1 && poll.text("time")?.hasSuffix("Z") == true)
        #expect(poll.objects("tpv")?.first?.number("lat").map { abs($0 - 47.38) < 0.1 } == true)
        #expect(poll.objects("sky")?.first?.objects("satellites")?.isEmpty == false)
        try client.send("?DEVICE;?VERSION;")
        let device = try await client.object()
        #expect(device.text("class") == "DEVICE" && device.text("driver") == "u-blox" && device.number("native") == 1)
        #expect(try await client.object().text("class") == "VERSION")
    }

    private func poll(_ client: Wire, until fits: (JSON) -> Bool) async throws -> JSON {
        for _ in 0..<200 {
            try client.send("?POLL;\n")
            let poll = try await client.object { $0.text("class") == "POLL" }
            if fits(poll) { return poll }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw Late(description: "no such POLL")
    }

    @Test func `a malformed request gets an ERROR, and the session continues`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let client = try await connect(to: daemon)
        for request in [
            "?WATCH={\"enable\":tru};", "?WATCH={;", "?WATCH=[];", "?NONSENSE;", "hello\n", "?WATCH={\"raw\":7};",
            "?WATCH={\"enable\":\"yes\"};", "?WATCH={\"device\":5};", "a\u{0}\u{1}\"\\\n",
        ] {
            try client.send(request)
            let answer = try await client.object()
            #expect(answer.text("class") == "ERROR", "\(request)")
            #expect(answer.text("message")?.isEmpty == false, "\(request)")
        }
        try client.send("?VERSION;")
        #expect(try await client.object().text("class") == "VERSION")
    }

    @Test func `a request of a megabyte causes one ERROR and nothing else`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let other = try await connect(to: daemon)
        let client = try await connect(to: daemon)
        try await client.sendAll(String(repeating: "x", count: 1_048_576) + "\n?VERSION;\n")
        let refusal = try await client.object()
        #expect(refusal.text("class") == "ERROR" && refusal.text("message") == "Request longer than 1024 bytes")
        #expect(try await client.object().text("class") == "VERSION")
        try other.send("?VERSION;")
        #expect(try await other.object().text("class") == "VERSION")
    }

    @Test(arguments: [
        "?VERSION;?DEVICES;?VERSION;", "?VERSION\n?DEVICES\n?VERSION\n", "?VERSION;\n?DEVICES;\r\n?VERSION;\r\n",
        ";;\n\r\n?VERSION \r\n ?DEVICES ;\n;?VERSION;",
    ])
    func `a semicolon or a line end terminates a request`(requests: String) async throws {
        let daemon = try await Daemon.start(in: scratch)
        let client = try await connect(to: daemon)
        // In two pieces, so that a request is cut in its middle.
        let cut = requests.index(requests.startIndex, offsetBy: 5)
        try client.send(String(requests[..<cut]))
        try client.send(String(requests[cut...]))
        #expect(try await client.object().text("class") == "VERSION")
        #expect(try await client.object().text("class") == "DEVICES")
        #expect(try await client.object().text("class") == "VERSION")
    }

    @Test func `with a UBX receiver, nmea watchers get NMEA sentences, and raw 1 watchers hexadecimal`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let sentences = try await connect(to: daemon)
        let dump = try await connect(to: daemon)
        try sentences.send("?WATCH={\"enable\":true,\"nmea\":true};")
        try dump.send("?WATCH={\"enable\":true,\"raw\":1};")
        let receiver = try await EmulatedReceiver.start(
            in: scratch, EmulatedReceiver.fast + ["--output", "ubx"])
        defer { receiver.signal(SIGTERM) }
        var seen: Set<String> = []
        while !seen.isSuperset(of: ["GGA", "RMC", "GSA", "GSV"]) {
            let line = try await sentences.line()
            guard line.hasPrefix("$") else { continue }
            #expect(Messages.isRight(sentence: line), "\(line)")
            seen.insert(String(line.dropFirst(3).prefix(3)))
        }
        var line = try await dump.line()
        while line.hasPrefix("{") { line = try await dump.line() }
        #expect(line.hasPrefix("b562") && line.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    }

    @Test func `WATCH with enable false stops the reports`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        let client = try await connect(to: daemon)
        try client.send("?WATCH={\"enable\":true,\"json\":true};")
        _ = try await client.object { $0.text("class") == "TPV" }
        try client.send("?WATCH={\"enable\":false};")
        let watch = try await client.object { $0.text("class") == "WATCH" }
        #expect(watch.bool("enable") == false)
        let epochs = try await daemon.receiver().number("epochs") ?? 0
        try await daemon.receiver("three more epochs") { ($0.number("epochs") ?? 0) >= epochs + 3 }
        try client.send("?VERSION;")
        #expect(try await client.object().text("class") == "VERSION", "nothing stood between")
    }
}
