public import Parts

/// The rules by which clients are served: the manifests of the clients, and the operator's policy.
public struct Admission: Sendable, Equatable {
    public var manifests: ClientManifests
    public var policy: OperatorPolicy
    /// The names of clients whose manifests exist but cannot be read, sorted; these clients are not served, but their
    /// records are kept.
    public var unreadable: [String] = []
    /// Whether the list of manifests could be read; while it could not, no client's records are deleted.
    public var isComplete = true
    /// Where the policy comes from.
    public var policySource = PolicySource.file
    /// Whether every process counts as one client with all rights, as in a program that is its own daemon, or on a test
    /// bench.
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

    /// Whether deferred fixes with this key can still belong to a client, so that they must be kept.
    public func mayHave(_ key: DeferredKey) -> Bool {
        !isComplete || manifests.manifests.contains { !$0.isAbsent && key.isOf($0.name) }
            || unreadable.contains { key.isOf($0) }
    }

    /// The name of the client that stands for unknown users of the gpsd port, such as those on another host.
    public static let gpsdClient = "gpsd"

    /// The client that a process belongs to; nil where no manifest matches the process, or its identity is unknown.
    public func client(for identity: PeerIdentity?) -> ClientManifest? {
        if admitsEveryone { return everyone }
        return identity.flatMap { manifests.client(for: $0) }
    }

    /// Whether a process has an operator's rights: as root, as the daemon's user, or by its client's manifest.
    ///
    /// - Parameter daemonUser: The user that the daemon runs as; nil where it is not known.
    public func isOperator(_ identity: PeerIdentity?, daemonUser: UInt32?) -> Bool {
        if client(for: identity)?.isOperator == true { return true }
        return identity.map { $0.userID == 0 || $0.userID == daemonUser } ?? false
    }

    /// The clients that a connection of the gpsd port can belong to, each once; nil stands for a process without a
    /// manifest.
    ///
    /// - Parameter identities: The processes of this board that can have made the connection. Where none is known, the
    ///   list is empty, and the connection belongs to the client `gpsd`.
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

    /// A copy of these rules in which earlier clients that have no manifest any more count as absent.
    public func remembering(_ earlier: some Sequence<ClientManifest>) -> Admission {
        var admission = self
        let gone = earlier.filter { self[$0.name] == nil }.map { ClientManifest.absent($0.name, regions: $0.regions) }
        admission.manifests = ClientManifests(manifests.manifests + gone)
        return admission
    }

    /// The manifest with this name; nil where there is none.
    public subscript(name: String) -> ClientManifest? {
        manifests.manifests.index(named: name) { $0.name }.map { manifests.manifests[$0] }
    }
}
