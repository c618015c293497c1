internal import Glibc
public import SextantPlaces
internal import SextantReactor
internal import SextantSockets
public import SextantUnits

/// The socket of the board's geocoder, which asks a server for all programs; off until the board's owner enables it.
public struct GeocoderSocket: Sendable {
    public let path: String

    /// The path at which systemd listens for `sextant-geocoder`.
    public static let standardPath = "/run/sextant-geocoder.sock"
    /// The environment variable that names another socket.
    public static let variable = "SEXTANT_GEOCODER"
    /// Nanoseconds after which no answer of the server is waited for: 10 s for it, and a little for the geocoder.
    private static let usualPatience: Int64 = 10_300_000_000

    private let patience: Int64

    public init(path: String) { self.init(path: path, patience: GeocoderSocket.usualPatience) }

    init(path: String, patience: Int64) {
        self.path = path
        self.patience = patience
    }

    /// The socket that is installed, or that the environment names.
    public static var installed: GeocoderSocket {
        // Safety: the text stays where it is until the environment changes; it is copied at once.
        GeocoderSocket(path: unsafe getenv(variable).map { unsafe String(cString: $0) } ?? standardPath)
    }

    /// Whether there is such a socket: without it no connection is tried.
    public var isThere: Bool { unsafe access(path, F_OK) == 0 }

    /// The instant until which an answer to a question of now is waited for.
    public func deadline() -> MonotonicInstant { Clock.now().advanced(byNanoseconds: patience) }

    /// Asks a question and waits for the answer; nil where none comes until the deadline.
    ///
    /// - Parameter isOver: Whether nobody wants the answer any more; the connection is closed soon after that.
    public func ask(
        _ question: ServerQuestion, until deadline: MonotonicInstant, unless isOver: () -> Bool = { false }
    ) -> GeocoderReply? {
        ask(.question(question), until: deadline, unless: isOver)
    }

    /// Of how many clients the geocoder keeps answers, and how many of each, as far as this process may know; nil where
    /// it does not say.
    public func kept() -> [KeptLookups]? {
        guard case .kept(let kept)? = ask(.kept, until: deadline()) else { return nil }
        return kept
    }

    /// Has the geocoder forget what it keeps of a client, and tells how many answers that were; nil where it may not be
    /// asked.
    public func erase(_ client: String) -> Int? {
        guard case .erased(let count)? = ask(.erase(client: client), until: deadline()) else {
            return nil
        }
        return count
    }

    /// Nanoseconds between two looks at whether the answer is still wanted.
    private static let slice: Int64 = 100_000_000

    private func ask(
        _ request: GeocoderRequest, until deadline: MonotonicInstant, unless isOver: () -> Bool = { false }
    ) -> GeocoderReply? {
        guard Clock.now() < deadline else { return nil }
        do throws(LocalSocketError) {
            var client = try LocalClient(path: path)
            try client.send(request.line + [0x0A])
            return try GeocoderSocket.line(of: &client, until: deadline, unless: isOver)
                .flatMap(GeocoderReply.init(line:))
        } catch {
            return nil
        }
    }

    /// The next line; nil where the connection is closed, or nobody wants it any more.
    private static func line(
        of client: inout LocalClient, until deadline: MonotonicInstant, unless isOver: () -> Bool
    ) throws(LocalSocketError) -> [UInt8]? {
        while !isOver() {
            do throws(LocalSocketError) {
                return try client.readLine(deadline: min(deadline, Clock.now().advanced(byNanoseconds: slice)))
            } catch .timedOut where Clock.now() < deadline {
                continue
            }
        }
        return nil
    }
}
