import Foundation
import Testing

/// A server of names that misbehaves on demand, a geocoder that asks it, and a table of one town.
struct GeocoderBoard {
    let scratch: Scratch
    let places: String
    let server: Program
    let port: String
    let geocoder: Program
    var socket: String { "\(scratch.path)/geocoder.sock" }

    /// The files of a server that is asked over TLS.
    struct Certificates {
        /// The server's own.
        var certificate: String
        var key: String
        /// The authority that the geocoder trusts.
        var authority: String
    }

    /// Starts them.
    ///
    /// - Parameters:
    ///   - how: The first part of the server's paths, which says how it behaves.
    ///   - more: More of the geocoder's configuration, after a comma.
    ///   - host: The name by which the geocoder asks for the server.
    ///   - manifests: The folder of the manifests; nil for none.
    static func start(
        in scratch: Scratch, _ how: String, more: String = "", tls: Certificates? = nil, host: String = "127.0.0.1",
        manifests: String? = nil
    ) async throws -> GeocoderBoard {
        let places = try await places(in: scratch)
        let server = try Program(
            "/usr/bin/env",
            ["sh", "-c", "tail -f /dev/null | exec \"$@\"", "-", "\(Checkout.path)/Tests/GeocoderServer/fake-server"]
                + (tls.map { [$0.certificate, $0.key] } ?? []),
            in: scratch)
        let port = try await server.lines(1)[0]
        let configuration = try scratch.write(
            """
            { board: "b", geocoding: { server: "\(tls == nil ? "http" : "https")://\(host):\(port)/\(how)",
              allowPlain: true, interval: 0.01, contact: "a@b.example"\(more) } }
            """, to: "sextant.json5")
        let socket = "\(scratch.path)/geocoder.sock"
        let geocoder = try Program(
            Built.geocoder,
            [
                "--config", configuration, "--socket", socket, "--state", "\(scratch.path)/state",
                "--clients", manifests ?? "\(scratch.path)/none",
            ] + (tls.map { ["--authority", $0.authority] } ?? []), in: scratch)
        try await eventually("the geocoder's socket", seen: { geocoder.errors }) {
            FileManager.default.fileExists(atPath: socket) ? () : nil
        }
        return GeocoderBoard(scratch: scratch, places: places, server: server, port: port, geocoder: geocoder)
    }

    /// The path of the table, which is made once.
    static func places(in scratch: Scratch) async throws -> String {
        let places = "\(scratch.path)/places.sqlite"
        if !FileManager.default.fileExists(atPath: places) {
            let lines = [
                "country\tCH\tSwitzerland", "place\tZürich\t47.36667\t8.55\t415367\tCH\t\t\tEurope/Zurich\t",
            ]
            let list = try scratch.write(lines.joined(separator: "\n") + "\n", to: "list")
            let (status, built) = try await Program.sextant(["places", "build", list, "--output", places], in: scratch)
            try #require(status == 0, "\(built.errors)")
        }
        return places
    }

    /// Runs `sextant geocode` to its end, with the geocoder in its environment.
    func geocode(_ arguments: String...) async throws -> (status: Int32, program: Program) {
        try await sextant(["geocode"] + arguments)
    }

    /// Runs `sextant` to its end, with the geocoder in its environment.
    func sextant(_ arguments: [String]) async throws -> (status: Int32, program: Program) {
        let program = try Program(
            "/usr/bin/env",
            ["SEXTANT_PLACES=\(places)", "SEXTANT_GEOCODER=\(socket)", Built.sextant] + arguments, in: scratch)
        return (try await program.status(), program)
    }

    /// The paths that the server was asked for so far.
    var asked: [String] { Array(server.outputLines.dropFirst()) }

    /// The most memory that the geocoder had, in bytes.
    var memory: Int? {
        let status = try? String(contentsOfFile: "/proc/\(geocoder.identifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
}
