internal import Access
internal import Parts
internal import SextantSockets
internal import SextantUnits

/// The client or user to which a connection is counted, in the limits on connections, output and processor time.
struct ConnectionHolder: Equatable {
    /// The owner of connections: all connections with the same owner share one set of limits.
    enum Owner: Hashable {
        /// The gpsd connections of one user of this board; nil for the gpsd connections of all unknown users together.
        case port(user: UInt32?)
        /// The client with this name.
        case client(String)
        /// The processes of this user that no manifest names as a client.
        case user(UInt32)
    }

    var owner: Owner
    /// The process's user; nil at the gpsd port.
    var userID: UInt32?
    /// Whether the process has the rights of an operator.
    var isOperator = false

    /// The accounts of processor time to which this connection's requests are charged; none for an operator, who is
    /// trusted with the daemon.
    var accounts: [ProcessorShares.Account] {
        if isOperator { return [] }
        if case .user = owner { return [.strangers, .everybody] }
        return [.client(owner), .everybody]
    }

    /// Counts a gpsd connection to its user on this board; nil for an unknown user.
    static func gpsd(user: UInt32?) -> ConnectionHolder { ConnectionHolder(owner: .port(user: user)) }

    private init(owner: Owner) { self.owner = owner }

    init(_ identity: PeerIdentity, _ admission: Admission, daemonUser: UInt32?) {
        owner = admission.client(for: identity).map { .client($0.name) } ?? .user(identity.userID)
        userID = identity.userID
        isOperator = admission.isOperator(identity, daemonUser: daemonUser)
    }
}

/// The slots for connections, one for each open connection; local and gpsd connections are counted separately.
///
/// Strangers, which are processes without a manifest, can take only a part of the local slots, and one user's strangers
/// only a part of these. The other slots are kept for clients with a manifest, and the last ones for operators. If all
/// slots of a kind are taken, a new connection gets the slot of an idle one.
struct ConnectionSlots {
    /// Why a connection is refused and gets no slot.
    enum Refusal: Error, Hashable, CustomStringConvertible {
        case gpsdFull
        case gpsdUserFull(UInt32)
        case userFull(UInt32)
        case clientFull(String)
        case strangersFull
        case othersFull
        case localFull
        case nameless
        /// It is not known which of a user's processes could have made the connection.
        case hidden(UInt32)

        var description: String {
            switch self {
            case .gpsdFull: "the gpsd port serves \(ConnectionSlots.gpsd) connections, and all are taken"
            case .gpsdUserFull(let user):
                "user \(user) has \(ConnectionSlots.ofOne) connections of the gpsd port, the most that one user may have"
            case .userFull(let user):
                "user \(user) has \(ConnectionSlots.ofOne) connections without a manifest, the most that one user may have"
            case .clientFull(let client):
                "\(client) has \(ConnectionSlots.ofOne) connections, the most that one client may have"
            case .strangersFull:
                "\(ConnectionSlots.strangers) connections without a manifest are open, and only clients with one get more"
            case .othersFull:
                "\(ConnectionSlots.local - ConnectionSlots.reserved) connections are open, and only operators get more"
            case .localFull: "\(ConnectionSlots.local) connections are open"
            case .nameless: "it closed its connection to the gpsd port before the kernel could say whose it is"
            case .hidden(let user):
                "user \(user) has more than \(PortSearch.maximumProcesses) processes, starts new ones all the time, or has none that "
                    + "the daemon may see, so it is not known which connected; end some, or mount /proc without hidepid= and "
                    + "leave ProtectProc= out"
            }
        }
    }

    /// The number of slots for gpsd connections.
    static let gpsd = 64
    /// The number of slots for all local connections together.
    static let local = 128
    /// The number of the slots for local connections that only operators can have.
    static let reserved = 16
    /// The largest number of local connections for all processes without a manifest together.
    static let strangers = 64
    /// The largest number of connections for one owner: one client, one user's processes without a manifest, or one
    /// user at the gpsd port.
    static let ofOne = 16
    /// How long a connection must have been without a request before it can lose its slot to another connection.
    ///
    /// Unit: nanoseconds (10 s).
    static let idleNanoseconds: Int64 = 10_000_000_000

