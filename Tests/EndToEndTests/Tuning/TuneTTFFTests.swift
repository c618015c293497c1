import Foundation
import Testing

/// `scripts/tune-ttff` on an emulated receiver, and on records that are made up.
@Suite("scripts/tune-ttff", .serialized, .enabled(if: Tool.isInstalled("python3"), "python3 is not installed"))
struct TuneTTFFTests {
    private let scratch: Scratch
    private let tune: TuningScript

    init() throws {
        scratch = try Scratch()
        tune = TuningScript(name: "tune-ttff", scratch: scratch)
    }

    private func contents(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func record(_ starts: [StartRecord]) throws -> String {
        try scratch.write(StartRecord.text(starts), to: "record.jsonl")
    }

    // MARK: Measuring

    @Test func `a run killed during a rest resumes it, and writes the emulated receiver's start times`()
        async throws
    {
        let receiver = try await LiveReceiver(in: scratch)
        let record = scratch.path("record.jsonl")
        let arguments =
            "--board '\(receiver.board)' --clock '\(receiver.clock)' --hold 2 --repeats 5 --rounds 1 --off 120 "
            + "--record '\(record)' --picture '\(scratch.path("starts.svg"))'"
        // Its head, a hot, a warm and a cold start, and a rest that begins; then a line that the loss of power cut off.
        try await tune.killed(arguments, afterRecords: 5)
        let kept = TuningScript.lines(of: record)
        try await receiver.pass(40)
        try Data((try contents(record) + "{\"kind\":\"sta").utf8).write(to: URL(filePath: record))
        let result = try await tune(arguments)
        #expect(result.status == 0, "\(result.program.errors)")
        // It had rested for three seconds when that was known and kept.
        #expect(
            result.program.errors.contains(
                "3 of 16 starts are in \(record)\nthe receiver has rested for 43 s of 2 min: going on"),
            "\(result.program.errors)")
        let all = TuningScript.lines(of: record)
        #expect(Array(all.prefix(5)) == kept)
        #expect(all.count { $0.contains("\"kind\":\"start\"") } == 16)
        let text = try contents(receiver.board)
        #expect(text.contains("startSeconds: {\n") && text.contains("16 starts (tune-ttff)\n"))
        // The catalogue's, within what five starts tell: 4 s, 27 s, 30 s.
        for (kind, range) in [("hot", 1.5...11.0), ("warm", 19...38), ("cold", 22...44)] {
            let median = try #require(Self.median(kind, of: text))
            #expect(range.contains(median), "\(kind) \(median)")
        }
        let svg = try contents(scratch.path("starts.svg"))
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n") && svg.contains(">neo-m8n, 16 starts, good</text>"))
        _ = try await Program.sextantd(["--board", receiver.board], in: scratch)
    }

    private static func median(_ kind: String, of text: String) -> Double? {
        guard let place = text.range(of: "\(kind): ") else { return nil }
        return Double(text[place.upperBound...].prefix { $0 != "," })
    }

    @Test(arguments: ["max-m10s", "l76k", "pa1616"])
    func `each receiver family restarts and sleeps with its own commands`(model: String) async throws {
        let receiver = try await LiveReceiver(in: scratch, model: model)
        let result = try await tune(
            "--model \(model) --device '\(receiver.device)' --power sleep --clock '\(receiver.clock)' "
                + "--hold 2 --repeats 1 --rounds 1 --off 30 --record '\(scratch.path("record.jsonl"))'")
        #expect(result.status == 1, "\(result.program.errors)")
        #expect(result.program.errors.contains("4 of 4  after 30 s"))
        #expect(result.program.errors.contains("1 cold starts are too few"))
    }

    // MARK: The model

    @Test func `the fit finds the ephemeris ages, search times and boot time behind synthetic starts`() async throws {
        let record = try record(StartRecord.following(fades: 5400, gone: 12_600))
        let result = try await tune("--model neo-m8n --fit-only --record '\(record)'")
        #expect(result.status == 0, "\(result.program.errors)")
        let line = try #require(result.program.outputLines.last)
        #expect(line.hasPrefix("    startSeconds: { boot: 0.9, hot: "))
        let hot = try #require(Self.median("hot", of: line)), warm = try #require(Self.median("warm", of: line))
        #expect(abs(hot - 3) < 0.6 && abs(warm - 26) < 2)
        let ages = line.matches(of: /ephemeris(?:Fades|Gone): (\d+)/).compactMap { Double($0.1) }
        #expect(ages.count == 2)
        #expect(abs(ages[0] - 5400) <= 1800 && abs(ages[1] - 12_600) <= 1800, "\(ages)")
    }

