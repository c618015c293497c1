import BenchControl
import Emulation
import Foundation
import Glibc
import Testing

/// The gpsd protocol over a bare socket: what clients send in practice, and what they should not.
@Suite("The gpsd port", .serialized)
struct VirtualGPSDSocketTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func connect<Device>(to daemon: DrivenDaemon<Device>) async throws -> Wire {
        let client = try Wire(port: daemon.port)
        let version = try await client.object()
        #expect(version.text("class") == "VERSION" && version.number("proto_major") == 3)
        return client
    }

    @Test func `gpsmon's WATCH needs neither enable nor a semicolon`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, SilentDevice())
        let client = try await connect(to: daemon)
        try client.send("?WATCH={\"raw\":2,\"pps\":true}\r\n")
        #expect(try await client.object().text("class") == "DEVICES")
        let watch = try await client.object()
        #expect(watch.text("class") == "WATCH" && watch.bool("enable") == true && watch.bool("json") == false)
        #expect(watch.number("raw") == 2 && watch.bool("pps") == true)
    }

    @Test func `POLL, DEVICES, VERSION and DEVICE are answered`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic(.ubx))
        try daemon.harness.unplug()
        let client = try await connect(to: daemon)
        try client.send("?DEVICES;")
        let absent = try await client.object()
        #expect(absent.text("class") == "DEVICES")
        #expect(absent.objects("devices")?.first?.text("path") == daemon.device)
        #expect(absent.objects("devices")?.first?.number("activated") == 0)
        try client.send("?POLL;")
        let empty = try await client.object()
        #expect(empty.text("class") == "POLL" && empty.number("active") == 0 && empty.objects("tpv")?.isEmpty == true)
        try daemon.harness.plug()
        try daemon.run(seconds: 10)
        try client.send("?POLL;")
        let poll = try await client.object()
        #expect(poll.text("class") == "POLL" && poll.objects("tpv")?.first?.number("mode") == 3)
        #expect(poll.number("active") == 1 && poll.text("time")?.hasSuffix("Z") == true)
        #expect(poll.objects("tpv")?.first?.number("lat").map { abs($0 - 47.3769) < 0.01 } == true)
        #expect(poll.objects("sky")?.first?.objects("satellites")?.isEmpty == false)
        try client.send("?DEVICE;?VERSION;")
        let device = try await client.object()
        #expect(device.text("class") == "DEVICE" && device.text("driver") == "u-blox" && device.number("native") == 1)
        #expect(try await client.object().text("class") == "VERSION")
    }

    @Test func `a malformed request gets an ERROR, and the session continues`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, SilentDevice())
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
        let daemon = try await DrivenDaemon.start(in: scratch, SilentDevice())
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
        let daemon = try await DrivenDaemon.start(in: scratch, SilentDevice())
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
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic(.ubx))
        let sentences = try await connect(to: daemon)
        let dump = try await connect(to: daemon)
        try sentences.send("?WATCH={\"enable\":true,\"nmea\":true};")
        try dump.send("?WATCH={\"enable\":true,\"raw\":1};")
        for client in [sentences, dump] { _ = try await client.object { $0.text("class") == "WATCH" } }
        try daemon.run(seconds: 10)
        let lines = try await sentences.receivedFromGPSD().filter { $0.hasPrefix("$") }
        #expect(lines.allSatisfy(Messages.isRight(sentence:)), "\(lines)")
        #expect(Set(lines.map { $0.dropFirst(3).prefix(3) }).isSuperset(of: ["GGA", "RMC", "GSA", "GSV"]), "\(lines)")
        let frames = try await dump.receivedFromGPSD().filter { !$0.hasPrefix("{") }
        #expect(!frames.isEmpty)
        #expect(frames.allSatisfy { $0.hasPrefix("b562") && $0.allSatisfy { $0.isHexDigit && !$0.isUppercase } })
    }

    @Test func `WATCH with enable false stops the reports`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic())
        let client = try await connect(to: daemon)
        try client.send("?WATCH={\"enable\":true,\"json\":true};")
        _ = try await client.object { $0.text("class") == "WATCH" }
        try daemon.run(seconds: 5)
        #expect(try await client.receivedFromGPSD().contains { $0.contains("\"class\":\"TPV\"") })
        try client.send("?WATCH={\"enable\":false};")
        #expect(try await client.object { $0.text("class") == "WATCH" }.bool("enable") == false)
        let epochs = try #require(try await daemon.receiver().number("epochs"))
        try daemon.run(seconds: 5)
        #expect(try #require(try await daemon.receiver().number("epochs")) >= epochs + 3)
        #expect(try await client.receivedFromGPSD() == [])
    }

    @Test func `gpsd clients are told when the device disappears and returns`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic())
        let client = try await connect(to: daemon)
        try client.send("?WATCH={\"enable\":true};")
        _ = try await client.object { $0.text("class") == "WATCH" }
        try daemon.run(seconds: 5)
        try daemon.harness.unplug()
        try daemon.run(seconds: 5)
        try daemon.harness.plug()
        try daemon.run(seconds: 5)
        let states = try await client.receivedFromGPSD().compactMap(JSON.init(line:)).with("class", "DEVICE")
        #expect(states.allSatisfy { $0.text("path") == daemon.device })
        // Once more when the receiver that returned has been heard.
        #expect(states.map { $0.text("driver") != nil } == [true, false, true, true])
        #expect(states.map { $0.number("activated") == 0 } == [false, true, false, false])
    }

    /// A program that prints what the gpsd port sends it, run as a user of a number, whatever the machine has.
    private func watch(
        _ port: UInt16, as user: UInt32, from address: String = "127.0.0.1"
    ) throws -> Program {
        let family = address.contains(":") ? "AF_INET6" : "AF_INET"
        let script = """
            import socket, sys
            s = socket.socket(socket.\(family)); s.connect(('\(address)', \(port)))
            s.sendall(b'?WATCH={"enable":true,"json":true,"nmea":true};')
            while (data := s.recv(65536)): sys.stdout.buffer.write(data); sys.stdout.flush()
            """
        let runner = Tool.runner(as: user)
        return try Program(runner[0], runner.dropFirst() + ["/usr/bin/python3", "-c", script], in: scratch)
    }

    @Test(.enabled(if: geteuid() == 0 && Tool.isInstalled("setpriv", "python3"), "needs root, setpriv and python3"))
    func `of three users at the gpsd port the allowed one is told where the board is, by each address`() async throws {
        let admission = try Admission.threeUsers(in: scratch)
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic(), admission: admission)
        let users = [Admission.allowedUser, Admission.deniedUser, Admission.strangeUser]
        let addresses = ["127.0.0.1", "::1", "::ffff:127.0.0.1"]
        let programs = try users.flatMap { user in
            try addresses.map { (user, $0, try watch(daemon.port, as: user, from: $0)) }
        }
        for (_, _, program) in programs {
            try await program.line("the answer to WATCH") { $0.contains("\"class\":\"WATCH\"") }
        }
        try daemon.run(seconds: 10)
        try await daemon.quit()
        for (user, address, program) in programs {
            try await program.status()
            let isTold = program.output.contains("\"lat\"") || program.output.contains("$G")
            #expect(isTold == (user == Admission.allowedUser), "user \(user) from \(address)")
        }
    }
}
