internal import ClientVocabulary
internal import DaemonClient
internal import Glibc
internal import Programs
internal import SextantSockets

/// Makes the page reachable: authorizes the page's client for locations, enables its socket unit, and has it listen on
/// a chosen address.
struct PageSharing {
    var port: UInt16

    private static let unit = "sextant-page.socket"
    private static let client = "sextant-page"
    private static let folder = "/etc/systemd/system/sextant-page.socket.d"
    private static let file = folder + "/share.conf"

    /// Makes the page listen on loopback and on the given address; if that is a loopback address, other machines no
    /// longer reach the page.
    func listen(on address: OwnAddress) throws(CommandFailure) {
        if address.isLoopback {
            guard unsafe unlink(PageSharing.file) == 0 || errno == ENOENT else { throw PageSharing.unwritten }
            _ = unsafe rmdir(PageSharing.folder)
        } else {
            try write(
                """
                # Written by: sextant page --share. Ended by: sextant page --share --address 127.0.0.1
                [Socket]
                ListenStream=\(NetworkAddress.withPort(address.address, port))
                IPAddressAllow=\(address.address)/\(address.prefix)

                """)
        }
        try manage("daemon-reload")
        try manage("enable", PageSharing.unit)
        try manage("restart", PageSharing.unit)
    }

    /// Makes the page listen on the addresses of its socket unit; if the owner has chosen none, that is loopback alone.
    func open() throws(CommandFailure) {
        try manage("enable", "--now", PageSharing.unit)
    }

    // MARK: Steps

    private static let unwritten = CommandFailure.inputOutput("\(file): cannot be written; this is for root: use sudo")

    /// Throws unless this command runs as root and the page's package is installed, as every change of the sharing
    /// needs.
    func check() throws(CommandFailure) {
        guard geteuid() == 0 else {
            throw .refused("systemd's units are root's to change: use sudo")
        }
        guard unsafe access("/usr/sbin/sextant-page", F_OK) == 0 else {
            throw .unavailable("the page is a package of its own: sudo apt install ./sextant-page_*.deb")
        }
    }

    /// Authorizes the page's client for locations, unless it is authorized already.
    func allow() throws(CommandFailure) {
        var daemon = try Daemon(path: nil)
        guard let client = try PageSharing.client(&daemon) else {
            throw .unavailable(
                "/etc/sextant/clients.d/sextant-page.json5 is missing; install the package sextant-page again")
        }
        guard !ClientText.isAuthorized(client) else { return }
        try daemon.send(
            DaemonRequest(.answer).with(.client, PageSharing.client).with(.answer, word: OperatorAnswer.allow))
        _ = try daemon.next([.answered])
        guard let allowed = try PageSharing.client(&daemon), ClientText.isAuthorized(allowed) else {
            throw .refused(
                "the page may not know where the board is; see whether /etc/sextant/policy.json5 has a rule for it, and "
                    + "whether location services are on: sextant services")
        }
    }

    private static func client(_ daemon: inout Daemon) throws(CommandFailure) -> DaemonLine? {
        try Clients.list(&daemon).first { $0.text(.name) == client }
    }

    private func write(_ text: String) throws(CommandFailure) {
        _ = unsafe mkdir(PageSharing.folder, 0o755)
        guard (try? GuardedFile.write(text, to: PageSharing.file)) != nil else { throw PageSharing.unwritten }
    }

    private func manage(_ words: String...) throws(CommandFailure) {
        switch HostProgram.run("systemctl", ["--quiet"] + words) {
        case 0: return
        case nil: throw .unavailable("systemctl is not there; the page needs systemd, or see sextant-page --help")
        default: throw .unavailable("systemctl \(words.joined(separator: " ")) failed; its own words are above")
        }
    }
}

/// An IP address of this host, at which other hosts can reach it.
struct OwnAddress: Equatable {
    var interface: String
    var address: String
    /// The length of the network prefix, in bits.
    var prefix: Int

    var isLoopback: Bool { address.hasPrefix("127.") || address == "::1" }

    /// The addresses of all interfaces that are up, without loopback and link-local addresses.
    static func all() -> [OwnAddress] {
        NetworkAddress.own().compactMap { line in
            let parts = line.split { $0 == " " || $0 == "/" }
            guard parts.count == 3, let prefix = Int(parts[2]) else { return nil }
            return OwnAddress(interface: String(parts[0]), address: String(parts[1]), prefix: prefix)
        }
    }

    /// The board's address from which packets to other networks are sent; without such a route, the first address; nil
    /// if there is none.
    static func reached(of all: [OwnAddress]) -> OwnAddress? {
        // The address 192.0.2.1 is reserved for documentation, so it belongs to no host and the kernel picks the route
        // to other networks (RFC 5737).
        let address = NetworkAddress.towards("192.0.2.1")
        return all.first { $0.address == address } ?? all.first
    }

    /// The address to listen on: the address from the command line; otherwise the board's only address, or the one of
    /// several that the user chooses.
    static func chosen(_ named: String?) throws(CommandFailure) -> OwnAddress {
        let all = all()
        let list = all.map { "\($0.address) (\($0.interface))" }.joined(separator: ", ")
        if let named {
            let asked = OwnAddress(interface: "", address: named, prefix: 32)
            if asked.isLoopback { return asked }
            guard let own = all.first(where: { $0.address == named }) else {
                throw .data("--address \(named): no address of this board; it has \(list.isEmpty ? "none" : list)")
            }
            return own
        }
        guard let usual = reached(of: all) else {
            throw .unavailable("this board has no address that another machine could reach; see ip address")
        }
        guard all.count > 1 else { return usual }
        guard isatty(0) == 1 else {
            StandardError.write("sextant: of \(list) it is \(usual.address); --address names another one")
            return usual
        }
        StandardError.write("This board has the addresses \(list).")
        StandardError.write("Which one shall the page be asked for by? (\(usual.address))")
        let answer = readLine() ?? ""
        guard !answer.isEmpty else { return usual }
        guard let own = all.first(where: { $0.address == answer }) else {
            throw .data("\(answer): no address of this board; it has \(list)")
        }
        return own
    }
}