    @Test func `short rests say nothing about the ephemeris ages, and none is written`() async throws {
        let starts = StartRecord.following(fades: 5400, gone: 12_600).filter { $0.rested <= 600 }
        let result = try await tune("--model neo-m8n --fit-only --record '\(try record(starts))'")
        #expect(result.status == 0)
        #expect(result.program.outputLines.last?.contains("ephemerisFades") == false)
        #expect(result.program.output.contains("ephemeris not found: more rests of 45 min and longer tell"))
    }

    @Test func `an occasional warm start does not set the ages while the longest rests start hot`() async throws {
        func rests(_ off: Double, _ seconds: [Double]) -> [StartRecord] {
            seconds.enumerated().map {
                StartRecord(start: "rest", off: off, round: $0.offset, rested: off, seconds: $0.element)
            }
        }
        let starts =
            StartRecord.all + rests(60, [4, 3, 5, 4, 3]) + rests(3600, [4, 28, 3, 5])
            + rests(14_400, [4, 5, 3, 4, 6, 4])
        let result = try await tune("--model neo-m8n --fit-only --record '\(try record(starts))'")
        #expect(result.status == 0, "\(result.program.errors)")
        #expect(result.program.outputLines.last?.contains("ephemerisFades") == false)
        #expect(result.program.output.contains("not found: most starts after the longest rest are hot: rest longer"))
    }

    private static let failures = (0..<6).map { StartRecord(start: "cold", round: 20 + $0, seconds: nil) }
    private static let forgotten = (0..<4).map {
        StartRecord(start: "rest", off: 60, round: $0, rested: 60, seconds: 31)
    }
    private static let slow =
        StartRecord.kind("hot", [30, 31, 29, 28, 33]) + StartRecord.kind("warm", [26, 27, 25, 28, 26])
    private static let notGood: [(starts: [StartRecord], problem: String)] = [
        (StartRecord.kind("hot", [3, 4, 5]), "3 hot starts are too few; let it go on"),
        (
            StartRecord.all + StartRecord.kind("cold", Array(repeating: 590, count: 11)),
            "cold starts take more than 600 s, which no board may say"
        ),
        (StartRecord.all + failures, "6 starts found no fix; give the antenna a free sky"),
        (slow, "hot starts, 30.0 s, are no quicker than warm ones, 26.0 s"),
        (StartRecord.all + forgotten, "4 of 4 short rests were forgotten; see whether the backup supply is alive"),
    ]

    @Test(arguments: notGood.indices)
    func `an insufficient record is reported, and the board file is unchanged`(index: Int) async throws {
        let (starts, problem) = Self.notGood[index]
        let board = try BoardText().write(in: scratch)
        let before = try contents(board)
        let result = try await tune("--board '\(board)' --fit-only --record '\(try record(starts))'")
        #expect(result.status == 1 && result.program.outputLines.last == "not good: \(board) stays as it is")
        #expect(result.program.errors.contains("tune-ttff: \(problem)"), "\(result.program.errors)")
        #expect(try contents(board) == before)
    }

    // MARK: The board's file

    @Test func `the parts that a board extends are read, and its own file is written`() async throws {
        let folder = scratch.path("mine")
        for (name, text) in [
            ("part", "{ receiver: { model: 'neo-m8n', device: '/dev/serial0' } }"),
            ("mine", "// Mine.\n{\n    extends: ['part'],  // the receiver\n}\n"),
        ] {
            try FileManager.default.createDirectory(atPath: scratch.path(name), withIntermediateDirectories: true)
            _ = try scratch.write(text, to: "\(name)/board.json5")
        }
        let result = try await tune("--board '\(folder)' --fit-only --record '\(try record(StartRecord.all))'")
        #expect(result.status == 0, "\(result.program.errors)")
        let text = try contents("\(folder)/board.json5")
        #expect(text.hasPrefix("// Mine.\n{\n    extends: ['part'],  // the receiver\n    receiver: { startSeconds: {"))
        #expect(try contents(scratch.path("part/board.json5")).contains("startSeconds") == false)
        // Once more: the old value goes, and its comment.
        #expect(try await tune("--board '\(folder)' --fit-only --record '\(scratch.path("record.jsonl"))'").status == 0)
        #expect(try contents("\(folder)/board.json5") == text)
    }

    @Test func `a comment in an otherwise empty object is kept`() async throws {
        let board = try scratch.write(
            "{ receiver: {\n    // Mine.\n}, lines: { pulsePerSecond: { name: 'GPIO4' } } }\n", to: "board.json5")
        let result = try await tune(
            "--board '\(board)' --model neo-m8n --fit-only --record '\(try record(StartRecord.all))'")
        #expect(result.status == 0, "\(result.program.errors)")
        #expect(try contents(board).hasPrefix("{ receiver: {\n    // Mine.\nstartSeconds: {"))
    }

