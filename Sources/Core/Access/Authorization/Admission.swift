public import Parts

/// The rules by which clients are served: the manifests of the clients, and the operator's policy.
public struct Admission: Sendable, Equatable {
    public var manifests: ClientManifests
    public var policy: OperatorPolicy
    /// Names of clients whose manifests exist and cannot be read, sorted; they are not served, but their records are
    /// kept.
    public var unreadable: [String] = []
    /// Whether the list of manifests could be read; while it could not, no client's records are deleted.
    public var isComplete = true
    /// Where the policy comes from.
    public var policySource = PolicySource.file
    /// Whether every process counts as one client with all rights: in a program that is its own daemon, and on a bench.
    public let admitsEveryone: Bool

    /// Where a policy comes from; a raw value is recorded and never changes.
    public enum PolicySource: UInt8, Sendable {
        /// The operator's file, as it is or as it was when it could last be read.
        case file = 0
        /// There is no policy file, so that only the denials that the last file made are known.
        case missing = 1
        /// The file cannot be read and was never read, so that nothing is allowed.
        case unreadable = 2
    }

    public init(manifests: ClientManifests, policy: OperatorPolicy) {
        self.manifests = manifests
        self.policy = policy
        admitsEveryone = false
    }

    private init(everyone manifest: ClientManifest) {
        manifests = ClientManifests([manifest])
        policy = OperatorPolicy(
            others: OperatorPolicy.Rule(authorization: .always, accuracy: nil, isFinal: false))
        admitsEveryone = true
    }

    /// The rules under which every process is served without a manifest.
    public static let everyone: Admission = {
        var manifest = ClientManifest(name: "everyone", selector: ClientSelector())
        manifest.purposes = PurposeStrings(whenInUse: "to say where it is", always: "to say where it is")
        manifest.backgroundMode = true
        manifest.isOperator = true
        return Admission(everyone: manifest)
    }()

    /// The rules without any manifest: no process is served.
    public static let nobody = Admission(manifests: ClientManifests([]), policy: OperatorPolicy())

    /// Whether a client's rights are unknown because its manifest cannot be read.
    public func isUnreadable(_ client: String) -> Bool {
        guard !client.isEmpty, self[client] == nil else { return false }
        return !isComplete || unreadable.contains(client)
    }

    /// Whether the deferred fixes under a key may still belong to a client.
    public func mayHave(_ key: DeferredKey) -> Bool {
        !isComplete || manifests.manifests.contains { !$0.isAbsent && key.isOf($0.name) }
            || unreadable.contains { key.isOf($0) }
    }

    /// The name of the client that stands for the users of the gpsd port who are not known, such as another host's.
    public static let gpsdClient = "gpsd"

    /// The client that a process belongs to; nil where no manifest matches the process, or its identity is unknown.
    public func client(for identity: PeerIdentity?) -> ClientManifest? {
        if admitsEveryone { return everyone }
        return identity.flatMap { manifests.client(for: $0) }
    }

    /// Whether a process may do what an operator may: root's, the daemon's user's, and a client's whose manifest says so.
    ///
    /// - Parameter daemonUser: The user that the daemon runs as; nil where it is not known.
    public func isOperator(_ identity: PeerIdentity?, daemonUser: UInt32?) -> Bool {
        if client(for: identity)?.isOperator == true { return true }
        return identity.map { $0.userID == 0 || $0.userID == daemonUser } ?? false
    }

    /// The clients that a connection of the gpsd port may belong to, each once; nil stands for a process without a
    /// manifest.
    ///
    /// - Parameter identities: The processes of this board that may have made the connection; empty where none is known,
    ///   which is the client `gpsd`.
    public func portClients(of identities: [PeerIdentity]) -> [ClientManifest?] {
        if admitsEveryone { return [everyone] }
        guard !identities.isEmpty else { return [present(Admission.gpsdClient)] }
        var clients: [ClientManifest?] = []
        for identity in identities {
            let client = client(for: identity)
            if !clients.contains(where: { $0?.name == client?.name }) { clients.append(client) }
        }
        return clients
    }

    private var everyone: ClientManifest? { manifests.manifests.first { !$0.isAbsent } }

    /// The manifest with this name; nil where there is none, or its file is missing.
    public func present(_ name: String) -> ClientManifest? { self[name].flatMap { $0.isAbsent ? nil : $0 } }

    /// The same rules, in which earlier clients that have no manifest any more count as absent.
    public func remembering(_ earlier: some Sequence<ClientManifest>) -> Admission {
        var admission = self
        let gone = earlier.filter { self[$0.name] == nil }.map { ClientManifest.absent($0.name, regions: $0.regions) }
        admission.manifests = ClientManifests(manifests.manifests + gone)
        return admission
    }

    /// The manifest with this name; nil where there is none.
    public subscript(name: String) -> ClientManifest? { manifests.manifests.first { $0.name == name } }
}
