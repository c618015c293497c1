import Foundation
import Testing

/// Stores and recordings of earlier releases, which are in `Tests/Released`.
@Suite("Released formats")
struct VirtualReleasedFormatTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let releases = ["0.1"]

    /// A file of a release, unpacked into a folder of this test's.
    private func unpack(_ name: String, of release: String, to path: String) async throws {
        let packed = "\(Checkout.path)/Tests/Released/\(release)/\(name)"
        let program = try Program("/bin/sh", ["-c", "gzip -dcf < '\(packed)' > '\(path)'"], in: scratch)
        #expect(try await program.status() == 0, "\(name) of \(release)")
    }

    @Test(arguments: releases)
    func `a store of an earlier release is there after the upgrade`(release: String) async throws {
        let state = scratch.path("state")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
        try await unpack("state.sqlite.gz", of: release, to: "\(state)/state.sqlite")
        try await unpack("state.decisions", of: release, to: "\(state)/state.decisions")
        let admission = try Admission.nobody(in: scratch)
        let purpose = "purpose: { whenInUse: 'To be tested.', always: 'To be tested.' }, backgroundMode: true"
        try admission.writeManifest("tracker", "{ user: \(geteuid()), operator: true, \(purpose) }")
        try admission.writeManifest("camera", "{ user: 4242, \(purpose) }")
        try admission.writePolicy("{ others: { authorization: 'always', accuracy: 'full' } }")
        let daemon = try await VirtualDaemon.start(
            in: scratch, SilentDevice(), utc: Int64(VirtualBench.startTime), admission: admission,
            "stateDirectory: '\(state)',")
        #expect(daemon.program.errorLines.filter { $0.contains("state.") } == [])
        let wire = try Wire(socket: daemon.socket)
        try wire.send("{\"request\":\"registrations\"}\n")
        var found: [String] = []
        while true {
            let line = try await wire.object()
            if line.text("event") == "registrations" { break }
            guard line.text("event") == "registration" else { continue }
            let monitor = line.text("monitor").map { "\($0)/" } ?? ""
            found.append(line.text("identifier").map { monitor + $0 } ?? line.text("kind") ?? "")
        }
        #expect(found.sorted() == ["home", "night/depot", "significantChange", "visits", "yard"])
        try await ClientList.client("camera", at: daemon.socket) { $0.text("status") == "denied" }
    }

    @Test(arguments: releases)
    func `a recording of an earlier release can be replayed`(release: String) async throws {
        let flight = scratch.path("flight")
        try await unpack("flight.gz", of: release, to: flight)
        let replay = try await Program.sextant(["replay", flight], in: scratch)
        // Later releases may do something else with the same inputs, which 65 says.
        #expect([0, 65].contains(replay.status))
        #expect(replay.program.errorLines.contains { $0.hasPrefix("sextant: 1432 inputs, ") })
        #expect(replay.program.outputLines.contains { $0.contains("\\\"event\\\":\\\"location\\\"") })
    }
}