    /// Has a function of Python's fail as it does where somebody may not write.
    private func refusing(_ module: String, _ function: String) throws -> String {
        try tune.patched(
            """
            import \(module)
            def refuse(*rest, **more):
                raise PermissionError(13, "Permission denied")
            \(module).\(function) = refuse
            """)
    }

    @Test func `a board file that cannot be written is refused before any measurement`() async throws {
        let board = try BoardText().write(in: scratch)
        let result = try await tune(
            "--board '\(board)' --record '\(scratch.path("r"))'", environment: try refusing("tempfile", "mkstemp"))
        #expect(result.status == 65, "\(result.program.errors)")
        #expect(result.program.errors.contains("\(board): cannot be written: Permission denied; run this as its owner"))
    }

    @Test func `if the final write fails, the command that only fits and writes is printed`() async throws {
        let board = try BoardText().write(in: scratch), record = try record(StartRecord.all)
        let given = "--board \(board) --model neo-m8n --fit-only --record \(record)"
        let result = try await tune(given, environment: try refusing("os", "replace"))
        #expect(result.status == 65)
        #expect(
            result.program.errors.contains("then, as its owner: \(Checkout.path)/scripts/tune-ttff \(given)"),
            "\(result.program.errors)")
    }

    @Test func `a board file of the installed package is not written, and a user's own board is suggested`()
        async throws
    {
        let folder = scratch.path("installed/mine")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try scratch.write("{ receiver: { model: 'neo-m8n' } }", to: "installed/mine/board.json5")
        let program = try await TuningScript.run(
            python: """
                from tuning import board
                board.FOLDERS = ("\(scratch.path("own"))", "\(scratch.path("installed"))")
                try:
                    board.Board("mine").check_writing()
                except board.DataError as error:
                    print(error)
                """, in: scratch
        ).program
        #expect(
            program.output.contains(
                "it is the package's, which will overwrite it; write { extends: \"\(folder)\" } into "
                    + "\(scratch.path("own"))/mine/board.json5, and name that"), "\(program.output)\(program.errors)")
    }

    // MARK: What cannot be used

    @Test func `wrong usage exits 64, a record of another kind 65, and a missing receiver 69`() async throws {
        for arguments in [
            "", "--model neo-m8n", "--off 1d", "--power on", "--baud 10000", "stray",
        ] {
            #expect(try await tune(arguments).status == 64, "\(arguments)")
        }
        let other = try record(StartRecord.all)
        let wrong = try await tune("--model l76k --fit-only --record '\(other)'")
        #expect(wrong.status == 65)
        #expect(wrong.program.errors.contains("line 1: it is of model neo-m8n, and this is l76k; name another file"))
        let damaged = try scratch.write("{\"kind\":\"tune-ttff\",\"model\":\"l76k\"}\nnonsense\n", to: "damaged")
        let refused = try await tune("--model l76k --fit-only --record '\(damaged)'")
        #expect(refused.status == 65 && refused.program.errors.contains("line 2: it is no record; remove the line"))
        let absent = try await tune(
            "--model neo-m8n --device '\(scratch.path("absent"))' --record '\(scratch.path("new.jsonl"))'")
        #expect(absent.status == 69)
        #expect(absent.program.errors.contains("No such file or directory; name the receiver's device, be in its"))
    }

    @Test func `a running daemon that holds the receiver is reported`() async throws {
        let daemon = try await Program.sextantd(in: scratch)
        let script = "\(Checkout.path)/scripts/tune-ttff"
        let result = try await Program.shell(
            "SEXTANT_SOCKET='\(scratch.path("s"))' '\(script)' --model neo-m8n --device /dev/null "
                + "--record '\(scratch.path("r"))'", in: scratch)
        #expect(result.status == 69)
        #expect(result.program.errors.contains("the daemon runs and has the receiver; stop it meanwhile"))
        _ = daemon
    }

    // MARK: What is sent

    @Test func `restart, sleep and cyclic tracking commands are those of the receivers' manuals`() async throws {
        let program = try await TuningScript.run(
            python: """
                from tuning.families import family
                for model in ("neo-m8n", "pa1616", "lc76g", "l76k"):
                    own = family(model)
                    for kind in ("hot", "warm", "cold"):
                        print(own.restarts[kind].hex() if model == "neo-m8n" else own.restarts[kind].decode().strip())
                    print(own.sleep(3600).hex() if model == "neo-m8n" else own.sleep(3600).decode().strip())
                print(family("neo-6m").sleep(3600).hex())
                print(family("max-m10s").cycles[0][0].hex())
                print(family("max-m10s").continuous.hex())
                """, in: scratch
        ).program
        #expect(
            program.outputLines == [
                "b56206040400000002001068", "b5620604040001000200116c", "b56206040400ffff02000e61",
                "b5620241100000000000e0d83700060000002800000070d9", "$PMTK101*32", "$PMTK102*31", "$PMTK103*30",
                "$PMTK161,0*28", "$PAIR004*3E", "$PAIR005*3F", "$PAIR006*3C", "$PAIR003*39", "$PCAS10,0*1C",
                "$PCAS10,1*1D", "$PCAS10,2*1E", "$PCAS12,3600*2B", "b56202410800e0d83700020000003c6d",
                // CFG-PM: UPDATEEPH is 0x10d0000a; EXTINTWAKE, 0x10d0000c, is off.
                "b562068a2300000300000200d040010000000300d0400a0000000a00d010010800d010010100d02002adc5",
                "b562068a0e00000300000100d020000c00d010007ed3",
            ], "\(program.output)\(program.errors)")
    }

    @Test func `the GPIO line request has the layout of the kernel's header`() async throws {
        let program = try await TuningScript.run(
            python: """
                from tuning import lines, pulses
                asked = lines.request(17, lines.OUTPUT | lines.ACTIVE_LOW, 1)
                # <linux/gpio.h>: offsets, consumer at 256, config at 288, attributes at 320, num_lines at 560, fd at 588.
                print(len(asked), asked[0], asked[256:270].decode(), asked[288], asked[296], asked[320], asked[328],
                      asked[336], asked[560])
                print(len(lines.request(4, lines.INPUT)), lines.request(4, lines.INPUT)[296], lines.EVENT.size)
                # <linux/pps.h>: 64 bytes; its number has the size of a pointer.
                print(pulses.FETCH.size, hex(pulses.PPS_FETCH & 0xff00ffff))
                """, in: scratch
        ).program
        #expect(
            program.outputLines == ["592 17 sextant tuning 10 1 2 1 1 1", "592 0 48", "64 0xc00070a4"],
            "\(program.output)\(program.errors)")
    }
}

