internal import ArgumentParser
internal import Glibc
internal import JSON

/// `sextant page`.
struct PageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Print the address of the page in the browser, and open it.",
        discussion: """
            The page is the package sextant-page, and off until its owner switches it on: sudo systemctl enable \
            --now sextant-page.socket. Its address holds a secret, so this is for root and for members of the group \
            sextant. Where there is a desktop the page is opened; where the page has another name than this \
            machine's own, the address is also drawn as a QR code, for a phone, if the program qrencode is installed.

            Exit status: 0; 64 for usage; 69 where the page is off; 74 where the secret cannot be read or written.
            """)

    @Option(help: ArgumentHelp("The page's configuration.", valueName: "file"))
    var config = "/etc/sextant/page.json5"

    @Option(help: ArgumentHelp("The file with the page's secret.", valueName: "file"))
    var secret = "/etc/sextant/page.secret"

    @Option(help: ArgumentHelp("The port that the page listens on.", valueName: "port"))
    var port: UInt16 = 8947

    @Flag(help: "Only print the address.")
    var addressOnly = false

    @Flag(help: "Write a new secret, which ends every session.")
    var newSecret = false

    @Flag(
        help: ArgumentHelp(
            "Write and print a new secret for scrapers of /metrics, which are off without one.",
            discussion: "It opens nothing else. Prometheus takes it as credentials of the type Bearer."))
    var newMetricsSecret = false

    @Option(help: ArgumentHelp("The file with the secret of scrapers.", valueName: "file"))
    var metricsSecret = "/etc/sextant/metrics.secret"

    func run() throws {
        do throws(CommandFailure) {
            guard !newMetricsSecret else {
                let file = PageSecretFile(path: metricsSecret, flag: "--new-metrics-secret")
                try file.write()
                restart()
                return try StandardOutput.write(line: file.read())
            }
            let file = PageSecretFile(path: secret, flag: "--new-secret")
            if newSecret {
                try file.write()
                restart()
            }
            let text = try file.read()
            let names = try hosts()
            let addresses = (["127.0.0.1:\(port)"] + names.map(withPort)).map { "http://\($0)/#s=\(text)" }
            for address in addresses { try StandardOutput.write(line: address) }
            guard !addressOnly else { return }
            try check()
            open(addresses[0])
            if let outside = addresses.dropFirst().first { draw(outside) }
        } catch {
            error.report()
            throw ExitCode(error.status)
        }
    }

    private func withPort(_ name: String) -> String {
        let end = name.lastIndex(of: "]") ?? name.startIndex
        return name[end...].contains(":") ? name : "\(name):\(port)"
    }

    /// The page's further names, as its configuration has them.
    private func hosts() throws(CommandFailure) -> [String] {
        guard let bytes = PageSecretFile.contents(of: config), !bytes.isEmpty else { return [] }
        do {
            guard case .object(let members) = try JSONValue(parsing: bytes, allowsJSON5: true),
                case .array(let names)? = members["hosts"]
            else { return [] }
            return names.compactMap { if case .string(let name) = $0 { name } else { nil } }
        } catch {
            throw .data("\(config): \(error.detail)")
        }
    }

    // MARK: Showing it

    /// Whether anything listens; a connection alone starts nothing but the page.
    private func check() throws(CommandFailure) {
        let status = run("systemctl", ["is-active", "--quiet", "sextant-page.socket"])
        guard status == 0 || status == nil else {
            throw .unavailable(
                "the page is off; switch it on: sudo systemctl enable --now sextant-page.socket (of the package "
                    + "sextant-page)")
        }
    }

    /// Has a page that runs read its secrets anew; viewers connect again by themselves.
    private func restart() {
        if run("systemctl", ["is-active", "--quiet", "sextant-page.service"]) == 0 {
            _ = run("systemctl", ["try-restart", "sextant-page.service"])
        }
    }

    private func open(_ address: String) {
        let variables: [String] = ["DISPLAY", "WAYLAND_DISPLAY"]
        let hasDesktop = variables.contains { unsafe getenv($0) != nil }
        if hasDesktop, run("xdg-open", [address]) == nil {
            StandardError.write("sextant: xdg-open is not there to open it; give the address to a browser")
        }
    }

    /// Draws a QR code by the program qrencode, which Debian has: an encoder of one's own would be larger than its use.
    private func draw(_ address: String) {
        // The library would be one more that everybody loads.
        if run("qrencode", ["-t", "UTF8", "-m", "2", address]) == nil {
            StandardError.write("sextant: for a QR code: sudo apt install qrencode")
        }
    }

    /// Runs a program found in PATH and waits for it.
    ///
    /// - Returns: Its exit status; nil where it could not be started.
    private func run(_ program: String, _ arguments: [String]) -> Int32? {
        // Safety: the copies live until after the calls, and are freed once.
        let all: [String] = [program] + arguments
        let words = unsafe all.map { unsafe strdup($0) }
        defer { unsafe words.forEach { unsafe free($0) } }
        var process: pid_t = 0
        guard unsafe posix_spawnp(&process, program, nil, nil, words + [nil], environ) == 0 else { return nil }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        let code = status >> 8 & 0xFF
        return code == 127 ? nil : code
    }
}
