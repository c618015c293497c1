import Foundation
import Glibc
import Testing

/// `sextant-geocoder` between `sextant geocode` and a server of names that misbehaves on demand.
@Suite("Geocoder command", .enabled(if: Tool.isInstalled("python3"), "needs python3"))
struct GeocoderCommandTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func board(
        _ how: String, more: String = "", tls: GeocoderBoard.Certificates? = nil, host: String = "127.0.0.1",
        manifests: String? = nil
    ) async throws -> GeocoderBoard {
        try await GeocoderBoard.start(in: scratch, how, more: more, tls: tls, host: host, manifests: manifests)
    }

    @Test(arguments: ["nominatim", "photon"])
    func `GEO-40: a server's street is told, from the cache too, and --local leaves the server out`(
        format: String
    ) async throws {
        let board = try await board(format, more: ", format: \"\(format)\"")
        for _ in 0..<2 {
            let (status, program) = try await board.geocode("--json", "--reverse", "47.3671", "8.5399")
            let line = try #require(JSON(line: program.outputLines.first ?? ""))
            #expect(status == 0 && line.text("thoroughfare") == "Bahnhofstrasse" && line.text("source") == "server")
            #expect(line.text("attribution") == "© OpenStreetMap contributors")
            #expect(line.text("subThoroughfare") == "1" && line.text("timeZone") == "Europe/Zurich")
            #expect(line.text("near") == "near Zürich" && line.text("postalCode") == "8001")
        }
        let (_, local) = try await board.geocode("--json", "--local", "--reverse", "47.3671", "8.5399")
        let town = try #require(JSON(line: local.outputLines.first ?? ""))
        #expect(town.text("source") == "geonames" && town.text("attribution") == nil)
        let (_, forward) = try await board.geocode("Bahnhofstrasse 1")
        #expect(forward.output.hasPrefix("Bahnhofstrasse 1"))
        let asked = board.asked
        #expect(asked.count == 2 && asked.allSatisfy { $0.hasPrefix("/\(format)/") })
    }

    @Test(arguments: [
        "reset", "huge", "deep", "html", "error", "nothing", "list", "elsewhere", "busy", "unsaid", "forbidden",
    ])
    func `GEO-38: whatever the server does, the table answers`(how: String) async throws {
        let board = try await board(how)
        let (status, program) = try await board.geocode("--reverse", "47.3671", "8.5399")
        #expect(status == 0 && program.output.hasPrefix("Zürich") && program.errors.isEmpty)
        #expect(board.geocoder.isRunning && board.geocoder.errors.contains("47.") == false)
        #expect(board.asked.count == 1)
        #expect(try #require(board.memory) < 48 << 20)
    }

    /// How long a lookup waits at most is tested on a driven clock by `GeocoderServiceTests`.
    @Test func `GEO-38: when the server is silent, the table answers`() async throws {
        let board = try await board("hang", more: ", timeout: 1")
        let (status, program) = try await board.geocode("--reverse", "47.3671", "8.5399")
        #expect(status == 0 && program.output.hasPrefix("Zürich"))
    }

    @Test func `GEO-38: the features may be an object`() async throws {
        let (_, program) = try await board("object").geocode("--reverse", "47.3671", "8.5399")
        #expect(program.output.hasPrefix("Bahnhofstrasse 1"))
    }

    @Test func `GEO-38: a port at which nobody listens, and a geocoder that is gone, leave the table's answer`()
        async throws
    {
        let board = try await board("nominatim")
        board.server.signal(SIGKILL)
        board.geocoder.signal(SIGKILL)
        let (status, program) = try await board.geocode("--reverse", "47.3671", "8.5399")
        #expect(status == 0 && program.output.hasPrefix("Zürich"))
    }

    @Test func `GEO-35: the command says how long to wait`() async throws {
        let board = try await board("nominatim", more: ", perClient: 1")
        _ = try await board.geocode("--reverse", "47.3671", "8.5399")
        let (status, program) = try await board.geocode("--reverse", "47.5", "8.5")
        #expect(status == 75 && program.errors.contains("too many lookups") && program.errors.contains("--local"))
        #expect(try await board.geocode("--reverse", "47.3671", "8.5399").program.output.hasPrefix("Bahnhofstrasse"))
    }

    @Test func `GEO-39: after 403 the file's change or SIGHUP lets the server be asked again`() async throws {
        let board = try await board("forbidden")
        for _ in 0..<2 { _ = try await board.geocode("--reverse", "47.3671", "8.5399") }
        #expect(board.asked.count == 1)
        board.geocoder.signal(SIGHUP)
        _ = try await board.geocode("--reverse", "47.3671", "8.5399")
        #expect(board.asked.count == 2)
        let path = "\(scratch.path)/sextant.json5"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        _ = try scratch.write(text + "// changed\n", to: "sextant.json5")
        _ = try await board.geocode("--reverse", "47.3671", "8.5399")
        #expect(board.asked.count == 3)
    }

    @Test func `GEO-42: kept lookups of a program without a manifest are listed and erased, also without a daemon`()
        async throws
    {
        let board = try await board("nominatim")
        _ = try await board.geocode("--reverse", "47.3671", "8.5399")
        let nobody = ["--socket", "\(scratch.path)/nothing.sock"]
        let list = try await board.sextant(["privacy", "--json"] + nobody)
        let row = try #require(JSON(line: list.program.outputLines.first ?? ""))
        #expect(list.status == 69 && row.text("kind") == "lookups" && row.number("count") == 1)
        let name = try #require(row.text("client"))
        #expect(name.hasPrefix("user \(geteuid())"))
        let daemon = try await VirtualDaemon.start(in: scratch, SilentDevice())
        let one = try await board.sextant(["privacy", name, "--socket", daemon.socket])
        #expect(one.status == 0 && one.program.outputLines == ["\(name): lookups, 1 entry"])
        let erase = try await board.sextant(["privacy", "erase", name, "--yes", "--socket", daemon.socket])
        #expect(erase.status == 0 && erase.program.outputLines == ["erased 1 kept lookup of \(name)"])
        let none = try await board.sextant(["privacy", name, "--socket", daemon.socket])
        #expect(none.status == 65)
    }

    @Test func `GEO-41: without a server nothing is asked, and --check names the key`() async throws {
        let file = try scratch.write(
            "{ board: \"b\", geocoding: { server: \"https://a.example\", speed: 1 } }", to: "c")
        let program = try Program(Built.geocoder, ["--check", "--config", file], in: scratch)
        #expect(try await program.status() == 78 && program.errors.contains("geocoding.speed: unknown key"))
        let board = try await board("nominatim")
        _ = try scratch.write("{ board: \"b\" }", to: "sextant.json5")
        board.geocoder.signal(SIGHUP)
        try await eventually("that the file is read again") {
            board.geocoder.errors.contains("no server is asked") ? () : nil
        }
        let (_, local) = try await board.geocode("--reverse", "47.3671", "8.5399")
        #expect(local.output.hasPrefix("Zürich"))
        #expect(board.asked.isEmpty)
        let none = try Program(Built.geocoder, [], in: scratch)
        #expect(try await none.status() == 69 && none.errors.contains("no socket was passed"))
    }

    @Test(
        .enabled(
            if: geteuid() == 0 && Tool.isInstalled("unshare"), "a network of its own wants root and unshare"))
    func `GEO-41: without a server no packet is sent`() async throws {
        _ = try scratch.write("{ board: \"b\" }", to: "sextant.json5")
        // The loopback of a new network is up, and has counted nothing yet. Source: netdevice(7), SIOCSIFFLAGS.
        let up = "import fcntl,socket,struct; fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sh', b'lo', 0x41))"
        let commands = """
            cd \(scratch.path) && python3 -c "\(up)" || exit 1
            \(Built.geocoder) --config sextant.json5 --socket s --state state --clients none &
            until [ -S s ]; do sleep 0.05; done
            SEXTANT_PLACES=\(try await GeocoderBoard.places(in: scratch)) SEXTANT_GEOCODER=s \(Built.sextant) geocode --reverse 47.3671 8.5399
            kill $!
            awk '$1 == "lo:" { print "packets", $3 + $11 }' /proc/net/dev
            """
        let script = try scratch.write(commands, to: "commands")
        let (status, program) = try await Program.shell("unshare --net sh \(script)", in: scratch)
        #expect(status == 0 && program.outputLines.first?.hasPrefix("Zürich") == true, "\(program.errors)")
        #expect(program.outputLines.last == "packets 0")
    }

    @Test func `GEO-42: what is kept is the geocoder's alone`() async throws {
        let board = try await board("nominatim")
        _ = try await board.geocode("--reverse", "47.3671", "8.5399")
        for (path, mode) in [("state", 0o700), ("state/answers.sqlite", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(scratch.path)/\(path)")
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `GEO-42: erasing a client's data erases its lookups`() async throws {
        let admission = try Admission.everybody(in: scratch)
        let daemon = try await VirtualDaemon.start(in: scratch, SilentDevice(), admission: admission)
        let board = try await board("nominatim", manifests: admission.manifests)
        _ = try await board.geocode("--reverse", "47.3671", "8.5399")
        let erase = try Program(
            "/usr/bin/env",
            [
                "SEXTANT_GEOCODER=\(board.socket)", Built.sextant, "privacy", "erase", "tests", "--yes", "--socket",
                daemon.socket,
            ], in: scratch)
        #expect(try await erase.status() == 0 && erase.output.contains("erased 1 kept lookup of tests"))
        _ = try await board.geocode("--reverse", "47.3671", "8.5399")
        #expect(board.asked.count == 2)
    }

    @Test(.enabled(if: Tool.isInstalled("openssl"), "needs openssl"))
    func `GEO-38: a certificate is checked, its authority and its name`() async throws {
        let commands = """
            cd \(scratch.path) && key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1' &&
            openssl req -x509 $key -nodes -keyout ca.key -out ca.pem -days 2 \
            -subj /CN=authority -addext basicConstraints=critical,CA:TRUE &&
            openssl req $key -nodes -keyout key.pem -out request.pem -subj /CN=server &&
            printf 'subjectAltName=DNS:localhost\\n' > names &&
            openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names \
            -out certificate.pem &&
            openssl req -x509 $key -nodes -keyout other.key -out other.pem -days 2 -subj /CN=other
            """
        let (status, program) = try await Program.shell(commands, in: scratch)
        try #require(status == 0, "\(program.errors)")
        func path(_ name: String) -> String { "\(scratch.path)/\(name)" }
        for (host, authority, isTrusted) in [
            ("localhost", "ca.pem", true), ("localhost", "other.pem", false), ("127.0.0.1", "ca.pem", false),
        ] {
            try? FileManager.default.removeItem(atPath: path("geocoder.sock"))
            try? FileManager.default.removeItem(atPath: path("state"))
            let board = try await board(
                "nominatim",
                tls: .init(certificate: path("certificate.pem"), key: path("key.pem"), authority: path(authority)),
                host: host)
            let (_, answer) = try await board.geocode("--reverse", "47.3671", "8.5399")
            #expect(answer.output.hasPrefix(isTrusted ? "Bahnhofstrasse 1" : "Zürich"), "\(board.geocoder.errors)")
            #expect(board.asked.count == (isTrusted ? 1 : 0))
            #expect(try #require(board.memory) < 48 << 20)
        }
    }
}
