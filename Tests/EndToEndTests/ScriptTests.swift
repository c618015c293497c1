import Foundation
import Testing

/// What the scripts of shell promise to whoever calls them, tried without building, downloading or installing anything.
@Suite("scripts")
struct ScriptTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let folder = "\(Checkout.path)/scripts"

    /// The scripts that bash runs, by their paths.
    private static func bashScripts() throws -> [String] {
        let files = try ["scripts", ".ci"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: "\(Checkout.path)/\(folder)").map { "\(folder)/\($0)" }
        }
        return files.filter { firstLine($0).hasPrefix("#!") && firstLine($0).hasSuffix("bash") }.sorted()
    }

    private static func firstLine(_ path: String) -> String {
        let text = (try? String(contentsOfFile: "\(Checkout.path)/\(path)", encoding: .utf8)) ?? ""
        return text.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
    }

    /// Runs a line of shell in the scratch folder, where the programs given stand before this machine's own.
    private func run(
        _ line: String, with programs: [String: String] = [:]
    ) async throws -> (status: Int32, output: String, errors: String) {
        try FileManager.default.createDirectory(atPath: scratch.path("bin"), withIntermediateDirectories: true)
        for (name, text) in programs { _ = try scratch.write("#!/bin/sh\n\(text)\n", to: "bin/\(name).text") }
        // The shell makes the programs: a file that this process has open for writing while another thread starts a
        // process cannot be run.
        let command = """
            cd '\(scratch.path)'; for text in bin/*.text; do
                [ ! -e "$text" ] || install "$text" "${text%.text}"
            done
            export XDG_CACHE_HOME='\(scratch.path("cache"))' PATH='\(scratch.path("bin"))':"$PATH"
            \(line)
            """
        let result = try await Program.shell(command, in: scratch)
        return (result.status, result.program.output, result.program.errors)
    }

    /// Debian's database of packages, in which all are installed, for as many architectures.
    private static func allInstalled(architectures: Int = 1) -> [String: String] {
        let line = #"printf "$(printf %s "$3" | sed 's/[$].*}/installed/')";"#
        return ["dpkg-query": String(repeating: line, count: architectures)]
    }

    private static let notRoot = ["id": "echo 1000"]

    @Test func `every script ends when a command in the middle of a pipeline fails`() throws {
        let scripts = try Self.bashScripts()
        #expect(scripts.count >= 15)
        for script in scripts {
            let text = try String(contentsOfFile: "\(Checkout.path)/\(script)", encoding: .utf8)
            let isStrict = text.contains("\nset -eu -o pipefail\n") || text.contains("\nset -euo pipefail\n")
            // A script that hands over to another program and does nothing else has no pipeline.
            let commands = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            let handsOver = commands.count == 1 && commands[0].hasPrefix("exec ")
            #expect(isStrict || handsOver, "\(script): set -eu -o pipefail")
        }
    }

    @Test(arguments: [
        "hil", "hil-pi", "run", "release", "install", "package", "cross-build", "check-package", "check-gpio",
        "cross/check-arm64", "cross/debian-unpack", "cross/with-usr", "guests/pi-image", "guests/debian-image",
        "guests/bare-image",
    ])
    func `--help works in the script's own folder`(script: String) async throws {
        let path = URL(filePath: "\(Self.folder)/\(script)")
        let result = try await run(
            "cd '\(path.deletingLastPathComponent().path)' && ./\(path.lastPathComponent) --help")
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(result.output.contains("usage: \(path.lastPathComponent)"))
    }

    @Test func `a relative path is resolved in the caller's directory`() async throws {
        _ = try scratch.write("# Shows nothing.\nstart daemon\n", to: "mine.scenario")
        let result = try await run("'\(Self.folder)/hil' --list --programs '\(Built.folder)' mine.scenario")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "mine: Shows nothing.\n")
    }

    @Test func `two runs of the bench cannot write to the same output folder`() async throws {
        let result = try await run(
            """
            mkdir out; exec 7>out/lock; flock 7
            '\(Self.folder)/hil' --programs '\(Built.folder)' --output out uart 7>&-
            """, with: Self.allInstalled())
        #expect(result.status == 69)
        #expect(result.errors.contains("another run writes to \(scratch.path("out"))"))
    }

    @Test func `the bench refuses a path that contains a space`() async throws {
        let result = try await run("'\(Self.folder)/hil' --programs '\(Built.folder)' --output 'my out' uart")
        #expect(result.status == 64 && result.errors.contains("no path with a space"))
    }

    @Test func `the bench stops when its package cannot be built`() async throws {
        let result = try await run(
            "mkdir empty; '\(Self.folder)/hil' --programs empty --output out installation",
            with: Self.allInstalled().merging(Self.notRoot) { $1 })
        #expect(result.status == 74)
        #expect(result.errors.contains("\(scratch.path("empty"))/sextant: no such program"))
    }

    @Test func `with another libgpiod, scenarios on Debian also need a package built for it`() async throws {
        let result = try await run(
            "mkdir other; '\(Self.folder)/hil' --programs '\(Built.folder)' --gpiod other installation")
        #expect(result.status == 64 && result.errors.contains("this needs a --package for it"))
    }

    @Test(arguments: ["pi-image --debian 12", "debian-image --release sid disk"])
    func `an image built by root goes into the cache of the user who called sudo`(image: String) async throws {
        let result = try await run(
            "'\(Self.folder)/guests/'\(image)", with: Self.allInstalled().merging(Self.notRoot) { $1 })
        #expect(result.status == 69)
        let command = "sudo XDG_CACHE_HOME=\(scratch.path("cache")) \(Self.folder)/guests/"
        #expect(result.errors.contains(command + image.prefix { $0 != " " }), "\(result.errors)")
    }

    @Test(arguments: [1, 2])
    func `a package counts as installed once for each architecture`(architectures: Int) async throws {
        let result = try await run(
            "'\(Self.folder)/install-packages' one two",
            with: Self.allInstalled(architectures: architectures).merging(Self.notRoot) { $1 })
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }

    @Test(arguments: ["", "--package nothing.deb", "--package nothing.deb --debian 11", "--nonsense"])
    func `the emulated Raspberry Pi exits 64 on wrong usage`(arguments: String) async throws {
        let result = try await run("'\(Self.folder)/hil-pi' \(arguments)")
        #expect(result.status == 64 && result.errors.hasPrefix("hil-pi: "))
    }
}
