import Foundation
import Testing

/// `sextant compass declination`.
@Suite("compass")
struct CompassCommandTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func declination(_ options: String...) async throws -> (status: Int32, program: Program) {
        try await Program.sextant(["compass", "declination"] + options, in: scratch)
    }

    private func object(_ options: String...) async throws -> JSON {
        let result = try await Program.sextant(["compass", "declination", "--json"] + options, in: scratch)
        #expect(result.status == 0 && result.program.errors.isEmpty && result.program.outputLines.count == 1)
        return try #require(result.program.outputLines.first.flatMap { JSON(line: $0) })
    }

    @Test func `an official test value is printed as JSON, with west and south as negative numbers`() async throws {
        let field = try await object(
            "--latitude", "-50", "--longitude", "-179", "--altitude", "49000", "--date", "2029.0")
        let expected = [
            "x": 15315.042731, "y": 9610.272521, "z": -53522.651338, "h": 18080.593790, "f": 56494.088877,
        ]
        for (key, value) in expected { #expect(field.number(key).map { abs($0 - value) < 0.01 } == true, "\(key)") }
        #expect(field.number("declination").map { abs($0 - 32.11) < 0.0051 } == true)
        #expect(field.number("inclination").map { abs($0 + 71.33) < 0.0051 } == true)
        let uncertainties = ["x", "y", "z", "h", "f", "inclination"].map { field.number("\($0)Uncertainty") }
        #expect(uncertainties == [137, 89, 141, 133, 138, 0.2])
        #expect(field.number("declinationUncertainty").map { abs($0 - 0.3967) < 0.0001 } == true)
        #expect(field.text("validity") == "valid" && field.text("zone") == "usable")
        #expect(field.text("statement") == nil)
    }

    @Test func `a date may be a day, an instant or a decimal year`() async throws {
        let place = ["--latitude", "48", "--longitude", "11"]
        let years = try await [
            object(place[0], place[1], place[2], place[3], "--date", "2026-01-01"),
            object(place[0], place[1], place[2], place[3], "--date", "2027-07-02T12:00"),
            object(place[0], place[1], place[2], place[3], "--date", "2028.25"),
        ].map { $0.number("decimalYear") }
        #expect(years == [2026, 2027.5, 2028.25])
    }

    @Test func `the text output is a table with notes`() async throws {
        let munich = try await declination(
            "--latitude", "48.137", "--longitude", "11.575", "--altitude", "560", "--date", "2026-11-21")
        #expect(munich.status == 0 && munich.program.errors.isEmpty)
        #expect(munich.program.outputLines.count == 8)
        #expect(munich.program.outputLines[1].hasPrefix("declination  4.37°       ± 0.37°"))
        let north = try await declination("--latitude", "86", "--longitude", "138", "--date", "2031-01-01")
        #expect(north.status == 0)
        let lines = north.program.outputLines
        #expect(lines.contains { $0.contains("valid until 2030.0") } && lines.contains { $0.contains("blackout zone") })
        #expect(!lines.contains { $0.contains("±") })
    }

    @Test func `outside its valid years the model gives no uncertainty, and says why`() async throws {
        for (date, validity) in [("2024-12-31", "before"), ("2030-01-01", "after")] {
            let field = try await object("--latitude", "48", "--longitude", "11", "--date", date)
            #expect(field.text("validity") == validity)
            #expect(field.text("statement")?.contains("without known errors") == true)
            #expect(!field.keys.contains { $0.hasSuffix("Uncertainty") })
        }
    }

    @Test(arguments: [
        (["--latitude", "91", "--longitude", "0"], "--latitude must be from -90 to 90"),
        (["--latitude", "nan", "--longitude", "0"], "--latitude must be from -90 to 90"),
        (["--latitude", "0", "--longitude", "361"], "--longitude must be from -180 to 360"),
        (["--latitude", "0", "--longitude", "0", "--altitude", "1e7"], "--altitude must be from -1000 to 850000"),
        (["--latitude", "0", "--longitude", "0", "--date", "tomorrow"], "'tomorrow' is invalid for '--date"),
        (["--latitude", "0"], "--longitude"),
        (["--latitude", "north", "--longitude", "0"], "'north' is invalid for '--latitude"),
    ])
    func `impossible values are one error and exit 64`(options: [String], problem: String) async throws {
        let result = try await Program.sextant(["compass", "declination"] + options, in: scratch)
        #expect(result.status == 64 && result.program.outputLines.isEmpty)
        #expect(result.program.errors.contains(problem))
    }
}
