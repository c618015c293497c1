internal import Glibc

/// A broker's process, found by its PID file; the program that started the broker restarts it when it ends.
public struct BrokerProcess {
    private let path: String

    public init(pidFile path: String) { self.path = path }

    /// The process's number (PID); nil if the file contains no number.
    public var number: Int32? { Self.contents(of: path).flatMap { Int32($0.filter(\.isNumber)) } }

    /// Seconds of CPU time that the process has used since it was started; nil while it does not run.
    ///
    /// Source: proc(5), fields 14 and 15 of /proc/PID/stat.
    public var processorSeconds: Double? {
        guard let number, let stat = Self.contents(of: "/proc/\(number)/stat") else { return nil }
        // The second field of /proc/PID/stat, the program's name in brackets, can contain spaces.
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return nil }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Kills the broker with SIGKILL, as in a crash; false if no broker was found.
    public func kill() -> Bool { number.map { Glibc.kill($0, SIGKILL) == 0 } ?? false }

    private static func contents(of path: String) -> String? {
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
