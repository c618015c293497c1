internal import Sessions

/// The process at the other end of a connection, as far as its share of the daemon goes.
struct ConnectionHolder: Equatable {
    /// Who answers for what connections cost; the connections of one of them share its bounds.
    enum Owner: Hashable {
        /// All users of the gpsd port together, since they are not known.
        case gpsd
        /// The client of this name.
        case client(String)
        /// The processes of a user for which no manifest speaks.
        case user(UInt32)
    }

    var owner: Owner
    /// The user of the process; nil at the gpsd port.
    var userID: UInt32?
    /// Whether the process may do what an operator may.
    var isOperator = false

    /// The accounts that this holder's requests are charged to; none for an operator, who is trusted with the daemon.
    var accounts: [ProcessorShares.Account] {
        if isOperator { return [] }
        if case .user = owner { return [.strangers, .everybody] }
        return [.client(owner), .everybody]
    }

    /// The holder of a connection of the gpsd port.
    static let gpsd = ConnectionHolder(owner: .gpsd)

    private init(owner: Owner) { self.owner = owner }

    /// - Parameter daemonUser: The user that the daemon runs as.
    init(_ identity: PeerIdentity, _ admission: Admission, daemonUser: UInt32?) {
        owner = admission.client(for: identity).map { .client($0.name) } ?? .user(identity.userID)
        userID = identity.userID
        isOperator = admission.isOperator(identity, daemonUser: daemonUser)
    }
}

/// The places that connections may take: local ones and those of the gpsd port are counted apart.
///
/// One user takes only a share of the local places, and the last of them are kept for operators, so that an operator
/// can connect whatever the others do.
struct ConnectionPlaces {
    /// Why a connection gets no place.
    enum Refusal: Hashable, CustomStringConvertible {
        case gpsdFull
        case userFull(UInt32)
        case othersFull
        case localFull
        case nameless

        var description: String {
            switch self {
            case .gpsdFull: "the gpsd port serves \(ConnectionPlaces.gpsd) connections, and all are taken"
            case .userFull(let user):
                "user \(user) has \(ConnectionPlaces.ofUser) connections, the most that one user may have"
            case .othersFull:
                "\(ConnectionPlaces.local - ConnectionPlaces.reserved) connections are open, and only operators get more"
            case .localFull: "\(ConnectionPlaces.local) connections are open"
            case .nameless: "it closed its connection to the gpsd port before the kernel could say whose it is"
            }
        }
    }

    /// Connections of the gpsd port.
    static let gpsd = 64
    /// Local connections of everybody together.
    static let local = 128
    /// Local connections that only operators may have.
    static let reserved = 16
    /// Local connections of one user who is no operator.
    static let ofUser = 16

    private var holders: [ClientID: ConnectionHolder] = [:]

    /// The holder of a connection; nil where it has no place.
    subscript(client: ClientID) -> ConnectionHolder? { holders[client] }

    /// Gives a connection a place.
    ///
    /// - Returns: Why there is none; nil where the place was given.
    mutating func take(_ holder: ConnectionHolder, for client: ClientID) -> Refusal? {
        if let refusal = refusal(of: holder) { return refusal }
        holders[client] = holder
        return nil
    }

    /// Gives a connection's place back.
    mutating func release(_ client: ClientID) { holders[client] = nil }

    private func refusal(of holder: ConnectionHolder) -> Refusal? {
        guard let user = holder.userID else {
            return count { $0.userID == nil } < ConnectionPlaces.gpsd ? nil : .gpsdFull
        }
        let taken = count { $0.userID != nil }
        guard !holder.isOperator else { return taken < ConnectionPlaces.local ? nil : .localFull }
        let ofUser = count { $0.userID == user && !$0.isOperator }
        guard ofUser < ConnectionPlaces.ofUser else { return .userFull(user) }
        return taken < ConnectionPlaces.local - ConnectionPlaces.reserved ? nil : .othersFull
    }

    private func count(_ isMeant: (ConnectionHolder) -> Bool) -> Int { holders.values.count(where: isMeant) }
}
