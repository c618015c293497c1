internal import Parts

/// The limits on the bytes that wait to be sent to clients that do not read.
///
/// Each connection also has a limit of its own; the limits here are for all connections of one client, and for the
/// whole daemon.
enum OutputBounds {
    /// The number of bytes that wait to be sent on one connection.
    struct Waiting {
        var client: ClientID
        var owner: ConnectionHolder.Owner
        var byteCount: Int
    }

    /// The largest number of bytes that can wait for all connections of one client: four times the limit of one
    /// connection.
    static let ofOwner = 4_194_304
    /// The largest number of bytes that can wait for all connections: about a thirtieth of the memory of a Raspberry Pi
    /// Zero 2 W.
    static let ofAll = 16_777_216

    /// The connection to drop if too many bytes wait: the one for which most bytes wait.
    ///
    /// - Parameter owner: The client for which bytes were added.
    /// - Returns: If this client's connections exceed the limit for one client, one of these; if all connections exceed
    ///   the limit for all, one of any client; nil if the limits are kept.
    static func excess(_ waiting: [Waiting], addedFor owner: ConnectionHolder.Owner) -> ClientID? {
        let own = waiting.filter { $0.owner == owner }
        if own.byteCount > ofOwner { return own.largest }
        return waiting.byteCount > ofAll ? waiting.largest : nil
    }
}

extension [OutputBounds.Waiting] {
    fileprivate var byteCount: Int { reduce(0) { $0 + $1.byteCount } }

    /// The connection for which most bytes wait; among equals, the one that was made first.
    fileprivate var largest: ClientID? {
        self.max { ($0.byteCount, $1.client.rawValue) < ($1.byteCount, $0.client.rawValue) }?.client
    }
}
