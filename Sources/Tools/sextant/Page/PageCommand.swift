internal import ArgumentParser

/// `sextant page`.
struct PageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Print an address that opens the page in the browser, and open it; share it with other machines.",
        discussion: """
            The page is the package sextant-page. Each address opens it once, within ten minutes; the browser stays \
            let in for 12 hours. This is for root and for members of the group sextant. Where there is a desktop the \
            page is opened; where it has an address for other machines, that one is also drawn as a QR code, for a \
            phone, if the program qrencode is installed.

            --share does all that a phone or another machine needs: it allows the page to know where the board is, \
            has systemd listen on an address of this board, and prints the page's address there. Whoever is on that \
            network then reaches the page, and sees it with such an address only; there is no encryption. --share \
            --address 127.0.0.1 shares it with nobody any more. --ssh leaves the network alone: it prints the command \
            that leads to the page from another machine through ssh. Both are for root.

            Exit status: 0; 64 for usage; 65 for an address that is not this board's; 69 where the page is off, or \
            cannot be shared; 74 where the secret or a unit's file cannot be read or written; 77 where this is \
            root's to do.
            """)

    @Flag(help: "Allow the page, and let other machines reach it.")
    var share = false

    @Option(help: ArgumentHelp("The address of this board that is shared.", valueName: "address"))
    var address: String?

    @Flag(help: "Allow the page, and print how another machine reaches it through ssh.")
    var ssh = false

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

    func validate() throws {
        if share && ssh { throw ValidationError("--share and --ssh are two ways; give one") }
        if address != nil && !share { throw ValidationError("--address goes with --share") }
    }

    func run() throws {
        try CommandFailure.reporting { () throws(CommandFailure) in
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
            var page = try PageClient(address: "127.0.0.1", port: port, file: file)
            let sharing = PageSharing(port: port)
            if share || ssh { try sharing.check() }
            if share {
                let own = try OwnAddress.chosen(address)
                // With a loopback address the page is no longer reachable from other machines, so its client is not
                // authorized.
                if !own.isLoopback { try sharing.allow() }
                try sharing.listen(on: own)
                page.address = own.address
            } else if ssh {
                try sharing.allow()
                try sharing.open()
                return try tunnel(to: page)
            }
            try show(page)
        }
    }

    /// Prints a URL for each host name of the page, the most useful first; opens one URL in a browser, and draws one as
    /// a QR code.
    private func show(_ page: PageClient) throws(CommandFailure) {
        let local = "127.0.0.1:\(port)"
        let answer = try page.ask()
        let outside = answer.names.map(withPort)
        let names = hasDesktop ? [local] + outside : outside + [local]
        try StandardOutput.write(line: PageClient.url(under: names[0], code: answer.code))
        for name in names.dropFirst() { try StandardOutput.write(line: try page.url(under: name)) }
        guard !addressOnly else { return }
        if hasDesktop {
            open(try page.url(under: local))
        } else if outside.isEmpty {
            StandardError.write(
                "sextant: only a browser on this board opens that; for one on another machine: "
                    + "sudo sextant page --share, or --ssh")
        }
        if let first = outside.first { draw(try page.url(under: first)) }
    }

    private func tunnel(to page: PageClient) throws(CommandFailure) {
        let user = HostProgram.variable("SUDO_USER") ?? HostProgram.variable("USER") ?? "USER"
        // The third word of `SSH_CONNECTION` is the board's address to which this ssh session connected; another ssh
        // session can use the address too (ssh(1)).
        let words = (HostProgram.variable("SSH_CONNECTION") ?? "").split(separator: " ")
        let own = words.count == 4 ? String(words[2]) : OwnAddress.reached(of: OwnAddress.all())?.address ?? "BOARD"
        try StandardOutput.write(line: "ssh -N -L \(port):127.0.0.1:\(port) \(user)@\(own)")
        try StandardOutput.write(line: try page.url(under: "127.0.0.1:\(port)"))
        guard !addressOnly else { return }
        StandardError.write(
            "sextant: the other machine runs that command, and while it runs, its browser opens that address")
    }

    private func withPort(_ name: String) -> String {
        let end = name.lastIndex(of: "]") ?? name.startIndex
        return name[end...].contains(":") ? name : "\(name):\(port)"
    }

    // MARK: Showing it

    /// Restarts the page's server if it runs, so that it reads its secrets again; browsers reconnect by themselves.
    private func restart() {
        if HostProgram.run("systemctl", ["is-active", "--quiet", "sextant-page.service"]) == 0 {
            _ = HostProgram.run("systemctl", ["try-restart", "sextant-page.service"])
        }
    }

    private var hasDesktop: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { HostProgram.variable($0) != nil }
    }

    private func open(_ address: String) {
        if HostProgram.run("xdg-open", [address]) == nil {
            StandardError.write("sextant: xdg-open is not there to open it; give the address to a browser")
        }
    }

    /// Draws a QR code with Debian's program qrencode; an encoder of Sextant's own would be too large for this small
    /// use.
    private func draw(_ address: String) {
        // The library of qrencode is not linked, because every run of this command would load it.
        if HostProgram.run("qrencode", ["-t", "UTF8", "-m", "2"], input: address) == nil {
            StandardError.write("sextant: for a QR code: sudo apt install qrencode")
        }
    }
}
