public import Parts

/// The rules about which processes are served as which client: the clients' manifests, and the operator's policy.
public struct Admission: Sendable, Equatable {
    public var manifests: ClientManifests
    public var policy: OperatorPolicy
    /// The names of clients whose manifests exist but cannot be read, sorted; these clients are not served, but what is
    /// stored about them is kept.
    public var unreadable: [String] = []
    /// Whether the list of all manifests could be read; while it cannot be read, no client's stored data are deleted.
    public var isComplete = true
    /// Where the policy comes from.
    public var policySource = PolicySource.file
    /// Whether every process counts as one client with all rights, as in a program that contains its own daemon, or on
    /// a test bench.
    public let admitsEveryone: Bool

    /// Where the operator's policy comes from; raw values are recorded, so they never change.
    public enum PolicySource: UInt8, Sendable {
        /// The operator's file, as it is now or, if it cannot be read now, as it last was.
        case file = 0
        /// There is no policy file; only the denials that the last file made are known and apply.
        case missing = 1
        /// The policy file cannot be read and was never read, so nothing is allowed.
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

    /// Whether the deferred fixes with this key (client, user and session) may belong to a client of these manifests,
    /// and so must be kept.
    public func mayHave(_ key: DeferredKey) -> Bool {
        !isComplete || manifests.contains { !$0.isAbsent && key.isOf($0.name) }
            || unreadable.contains { key.isOf($0) }
    }

    /// The name of the client that stands for unknown programs at the gpsd port, such as those on another host.
    public static let gpsdClient = "gpsd"

    /// The client to which a process belongs; nil if no manifest matches the process, or if its identity is unknown.
    public func client(for identity: PeerIdentity?) -> ClientManifest? {
        if admitsEveryone { return everyone }
        return identity.flatMap { manifests.client(for: $0) }
    }

    /// Whether a process has an operator's rights: as root, as the daemon's user, or by its client's manifest.
    ///
    /// - Parameter daemonUser: The user as which the daemon runs; nil if the user is not known.
    public func isOperator(_ identity: PeerIdentity?, daemonUser: UInt32?) -> Bool {
        if client(for: identity)?.isOperator == true { return true }
        return identity.map { $0.userID == 0 || $0.userID == daemonUser } ?? false
    }

    /// The clients to which a connection of the gpsd port can belong, each once; an element is nil for a process
    /// without a manifest.
    ///
    /// - Parameter identities: The processes of this board that can have made the connection. If the list is empty, no
    ///   process is known, and the connection belongs to the client `gpsd`.
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

    private var everyone: ClientManifest? { manifests.first { !$0.isAbsent } }

    /// The manifest of the client with this name; nil if no client has this name, or if the manifest's file is gone.
    public func present(_ name: String) -> ClientManifest? { self[name].flatMap { $0.isAbsent ? nil : $0 } }

    /// A copy of these rules with the given earlier clients added as absent (their manifests are missing), except those
    /// that these rules contain.
    public func remembering(_ earlier: some Sequence<ClientManifest>) -> Admission {
        var admission = self
        let gone = earlier.filter { self[$0.name] == nil }.map { ClientManifest.absent($0.name, regions: $0.regions) }
        admission.manifests = ClientManifests(manifests + gone)
        return admission
    }

    /// The manifest of the client with this name, or the stand-in for its missing manifest; nil if no client has this
    /// name.
    public subscript(name: String) -> ClientManifest? { manifests[name] }
}