/// A start as `tune-ttff` keeps it.
struct StartRecord: Sendable {
    var start: String
    var off = 0.0
    var round: Int
    var rested = 0.0
    /// Nil where no fix was found.
    var seconds: Double?

    /// Enough of each kind.
    static let all =
        kind("hot", [2, 3, 4, 5, 3]) + kind("warm", [26, 27, 25, 30, 26]) + kind("cold", [29, 31, 33, 30, 28])

    static func kind(_ start: String, _ seconds: [Double]) -> [StartRecord] {
        seconds.enumerated().map { StartRecord(start: start, round: $0.offset, seconds: $0.element) }
    }

    /// Starts of a receiver whose share of warm ones rises between two ages: hot 3 s, warm 26 s, a boot of 0.9 s.
    static func following(fades: Double, gone: Double) -> [StartRecord] {
        var random = SmallRandom()
        func search(_ median: Double, _ spread: Double) -> Double { median * exp(spread * random.gaussian()) }
        var starts: [StartRecord] = []
        for round in 0..<10 {
            starts.append(StartRecord(start: "hot", round: round, seconds: search(3, 0.5)))
            starts.append(StartRecord(start: "warm", round: round, seconds: search(26, 0.15)))
            starts.append(StartRecord(start: "cold", round: round, seconds: search(30, 0.15)))
            for off in [60, 600, 3600, 5400, 7200, 9000, 10_800, 12_600, 14_400] as [Double] {
                let share = min(max((off - fades) / (gone - fades), 0), 1)
                // As many of ten as the share says.
                let isWarm = Double(round) + 0.5 < 10 * share
                let seconds = 0.9 + (isWarm ? search(26, 0.15) : search(3, 0.5))
                starts.append(StartRecord(start: "rest", off: off, round: round, rested: off, seconds: seconds))
            }
        }
        return starts
    }

    static func text(_ starts: [StartRecord]) -> String {
        let lines = starts.map { start in
            let seconds = start.seconds.map { "\($0)" } ?? "null"
            return "{\"kind\":\"start\",\"start\":\"\(start.start)\",\"off\":\(start.off),\"round\":\(start.round),"
                + "\"rested\":\(start.rested),\"boot\":\(start.start == "rest" ? "0.9" : "null"),"
                + "\"seconds\":\(seconds),\"limit\":300,\"utc\":1790000000}\n"
        }
        return "{\"kind\":\"tune-ttff\",\"model\":\"neo-m8n\"}\n" + lines.joined()
    }
}
