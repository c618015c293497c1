internal import Glibc
public import SextantPlaces
internal import SextantReactor
internal import SextantSockets
public import SextantUnits

/// The socket of `sextant-geocoder`, the board's service that asks a geocoding server on behalf of all programs; the
/// service is off until the board's owner enables it.
public struct GeocoderSocket: Sendable {
    public let path: String

    /// The path at which systemd listens for `sextant-geocoder`.
    public static let standardPath = "/run/sextant-geocoder.sock"
    /// The environment variable that can name another path of the socket.
    public static let variable = "SEXTANT_GEOCODER"
    /// The longest wait for an answer, in nanoseconds: 10 s for the geocoding server, and 0.3 s more for
    /// `sextant-geocoder` itself.
    private static let usualPatience: Int64 = 10_300_000_000

    private let patience: Int64

    public init(path: String) { self.init(path: path, patience: GeocoderSocket.usualPatience) }

    init(path: String, patience: Int64) {
        self.path = path
        self.patience = patience
    }

    /// The socket that the environment variable names; if the variable is not set, the standard socket.
    public static var installed: GeocoderSocket {
        // Safety: the variable's text stays in place until the environment changes, and it is copied at once.
        GeocoderSocket(path: unsafe getenv(variable).map { unsafe String(cString: $0) } ?? standardPath)
    }

    /// Whether the socket's file exists; without the file no connection is attempted.
    public var isThere: Bool { unsafe access(path, F_OK) == 0 }

    /// The instant at which to stop waiting for the answer to a request that is sent now.
    public func deadline() -> MonotonicInstant { Clock.now().advanced(byNanoseconds: patience) }

    /// Sends a request and waits for the answer; nil if no answer comes by the deadline.
    ///
    /// - Parameter isOver: Returns true once the caller does not want the answer any more; the wait then ends within
    ///   0.1 s.
    public func ask(
        _ question: ServerQuestion, until deadline: MonotonicInstant, unless isOver: () -> Bool = { false }
    ) -> GeocoderReply? {
        ask(.question(question), until: deadline, unless: isOver)
    }

    /// The number of answers that `sextant-geocoder` keeps for each client about which this process is allowed to ask;
    /// nil if the service does not answer.
    public func kept() -> [KeptLookups]? {
        guard case .kept(let kept)? = ask(.kept, until: deadline()) else { return nil }
        return kept
    }

    /// Makes `sextant-geocoder` erase the answers that it keeps for a client, and returns their number; nil if the
    /// service refuses or does not answer.
    public func erase(_ client: String) -> Int? {
        guard case .erased(let count)? = ask(.erase(client: client), until: deadline()) else {
            return nil
        }
        return count
    }

    /// The time in nanoseconds between two checks of `isOver`.
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

    /// Waits for the service's next line; nil if the connection is closed, or once `isOver` is true.
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
