import CSextantLinux
import Glibc
import SextantReactor

/// A program that systemd starts: most of them when a client connects to their socket, the others at boot or for a job.
///
/// The program takes over the sockets that systemd passes, writes its log to standard error with its name before each
/// line, and turns a failure into an exit status.
public struct ServiceProgram: Sendable {
    /// The reason why a program cannot serve, with an exit status of sysexits(3).
    public struct Failure: Error, Sendable {
        public var text: String
        public var status: Int32

        public init(_ text: String, status: Int32) {
            self.text = text
            self.status = status
        }
    }

    private let name: String

    public init(_ name: String) { self.name = name }

    /// Runs the program's work; if it fails, logs one line with the reason.
    ///
    /// - Returns: The exit status: 0, the status of the `Failure`, or 70 for any other error.
    public func run(_ body: () throws -> Void) -> Int32 {
        do {
            try body()
            return 0
        } catch let failure as Failure {
            log(failure.text)
            return failure.status
        } catch {
            log("\(error)")
            return 70
        }
    }

    /// Ends the program because its command line is wrong.
    public func refuse(_ mistake: String) -> Never {
        write("Error: \(mistake)\nSee '\(name) --help' for more information.\n", to: 2)
        exit(64)
    }

    public func log(_ text: String) { write("\(name): \(text)\n", to: 2) }

    public func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        // Safety: the bytes live for the call.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    public static func environment(_ name: String) -> String? {
        // Safety: the environment's text is copied before anything can change the environment.
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// Duplicates of the listening sockets that systemd passed.
    ///
    /// Source: sd_listen_fds(3).
    ///
    /// - Parameters:
    ///   - most: The largest number of sockets that systemd can pass.
    ///   - trial: The command-line option that runs the program without systemd; the error message names it.
    public func passedSockets(most: Int32, trial: String) throws -> [Int32] {
        let owner = ServiceProgram.environment("LISTEN_PID").flatMap { Int32($0) }
        let count = ServiceProgram.environment("LISTEN_FDS").flatMap { Int32($0) } ?? 0
        guard owner == getpid(), count >= 1, count <= most else {
            throw Failure(
                "no socket was passed; start it by systemctl enable --now \(name).socket, or try it out with \(trial)",
                status: 69)
        }
        return try (3..<3 + count).map { number in
            guard clinux_listening_kind(number) != clinux_listening_not else {
                throw Failure("descriptor \(number) is no listening stream socket; see \(name).socket", status: 69)
            }
            return try SystemError.check(clinux_duplicate(number), "duplicate descriptor \(number)")
        }
    }
}