    /// One connection that has a slot.
    private struct Slot {
        let holder: ConnectionHolder
        /// The time of the connection's last request; if it has sent none, the time when it was made.
        var since: MonotonicInstant
        var hasAsked = false

        /// Whether the connection has been silent long enough to lose its slot.
        ///
        /// A client with a manifest can lose a connection only if it never sent a request there; a process without a
        /// manifest can lose any, since it gets no unrequested messages.
        func isIdle(at instant: MonotonicInstant) -> Bool {
            let isStranger = if case .user = holder.owner { true } else { false }
            return (isStranger || !hasAsked)
                && instant.nanoseconds(since: since) >= ConnectionSlots.idleNanoseconds
        }
    }

    private var slots: [ClientID: Slot] = [:]

    /// The client or user to which a connection is counted; nil if the connection has no slot.
    subscript(client: ClientID) -> ConnectionHolder? { slots[client]?.holder }

    /// Gives a connection a slot, if necessary that of an idle connection.
    ///
    /// - Returns: The reason if the connection gets no slot, otherwise nil; and the idle connection that the caller
    ///   must close to make room, or nil.
    mutating func take(
        _ holder: ConnectionHolder, for client: ClientID, at instant: MonotonicInstant
    ) -> (refusal: Refusal?, ended: ClientID?) {
        var ended: ClientID?
        if let (refusal, isRival) = refusal(of: holder) {
            ended =
                slots.filter { isRival($0.value.holder) && $0.value.isIdle(at: instant) }
                .min { ($0.value.since, $0.key.rawValue) < ($1.value.since, $1.key.rawValue) }?.key
            guard let ended else { return (refusal, nil) }
            slots[ended] = nil
        }
        slots[client] = Slot(holder: holder, since: instant)
        return (nil, ended)
    }

    /// Must be called when a connection has sent a request, since it is not idle then.
    mutating func asked(_ client: ClientID, at instant: MonotonicInstant) {
        slots[client]?.since = instant
        slots[client]?.hasAsked = true
    }

    mutating func release(_ client: ClientID) { slots[client] = nil }

    /// Why a new connection gets no slot, and whose idle connections could make room for it; nil if a slot is free.
    private func refusal(of holder: ConnectionHolder) -> (Refusal, (ConnectionHolder) -> Bool)? {
        guard let user = holder.userID else {
            let isPort = { (other: ConnectionHolder) in other.userID == nil }
            let isOwn = { (other: ConnectionHolder) in other.owner == holder.owner }
            if case .port(let user?) = holder.owner, count(isOwn) >= ConnectionSlots.ofOne {
                return (.gpsdUserFull(user), isOwn)
            }
            return count(isPort) < ConnectionSlots.gpsd ? nil : (.gpsdFull, isPort)
        }
        let isLocal = { (other: ConnectionHolder) in other.userID != nil && !other.isOperator }
        let taken = count { $0.userID != nil }
        guard !holder.isOperator else {
            return taken < ConnectionSlots.local ? nil : (.localFull, isLocal)
        }
        let isOwn = { (other: ConnectionHolder) in isLocal(other) && other.owner == holder.owner }
        guard count(isOwn) < ConnectionSlots.ofOne else {
            if case .client(let name) = holder.owner { return (.clientFull(name), isOwn) }
            return (.userFull(user), isOwn)
        }
        let isStranger = { (other: ConnectionHolder) in
            if case .user = other.owner { isLocal(other) } else { false }
        }
        if isStranger(holder), count(isStranger) >= ConnectionSlots.strangers {
            return (.strangersFull, isStranger)
        }
        return taken < ConnectionSlots.local - ConnectionSlots.reserved
            ? nil : (.othersFull, isStranger)
    }

    private func count(_ isMeant: (ConnectionHolder) -> Bool) -> Int {
        slots.values.count { isMeant($0.holder) }
    }
}
