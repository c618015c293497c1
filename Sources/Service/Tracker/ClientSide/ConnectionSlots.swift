internal import Access
internal import Parts
internal import SextantSockets
internal import SextantUnits

/// The process at the other end of a connection, as far as its share of the daemon goes.
struct ConnectionHolder: Equatable {
    /// The holder to which the costs of connections are charged; the connections of one holder share its bounds.
    enum Owner: Hashable {
        /// The processes of a user of this board at the gpsd port; all others there, who are not known, together.
        case port(user: UInt32?)
        /// The client of this name.
        case client(String)
        /// The processes of a user to which no manifest applies.
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

    /// The holder of a connection of the gpsd port, of a user of this board or of nobody known.
    static func gpsd(user: UInt32?) -> ConnectionHolder { ConnectionHolder(owner: .port(user: user)) }

    private init(owner: Owner) { self.owner = owner }

    /// - Parameter daemonUser: The user that the daemon runs as.
    init(_ identity: PeerIdentity, _ admission: Admission, daemonUser: UInt32?) {
        owner = admission.client(for: identity).map { .client($0.name) } ?? .user(identity.userID)
        userID = identity.userID
        isOperator = admission.isOperator(identity, daemonUser: daemonUser)
    }
}

/// The slots that connections may take: local ones and those of the gpsd port are counted apart.
///
/// Strangers, the processes without a manifest, take only a part of the local slots, and one user of them a share of
/// that; the others are kept for clients with a manifest, and the last of them for operators. Where the slots of a kind
/// are all taken, a connection of that kind that asks for nothing gives its slot to a new one.
struct ConnectionSlots {
    /// Why a connection gets no slot.
    enum Refusal: Error, Hashable, CustomStringConvertible {
        case gpsdFull
        case gpsdUserFull(UInt32)
        case userFull(UInt32)
        case clientFull(String)
        case strangersFull
        case othersFull
        case localFull
        case nameless
        /// It is not known which processes of a user may have made the connection.
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
                "user \(user) has more than \(PortSearch.mostProcesses) processes, starts new ones all the time, or has none that "
                    + "the daemon may see, so it is not known which connected; end some, or mount /proc without hidepid= and "
                    + "leave ProtectProc= out"
            }
        }
    }

    /// Connections of the gpsd port.
    static let gpsd = 64
    /// Local connections of everybody together.
    static let local = 128
    /// Local connections that only operators may have.
    static let reserved = 16
    /// Local connections of all processes without a manifest together.
    static let strangers = 64
    /// Local connections of one client, or of one user's processes without a manifest; and connections of the gpsd port
    /// of one user of this board.
    static let ofOne = 16
    /// How long a connection must have asked for nothing before it may lose its slot.
    ///
    /// Unit: nanoseconds (10 s).
    static let patience: Int64 = 10_000_000_000

    /// One connection that has a slot.
    private struct Slot {
        let holder: ConnectionHolder
        /// When the connection last asked for something, or came.
        var since: MonotonicInstant
        var hasAsked = false

        /// Whether the connection may lose its slot: it never asked for anything, or is a stranger's, who is told
        /// nothing unasked.
        func isIdle(at instant: MonotonicInstant) -> Bool {
            let isStranger = if case .user = holder.owner { true } else { false }
            return (isStranger || !hasAsked)
                && instant.nanoseconds(since: since) >= ConnectionSlots.patience
        }
    }

    private var slots: [ClientID: Slot] = [:]

    /// The holder of a connection; nil where it has no slot.
    subscript(client: ClientID) -> ConnectionHolder? { slots[client]?.holder }

    /// Gives a connection a slot.
    ///
    /// - Returns: The reason why the connection gets no slot, nil where it gets one; and an idle connection that the caller
    ///   ends to make room, nil where none has to.
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

    /// Notes that a connection asked for something.
    mutating func asked(_ client: ClientID, at instant: MonotonicInstant) {
        slots[client]?.since = instant
        slots[client]?.hasAsked = true
    }

    /// Gives a connection's slot back.
    mutating func release(_ client: ClientID) { slots[client] = nil }

    /// Why a holder gets no slot, and among which holders an idle one may end for it; nil where there is a slot.
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
