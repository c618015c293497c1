/// Who is served, and on what terms.
public struct Admission: Sendable, Equatable {
    public var manifests: ClientManifests
    public var policy: OperatorPolicy
    /// Clients whose manifests are there and cannot be read, sorted: they are not served, and not forgotten.
    public var unreadable: [String] = []
    /// Whether the manifests could be read at all; where not, nobody is forgotten.
    public var isComplete = true
    /// Whether every process is one client that may do everything: where the program is its own daemon, and on a bench.
    public let admitsEveryone: Bool

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

    /// No manifest is asked for.
    public static let everyone: Admission = {
        var manifest = ClientManifest(name: "everyone", selector: ClientSelector())
        manifest.purposes = PurposeStrings(whenInUse: "to say where it is", always: "to say where it is")
        manifest.backgroundMode = true
        manifest.isOperator = true
        return Admission(everyone: manifest)
    }()

    /// Nobody has a manifest.
    public static let nobody = Admission(manifests: ClientManifests([]), policy: OperatorPolicy())

    /// Whether nothing is known of what a client may have, because its manifest cannot be read.
    public func isUnreadable(_ client: String) -> Bool {
        guard !client.isEmpty, self[client] == nil else { return false }
        return !isComplete || unreadable.contains(client)
    }

    /// Whether what is held back under a key may still be somebody's.
    public func mayHave(_ key: DeferredKey) -> Bool {
        !isComplete || manifests.manifests.contains { key.isOf($0.name) } || unreadable.contains { key.isOf($0) }
    }

    /// The client of the gpsd port, however many use it.
    public static let gpsdClient = "gpsd"

    /// The client that a process is; nil where no manifest speaks of it, or nothing is known of it.
    public func client(for identity: PeerIdentity?) -> ClientManifest? {
        if admitsEveryone { return manifests.manifests.first }
        return identity.flatMap { manifests.client(for: $0) }
    }

    /// The client that all users of the gpsd port are.
    public var gpsd: ClientManifest? { admitsEveryone ? manifests.manifests.first : self[Admission.gpsdClient] }

    /// The manifest of this name.
    public subscript(name: String) -> ClientManifest? { manifests.manifests.first { $0.name == name } }
}
