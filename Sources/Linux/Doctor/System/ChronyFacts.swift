/// What chrony's files say about a socket through which chrony receives the time from Sextant.
struct ChronyFacts: Sendable, Equatable {
    var socket: String
    var isInstalled: Bool
    /// Whether chrony's configuration names the socket as a reference clock.
    var readsSocket: Bool
    /// Whether a drop-in of chrony's unit has an `ExecStartPost` that makes the daemon's user the owner of the socket.
    var givesSocket: Bool

    init(_ socket: String, _ files: some SystemFiles) {
        self.socket = socket
        isInstalled = files.exists("/usr/sbin/chronyd")
        let configurations =
            ["/etc/chrony/chrony.conf"]
            + files.list("/etc/chrony/conf.d").filter { $0.hasSuffix(".conf") }.map { "/etc/chrony/conf.d/\($0)" }
        readsSocket = configurations.contains { path in
            (files.text(of: path) ?? "").numberedLines.contains { _, line in
                let words = line.words
                return words.first == "refclock" && words.contains { $0 == socket || $0.hasPrefix("\(socket):") }
            }
        }
        let folders = ["/etc/systemd/system", "/lib/systemd/system", "/usr/lib/systemd/system"]
        givesSocket = folders.contains { folder in
            files.list("\(folder)/chrony.service.d").contains { name in
                name.hasSuffix(".conf")
                    && (files.text(of: "\(folder)/chrony.service.d/\(name)") ?? "").numberedLines
                        .contains { _, line in line.hasPrefix("ExecStartPost=") && line.words.contains { $0 == socket }
                        }
            }
        }
    }
}
