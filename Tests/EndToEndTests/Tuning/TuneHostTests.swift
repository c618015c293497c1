import Foundation
import Testing

/// `scripts/tune-host` with the meter and the host both emulated, in the host's own time.
@Suite("scripts/tune-host", .serialized, .enabled(if: Tool.isInstalled("python3"), "python3 is not installed"))
struct TuneHostTests {
    private let scratch: Scratch
    private let tune: TuningScript

    init() throws {
        scratch = try Scratch()
        tune = TuningScript(name: "tune-host", scratch: scratch)
    }

    private var board: String { scratch.path("board.json5") }
    private func contents() throws -> String { try String(contentsOfFile: board, encoding: .utf8) }

    /// A host, and a meter that measures what its states draw; both end with the program.
    private func bench(_ host: String = "", meter: String = "") async throws -> Program {
        _ = try scratch.write("{\n    host: \"zero-2w\",   // stock\n    batteryWattHours: 10,\n}\n", to: "board.json5")
        let tuning = "\(TuningScript.python) '\(Checkout.path)/scripts/tuning"
        let draws = "--milliamps idle=120,stopping=180,halted=31,off=1.65,booting=170"
        let bench = try Program(
            "/bin/sh",
            [
                "-c",
                "\(tuning)/emulated-host' --clock '\(scratch.path("clock"))' \(host) | \(tuning)/emulated-ina' "
                    + "--socket '\(scratch.path("ina"))' --clock '\(scratch.path("clock"))' --volts 5 \(draws) \(meter)",
            ], in: scratch)
        // The meter prints the host's first line once its own socket is there.
        _ = try await bench.lines(1)
        return bench
    }

    private func arguments(_ more: String = "") -> String {
        let order =
            "\(TuningScript.python) \(Checkout.path)/scripts/tuning/emulated-host --clock \(scratch.path("clock"))"
        return "--board '\(board)' --bus 'unix:\(scratch.path("ina"))' --clock '\(scratch.path("clock"))' --window 5 "
            + "--record '\(scratch.path("record.jsonl"))' --stop '\(order) --order stop' "
            + "--start '\(order) --order start' --served '\(order) --order served' --cycles 2 \(more)"
    }

    private func figure(_ key: String, in text: String) -> Double? {
        guard let place = text.range(of: "\(key): ") else { return nil }
        return Double(text[place.upperBound...].prefix { "0123456789.".contains($0) })
    }

    @Test(arguments: ["ina219", "ina226"])
    func `each meter measures boot, stop and halt, and the board's host has them`(model: String) async throws {
        let bench = try await bench(meter: "--model \(model)")
        let result = try await tune(arguments("--off"))
        #expect(result.status == 0, "\(result.program.errors)")
        let text = try contents()
        // 5 V; a boot of 25 s at 170 mA and a stop of 8 s at 180 mA.
        for (key, value, error) in [
            ("idleMilliwatts", 600.0, 6.0), ("bootSeconds", 25, 0.6), ("bootJoules", 21.25, 0.6),
            ("stopSeconds", 8, 0.3), ("stopMilliwatts", 900, 20), ("haltedMilliwatts", 155, 3),
        ] {
            let found = try #require(figure(key, in: text), "\(key) in \(text)")
            #expect(abs(found - value) <= error, "\(key): \(found)")
        }
        #expect(text.contains("model: \"zero-2w\"") && text.contains("with \(model) (tune-host)\n"))
        #expect(text.contains("batteryWattHours: 10"))
        #expect(result.program.outputLines.contains { $0.hasPrefix("off, mW") && $0.hasSuffix("not written") })
        _ = bench
    }

    @Test func `a cycle that was kept is not measured again`() async throws {
        let bench = try await bench()
        let one = arguments().replacing("--cycles 2", with: "--cycles 1")
        #expect(try await tune(one).status == 0)
        let kept = TuningScript.lines(of: scratch.path("record.jsonl"))
        #expect(try await tune(arguments()).status == 0)
        let lines = TuningScript.lines(of: scratch.path("record.jsonl"))
        #expect(lines.count == 3 && Array(lines.prefix(2)) == Array(kept))
        _ = bench
    }

    @Test func `a board that does not halt, or does not serve, is refused, and its file stays`() async throws {
        let bench = try await bench("--stop-seconds 60")
        let before = try contents()
        let halting = try await tune(arguments("--patience 20"))
        #expect(halting.status == 1)
        #expect(halting.program.errors.contains("was not halted within 20 s"), "\(halting.program.errors)")
        let serving = try await tune(arguments("--patience 100 --served false"))
        #expect(serving.status == 1)
        #expect(serving.program.errors.contains("did not serve within 100 s"), "\(serving.program.errors)")
        #expect(try contents() == before)
        _ = bench
    }

    @Test func `wrong usage exits 64, and a missing meter 69`() async throws {
        let bench = try await bench()
        #expect(try await tune("--bus unix:nothing").status == 64)
        #expect(try await tune(arguments("--cycles 0")).status == 64)
        #expect(try await tune(arguments("--bus 'unix:\(scratch.path("none"))'")).status == 69)
        _ = bench
    }
}
