import Foundation
import Glibc

/// What systemd is to the daemon: it listens for it, passes the sockets, and hears how it is.
final class ServiceManagerBench {
    let scratch: Scratch
    let program: Program
    let socket: String
    private let inbox: Int32

    /// Starts the daemon as systemd does: the sockets are descriptors 3 and on, and belong to its process by number.
    private static let starter = """
        import os, socket, sys
        notify, path, names, watchdog, *command = sys.argv[1:]
        kinds = {"sextant": socket.AF_UNIX, "gpsd": socket.AF_INET}
        sockets = []
        for name in names.split(":") if names else []:
            kind = socket.SOCK_DGRAM if name == "datagram" else socket.SOCK_STREAM
            s = socket.socket(kinds.get(name, socket.AF_UNIX), kind)
            s.bind(("127.0.0.1", 0) if name == "gpsd" else path if name == "sextant" else path + "." + name)
            if kind == socket.SOCK_STREAM: s.listen(16)
            sockets.append(s)
        # First out of the way of each other, then to their places.
        high = [os.dup(s.fileno()) for s in sockets]
        high = [h if h > 20 else os.dup2(h, 40 + i) for i, h in enumerate(high)]
        for number, h in enumerate(high): os.dup2(h, 3 + number, inheritable=True)
        os.closerange(3 + len(high), 100)
        os.environ.update({
            "NOTIFY_SOCKET": notify, "LISTEN_PID": str(os.getpid()), "LISTEN_FDS": str(len(high)),
            "LISTEN_FDNAMES": names.replace("datagram", "sextant"), "WATCHDOG_USEC": watchdog})
        os.execv(command[0], command)
        """

    /// - Parameter names: What the passed sockets are called, in order; "datagram" is no stream, and called "sextant".
    init(
        in scratch: Scratch, passing names: [String], watchdogSeconds: Int = 30, _ arguments: [String]
    ) throws {
        self.scratch = scratch
        socket = scratch.path("s")
        let notify = scratch.path("notify")
        inbox = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK, 0)
        try ServiceManagerBench.bind(inbox, to: notify)
        program = try Program(
            "/usr/bin/python3",
            [
                "-c", ServiceManagerBench.starter, notify, socket, names.joined(separator: ":"),
                "\(watchdogSeconds * 1_000_000)", Built.sextantd,
            ] + arguments, in: scratch)
    }

    deinit { close(inbox) }

    /// The datagrams that came since the last call.
    func heard() -> [String] {
        var all: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(inbox, $0.baseAddress, $0.count, 0) }
            guard count >= 0 else { return all }
            all.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }

    /// Waits for a datagram that begins so, and returns it with those before it.
    func hears(_ start: String, within seconds: Double = 30) async throws -> [String] {
        var all: [String] = []
        return try await eventually("\(start) from the daemon", within: seconds, seen: { program.errors }) {
            all += heard()
            return all.contains { $0.hasPrefix(start) } ? all : nil
        }
    }

    private static func bind(_ number: Int32, to path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Late(description: "\(path) cannot be bound: errno \(errno)") }
    }
}
