import Emulation
import Foundation
import FoundationXML
import Testing

/// `sextant decode` on files of every kind.
@Suite("decode")
struct DecodeTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private typealias Output = SyntheticReceiver.Output

    private func recording(_ output: Output = .nmea, seconds: Int = 20) throws -> String {
        try scratch.write(SyntheticRecording(output, seconds: seconds).bytes, to: "recording")
    }

    // MARK: Formats

    @Test(arguments: Output.allCases)
    func `the json format prints one object per epoch`(output: SyntheticReceiver.Output) async throws {
        let result = try await Program.sextant(["decode", try recording(output)], in: scratch)
        #expect(result.status == 0 && result.program.errors.isEmpty)
        let epochs = try result.program.outputLines.map { try #require(JSON(line: $0)) }
        #expect(epochs.count >= 10 && epochs.allSatisfy { $0.text("event") == "epoch" })
        #expect(Set(epochs.compactMap { $0.text("time") }).count == epochs.count)
        let last = try #require(epochs.last { $0.text("fixType") == "threeD" })
        #expect(last.number("latitude").map { abs($0 - 47.38) < 0.1 } == true)
        #expect(last.objects("satellites")?.contains { $0.bool("used") == true } == true)
    }

    @Test func `a read error is one line, and the epochs before it are kept`() async throws {
        // The kernel opens a process's own memory and fails to read its first page.
        let good = try recording()
        let alone = try await Program.sextant(["decode", good], in: scratch)
        let both = try await Program.sextant(["decode", good, "/proc/self/mem"], in: scratch)
        #expect(both.status == 74)
        #expect(both.program.errors == "sextant: /proc/self/mem: reading failed: Input/output error\n")
        #expect(!alone.program.outputLines.isEmpty && both.program.outputLines == alone.program.outputLines)
    }

    @Test(arguments: Output.allCases)
    func `the gpsd format prints TPV and SKY objects`(output: SyntheticReceiver.Output) async throws {
        let result = try await Program.sextant(
            ["decode", "--format", "gpsd", try recording(output)], in: scratch)
        #expect(result.status == 0 && result.program.errors.isEmpty)
        let classes = try result.program.outputLines.map { try #require(JSON(line: $0)).text("class") }
        #expect(Set(classes) == ["TPV", "SKY"])
        #expect(classes.filter { $0 == "TPV" }.count >= 10)
    }

    @Test(arguments: Output.allCases)
    func `the csv format has a header and eight columns of numbers`(output: SyntheticReceiver.Output) async throws {
        let result = try await Program.sextant(["decode", "--format", "csv", try recording(output)], in: scratch)
        #expect(result.status == 0 && result.program.errors.isEmpty)
        let lines = result.program.outputLines
        #expect(lines.first == "time,latitude,longitude,altitude,horizontalAccuracy,verticalAccuracy,speed,course")
        var before = 0.0
        for line in lines.dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            #expect(fields.count == 8 && fields.allSatisfy { $0.isEmpty || Double($0) != nil }, "\(line)")
            let time = try #require(Double(fields[0]))
            #expect(time > before && (0..<20).contains(time - SyntheticRecording.startTime))
            before = time
        }
        #expect(lines.count > 10)
    }

    @Test(arguments: Output.allCases)
    func `the gpx format is well-formed and has a point for every fix`(output: SyntheticReceiver.Output) async throws {
        let path = try recording(output)
        let result = try await Program.sextant(["decode", "--format", "gpx", path], in: scratch)
        #expect(result.status == 0 && result.program.errors.isEmpty)
        let table = try await Program.sextant(["decode", "--format", "csv", path], in: scratch)
        let track = try Track(parsing: result.program.outputBytes)
        #expect(track.points == table.program.outputLines.count - 1)
        #expect(track.version == "1.1")
        #expect(track.elements.isSuperset(of: ["gpx", "trk", "trkseg", "trkpt", "ele", "time", "fix"]))
    }

    @Test func `gpx output without any fix is well-formed`() async throws {
        let path = try scratch.write("no sentence here\n", to: "text")
        let result = try await Program.sextant(["decode", "--format", "gpx", path], in: scratch)
        #expect(result.status == 65)
        #expect(try Track(parsing: result.program.outputBytes).points == 0)
    }

    // MARK: Bad input

    @Test func `a file that cannot be decoded is named with the remedy in one line`() async throws {
        let folder = scratch.path
        // A flight recording has the receiver's sentences in it.
        let flight = try scratch.write(
            "SXFLT05\n" + String(decoding: SyntheticRecording(.nmea, seconds: 3).bytes, as: UTF8.self), to: "flight")
        let table = try scratch.write("time,latitude,longitude\n1,2,3\n", to: "fixes.csv")
        let cases = [
            (scratch.path("none"), Int32(74), "no such file; check the path"),
            (folder, 74, "is a directory; name the recordings in it: \(folder)/*"),
            (try scratch.write("", to: "empty"), 65, "is empty; a recording holds a receiver's raw NMEA or UBX bytes"),
            (
                try scratch.write("Dear diary,\n$GPGGA is nice\n", to: "diary"), 65,
                "no checked NMEA sentence or UBX frame in 27 bytes; record the receiver's raw bytes, at its own baud rate"
            ),
            (scratch.path("diary/x"), 74, "no such file; check the path"),
            (
                flight, 65,
                "is a flight recording, which sextantd --record wrote; read it with: sextant replay \(flight)"
            ),
            (table, 65, "is a table of fixes; read it with: sextant track \(table)"),
            (
                try scratch.write("$GPTXT,01,01,02,hello*2F\r\n", to: "text"), 65,
                "no position, time or sky view in its messages (1); have the receiver send GGA and RMC, or UBX-NAV-PVT"
            ),
        ]
        for (path, status, problem) in cases {
            let result = try await Program.sextant(["decode", path], in: scratch)
            #expect(result.status == status, "\(path)")
            #expect(result.program.output.isEmpty)
            #expect(result.program.errorLines == ["sextant: \(path): \(problem)"])
        }
    }

    @Test func `a missing file does not stop the other files from being decoded`() async throws {
        let path = try recording()
        let alone = try await Program.sextant(["decode", path], in: scratch)
        for files in [[scratch.path("none"), path], [path, scratch.path("none")]] {
            let result = try await Program.sextant(["decode"] + files, in: scratch)
            #expect(result.status == 74)
            #expect(result.program.errorLines == ["sextant: \(scratch.path("none")): no such file; check the path"])
            #expect(result.program.output == alone.program.output)
        }
    }

    @Test func `an unreadable file is named with the remedy`() async throws {
        let path = try scratch.write("x", to: "secret")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        // Root may read everything, unless it gives up these capabilities. Source: capabilities(7).
        let deprived = "setpriv --bounding-set=-dac_override,-dac_read_search"
        let (status, program) = try await Program.shell(
            "exec \(getuid() == 0 ? deprived : "") '\(Built.sextant)' decode '\(path)'", in: scratch)
        #expect(status == 74)
        #expect(program.errorLines == ["sextant: \(path): permission denied; make it readable, or run as its owner"])
    }

    @Test func `a dash means standard input`() async throws {
        let path = try recording()
        let whole = try await Program.sextant(["decode", path], in: scratch)
        let result = try await Program.sextant(["decode", "-"], in: scratch, input: path)
        #expect(result.status == 0 && result.program.output == whole.program.output)
        let nothing = try await Program.sextant(["decode", "-"], in: scratch)
        #expect(nothing.status == 65)
        #expect(
            nothing.program.errorLines == [
                "sextant: standard input: is empty; a recording holds a receiver's raw NMEA or UBX bytes"
            ])
        let pipe = try await Program.shell("dd if=\(path) bs=7 status=none | \(Built.sextant) decode -", in: scratch)
        #expect(pipe.program.output == whole.program.output)
    }

    @Test func `ends quietly when its output is closed`() async throws {
        let path = try recording(seconds: 60)
        let many = Array(repeating: path, count: 40).joined(separator: " ")
        let result = try await Program.shell("{ \(Built.sextant) decode \(many); echo $? >&2; } | head -1", in: scratch)
        #expect(result.program.outputLines.count == 1)
        #expect(result.program.errorLines == ["0"])
    }

    @Test func `a full disk is reported in one line`() async throws {
        let path = try recording()
        let result = try await Program.shell("\(Built.sextant) decode \(path) > /dev/full", in: scratch)
        #expect(result.status == 74)
        #expect(result.program.errorLines.count == 1, "\(result.program.errors)")
        #expect(result.program.errors.hasPrefix("sextant: standard output: "))
    }

    // MARK: Dates

    @Test func `a given date, as an option or in the recording's head, corrects a week rollover`() async throws {
        // 7 April 2019 as a receiver of before the rollover tells it: 1024 weeks earlier.
        let text = ["120000.00", "120001.00"]
            .map { Self.sentence("GPRMC,\($0),A,4722.6,N,00832.5,E,0.1,,220899,,,A") }.joined()
        let path = try scratch.write(text, to: "old")
        let dated = try scratch.write("# A receiver\n# Date: 2019-04-07\n" + text, to: "dated")
        // As most of gpsd's own recordings have it.
        let short = try scratch.write("# A receiver\n# Date: 2019-4-7\n" + text, to: "short")
        for arguments in [["--date", "2019-04-07", path], [dated], [short]] {
            let result = try await Program.sextant(["decode"] + arguments, in: scratch)
            #expect(result.status == 0)
            #expect(JSON(line: result.program.outputLines[0])?.text("time") == "2019-04-07T12:00:00.000Z")
        }
        let truthful = try await Program.sextant(["decode", "--date", "1999-08-22", path], in: scratch)
        #expect(JSON(line: truthful.program.outputLines[0])?.text("time") == "1999-08-22T12:00:00.000Z")
    }

    private static func sentence(_ body: String) -> String {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n"
    }
}

/// What a GPX file holds, by way of another's parser.
private final class Track: NSObject, XMLParserDelegate {
    private(set) var points = 0
    private(set) var version: String?
    private(set) var elements: Set<String> = []

    init(parsing bytes: [UInt8]) throws {
        super.init()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = self
        guard parser.parse() else { throw Late(description: "no XML: \(String(describing: parser.parserError))") }
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        elements.insert(element)
        if element == "gpx" { version = attributes["version"] }
        let numbers = ["lat", "lon"].compactMap { attributes[$0].flatMap(Double.init) }
        if element == "trkpt", numbers.count == 2 { points += 1 }
    }
}
