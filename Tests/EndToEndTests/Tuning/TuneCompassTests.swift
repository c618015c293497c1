import Foundation
import Glibc
import Testing

/// `scripts/tune-compass` with a `sextant` that only notes what it is told.
@Suite("scripts/tune-compass", .serialized)
struct TuneCompassTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let script = "\(Checkout.path)/scripts/tune-compass"

    /// - Returns: With what `sextant` was called, line by line.
    private func tune(
        _ arguments: String, verdict: String = "good", compass: String = #"{"state":"ready","magnetometer":"lis3mdl"}"#
    ) async throws -> (status: Int32, errors: String, calls: [String]) {
        let program = try start(arguments, verdict: verdict, compass: compass)
        return (try await program.status(), program.errors, calls)
    }

    private var calls: [String] { TuningScript.lines(of: scratch.path("calls")) }

    private func start(_ arguments: String, verdict: String, compass: String) throws -> Program {
        let calls = scratch.path("calls")
        let sextant = try scratch.write(
            """
            #!/bin/bash
            trap 'exit 130' INT
            echo "$*" >>'\(calls)'
            case "$1 $2" in
            'status --json') echo '{"event":"status","compass":\(compass)}' ;;
            'heading --raw') echo time,x,y,z,ax,ay,az; while :; do echo 1,2,3,4,,,; sleep 0.1; done ;;
            'compass calibrate') echo '{"verdict":"\(verdict)"}' ;;
            esac

            """, to: "sextant")
        let command = "env SEXTANT='\(sextant)' \(Self.script) \(arguments) --keep '\(scratch.path("kept"))'"
        return try Program("/bin/sh", ["-c", "chmod +x '\(sextant)'; exec \(command)"], in: scratch)
    }

    @Test(arguments: ["0", "00", "-1", "1.5", "''"])
    func `--seconds takes a whole number of at least one, and records nothing otherwise`(seconds: String) async throws {
        let result = try await tune("--seconds \(seconds)")
        #expect(result.status == 64 && result.calls.isEmpty)
        #expect(result.errors.contains("--seconds is a whole number from 1"))
    }

    @Test func `--install passes on a good calibration with its board and the daemon's magnetometer`() async throws {
        let result = try await tune("--seconds 1 --install --board ./here")
        #expect(result.status == 0, "\(result.errors)")
        let fits = result.calls.filter { $0.hasPrefix("compass calibrate") }
        #expect(fits.count == 2 && fits.allSatisfy { $0.contains("--board ./here --magnetometer lis3mdl") })
        #expect(result.calls.last?.hasSuffix("calibration.json --magnetometer lis3mdl") == true)
    }

    @Test func `a calibration that is not good exits 1 and is not installed`() async throws {
        let result = try await tune("--seconds 1 --install", verdict: "fair")
        #expect(result.status == 1 && !result.calls.contains { $0.hasPrefix("compass use") })
    }

    @Test func `Ctrl-C ends the recording, and nothing is fitted or installed`() async throws {
        let program = try start(
            "--seconds 60 --install", verdict: "good", compass: #"{"state":"ready","magnetometer":"lis3mdl"}"#)
        try await eventually("the recording") { calls.contains { $0.hasPrefix("heading") } ? () : nil }
        // As a terminal does: to all of its group.
        kill(-program.identifier, SIGINT)
        #expect(try await program.status() == 130)
        #expect(program.errors.contains("tune-compass: interrupted"))
        #expect(!calls.contains { $0.hasPrefix("compass") })
    }

    @Test func `without a compass nothing is recorded`() async throws {
        let result = try await tune("--seconds 1", compass: #"{"state":"absent"}"#)
        #expect(result.status == 69 && result.calls == ["status --json"])
    }
}
