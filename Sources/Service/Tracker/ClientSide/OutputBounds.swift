internal import Parts

/// The bounds of the bytes that wait for clients that do not read.
///
/// One connection has a bound of its own; these hold for all connections of one client, and for all of the daemon.
enum OutputBounds {
    /// The bytes that wait for one connection.
    struct Waiting {
        var client: ClientID
        var owner: ConnectionHolder.Owner
        var byteCount: Int
    }

    /// Bytes for all connections of one client: four times what one connection may leave unread.
    static let ofOwner = 4_194_304
    /// Bytes for all connections: a thirtieth of the memory of a Zero 2 W.
    static let ofAll = 16_777_216

    /// The connection to drop because too many bytes wait: the one for which most wait.
    ///
    /// - Parameter owner: The client for which bytes were added.
    /// - Returns: One of this client's connections, or anybody's where all together are too many; nil where the bounds
    ///   hold.
    static func excess(_ waiting: [Waiting], addedFor owner: ConnectionHolder.Owner) -> ClientID? {
        let own = waiting.filter { $0.owner == owner }
        if own.byteCount > ofOwner { return own.largest }
        return waiting.byteCount > ofAll ? waiting.largest : nil
    }
}

extension [OutputBounds.Waiting] {
    fileprivate var byteCount: Int { reduce(0) { $0 + $1.byteCount } }

    /// The connection for which most bytes wait; of equals, the one that came first.
    fileprivate var largest: ClientID? {
        self.max { ($0.byteCount, $1.client.rawValue) < ($1.byteCount, $0.client.rawValue) }?.client
    }
}
