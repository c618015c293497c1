internal import Parts

/// One connection of the gpsd port.
struct PortConnection {
    let id: ClientID
    /// The processes of this board that can have made the connection; empty if none is known.
    let identities: [PeerIdentity]
    /// The clients to which the connection can belong, each once; an element is nil for a process without a manifest.
    ///
    /// If there are several, the connection has the rights of the client with the fewest rights.
    var clients: [String?]

    /// The only client to which the connection can belong; nil if several are possible, or none.
    var client: String? { clients.count == 1 ? clients[0] : nil }

    /// A text by which an operator recognizes a connection to which no manifest applies.
    var printableName: String {
        switch identities.count {
        case 0: Admission.gpsdClient
        case 1: identities[0].printableName
        default: "user \(identities[0].userID)"
        }
    }
}
