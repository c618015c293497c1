import Foundation
import Testing

/// `sextant compass calibrate`.
@Suite("compass calibrate")
struct CompassCalibrateTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A field of 48 µT about an offset, in directions from pole to pole, or about one axis.
    private static func rows(_ count: Int, isFlat: Bool = false) -> [String] {
        (0..<count).map { index in
            let z = isFlat ? -0.9 : 1 - 2 * (Double(index) + 0.5) / Double(count)
            let (radius, turn) = ((1 - z * z).squareRoot(), 2.4 * Double(index))
            let (x, y) = (20 + 48 * radius * cos(turn), -30 + 48 * radius * sin(turn))
            return String(format: "%.2f,%.3f,%.3f,%.3f", Double(index) / 20, x, y, 10 + 48 * z)
        }
    }

    private func calibrate(
        _ rows: [String], header: String = "time,x,y,z", _ options: String...
    ) async throws -> (status: Int32, program: Program) {
        let table = try scratch.write(([header] + rows).joined(separator: "\n") + "\n", to: "samples.csv")
        return try await Program.sextant(["compass", "calibrate", table] + options, in: scratch)
    }

    @Test func `prints the offset and a verdict, as text and JSON, and draws a picture`() async throws {
        let picture = scratch.path("compass.svg")
        let result = try await calibrate(Self.rows(300), "--json", "--plot", picture)
        #expect(result.status == 0 && result.program.errors.isEmpty)
        let line = try #require(result.program.outputLines.first.flatMap { JSON(line: $0) })
        #expect(line.text("verdict") == "good" && line.text("reach") == "spatial")
        #expect(line.number("norm").map { abs($0 - 48) < 0.1 } == true)
        #expect(line.number("levelHeadingError").map { $0 < 0.2 } == true)
        #expect(try String(contentsOfFile: picture, encoding: .utf8).hasPrefix("<svg"))
        let words = try await calibrate(Self.rows(300))
        #expect(words.program.outputLines.contains { $0.hasPrefix("verdict") && $0.contains("good") })
    }

    @Test func `the magnetometer and its mounting come from options or from the board file`() async throws {
        let told = try await calibrate(
            Self.rows(300), "--json", "--magnetometer", "rm3100", "--x", "down", "--y", "left", "--turn", "-5")
        let line = try #require(told.program.outputLines.first.flatMap { JSON(line: $0) })
        #expect(told.status == 0 && line.text("magnetometer") == "rm3100", "\(told.program.errors)")
        let board = try BoardText(hasCompass: true).write(in: scratch)
        let read = try await calibrate(Self.rows(300), "--json", "--board", board)
        let model = read.program.outputLines.first.flatMap { JSON(line: $0) }?.text("magnetometer")
        #expect(read.status == 0 && model == "lis3mdl", "\(read.program.errors)")
        let both = try await calibrate(Self.rows(300), "--board", board, "--x", "up", "--y", "left")
        #expect(both.status == 64 && both.program.errors.contains("not both"))
        let askew = try await calibrate(Self.rows(300), "--x", "up", "--y", "down")
        #expect(askew.status == 64 && askew.program.errors.contains("right angle"))
        let none = try await calibrate(
            Self.rows(300), "--board", try BoardText(hasCompass: false).write(in: scratch))
        #expect(none.status == 65 && none.program.errors.contains("no magnetometer"))
    }

    @Test func `turns about one axis give a planar calibration, which --strict rejects`() async throws {
        let result = try await calibrate(Self.rows(200, isFlat: true), "--json", "--strict")
        #expect(result.status == 1)
        let line = try #require(result.program.outputLines.first.flatMap { JSON(line: $0) })
        #expect(line.text("verdict") == "planar" && line.text("reach") == "planar")
    }

    @Test(arguments: [
        (["1,2,3,4", "2,nan,3,4"], "line 3: x is nan"), (["1,2,3,4", "2,2,3"], "line 3: z is empty"),
        (rows(3), "there are 3 samples"), ([String](repeating: "1,20,30,-40", count: 50), "all alike"),
        ([], "no sample"),
        (["1,2,x,4"], "line 2: y is \"x\""),
    ])
    func `unusable samples end with one clear error`(rows: [String], problem: String) async throws {
        let result = try await calibrate(rows)
        #expect(result.status == 65 && result.program.outputLines.isEmpty)
        #expect(result.program.errors.contains(problem))
        #expect(result.program.errors.split(separator: "\n").count == 1)
    }

    @Test func `a table with other columns, and an impossible field, are refused`() async throws {
        let columns = try await calibrate(Self.rows(300), header: "when,x,y,z")
        #expect(columns.status == 65 && columns.program.errors.contains("time,x,y,z"))
        let field = try await calibrate(Self.rows(300), "--field-norm", "30", "--dip", "60")
        #expect(field.status == 65 && field.program.errors.contains("world model"))
        let half = try await calibrate(Self.rows(300), "--latitude", "48")
        #expect(half.status == 64 && half.program.errors.contains("--longitude"))
    }
}
