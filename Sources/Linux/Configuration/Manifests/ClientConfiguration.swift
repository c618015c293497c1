public import Access

/// The operator's rules for the clients, and the files that were left out because they are wrong.
public struct ClientConfiguration: Sendable, Equatable {
    /// Why a file, or a whole folder, is ignored.
    public struct Problem: Sendable, Equatable {
        /// The client whose manifest has the problem; nil for the policy, a folder, or a file without a client's name.
        public var client: String?
        public var error: ConfigurationError

        /// The most characters of a problem that are kept.
        private static let longest = 500

        public init(client: String?, error: ConfigurationError) {
            self.client = client
            self.error = error
            // A file that is wrong may be of one long word.
            guard error.description.utf8.count > Problem.longest else { return }
            self.error.description = String(error.description.prefix(Problem.longest)) + "…"
        }
    }

    public var clients = ClientManifests([])
    public var policy = OperatorPolicy()
    public var policySource = Admission.PolicySource.missing
    /// One problem for each file or folder that cannot be used.
    public var problems: [Problem] = []
    /// Whether the folder of the manifests was there and could be read.
    public var folderWasRead = false
    /// The clients for which the geocoder asks no server.
    public var localGeocoding: [String] = []

    public init() {}

    /// Whether no server may be asked for a process: a manifest that may be its own says so, or one that is wrong or
    /// cannot be read may say it.
    ///
    /// A folder that is missing holds no wish.
    public func geocodesLocally(_ identity: PeerIdentity) -> Bool {
        !problems.isEmpty || clients.candidates(for: identity).contains { localGeocoding.contains($0.name) }
    }

    /// Whether the operator removed a client's manifest, so that nothing is to be kept about the client any longer.
    ///
    /// False where the client's file exists but is wrong, and where the folder itself is missing, as on a disk that is
    /// not mounted.
    public func hasLost(_ client: String) -> Bool {
        folderWasRead && !clients.manifests.contains { $0.name == client }
            && !problems.contains { $0.client == client }
    }

    /// The names for which the policy has a rule, and which no manifest has.
    public var rulesWithoutClient: [String] { policy.rules.keys.filter(hasLost).sorted() }
}

extension OperatorPolicy {
    /// The policy while the operator's file cannot be read: that file may forbid anything, so no client gets anything.
    static let unknown = OperatorPolicy(others: Rule(authorization: .restricted, accuracy: .reduced, isFinal: true))
}
