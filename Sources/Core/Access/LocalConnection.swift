internal import ClientProtocol
internal import Parts

/// One connection of the local socket.
struct LocalConnection {
    /// What a connection's `hello` line said: the client's name, and the purpose texts of the client's manifest.
    struct Greeting: Equatable {
        let client: String?
        let purposes: PurposeStrings?
    }

    let id: ClientID
    /// The user, groups and systemd unit of the client's process; nil if they are not known.
    let identity: PeerIdentity?
    /// The client's name; nil if no manifest applies to the process.
    var client: String?
    /// Whether the client says that it is in the foreground.
    var isForeground = true
    /// Whether a session in the background makes the connection count as in use, as `AuthorizationBook` was last told.
    var usesBackground = false
    /// The authorization that was last sent to the client.
    var lastSent: AccessObject
    /// The client's name and purpose texts in the last `hello` line of this connection; nil if none was sent.
    var greeted: Greeting?
    var isOperator = false
    /// Whether the connection is an agent, which shows the user the questions about authorization.
    var isAgent = false
    /// The purpose that the program stated in its last request for authorization; nil if it stated none.
    var statedPurpose: String?
    /// Whether the connection has made any request.
    var hasAsked = false
}
