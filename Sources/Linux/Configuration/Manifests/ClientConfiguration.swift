public import Access
internal import ClientVocabulary

/// The operator's manifests and policy for the clients, and the problems of those files that are wrong and therefore
/// ignored.
public struct ClientConfiguration: Sendable, Equatable {
    /// Why a file of the operator's, or the whole folder of manifests, is ignored.
    public struct Problem: Sendable, Equatable {
        /// The client whose manifest has the problem; nil if the problem is the policy's, a folder's, or that of a file
        /// with no valid client name.
        public var client: String?
        public var error: ConfigurationError

        /// The largest number of characters of a problem's description; the rest is cut off.
        private static let longest = 500

        public init(client: String?, error: ConfigurationError) {
            self.client = client
            self.error = error
            // The error's text quotes a wrong word of the file, and this word can be as long as the file.
            guard error.description.utf8.count > Problem.longest else { return }
            self.error.description = String(error.description.prefix(Problem.longest)) + "…"
        }
    }

    public var clients = ClientManifests([])
    public var policy = OperatorPolicy()
    public var policySource = Admission.PolicySource.missing
    /// One problem for each file or folder that cannot be used.
    public var problems: [Problem] = []
    /// Whether the folder of the manifests existed and could be read.
    public var folderWasRead = false
    /// The names of the clients for whose requests the geocoder asks no server on the network.
    public var localGeocoding: [String] = []

    public init() {}

    /// Whether the geocoder must answer a process from the local tables, without a server on the network.
    ///
    /// True if a manifest that could be the process's own says so. Also true if any file is wrong or unreadable,
    /// because it could say so. A missing folder of manifests forbids nothing.
    public func geocodesLocally(_ identity: PeerIdentity) -> Bool {
        !problems.isEmpty || clients.candidates(for: identity).contains { localGeocoding.contains($0.name) }
    }

    /// Whether the operator removed a client's manifest, so that no data about the client may be kept any longer.
    ///
    /// False if the client's file exists but is wrong; false also if the folder of manifests is missing, as on a disk
    /// that is not mounted.
    public func hasLost(_ client: String) -> Bool {
        folderWasRead && !clients.contains { $0.name == client }
            && !problems.contains { $0.client == client }
    }

    /// The client names that have a rule in the policy but no manifest.
    public var rulesWithoutClient: [String] { policy.rules.keys.filter(hasLost).sorted() }
}

extension OperatorPolicy {
    /// The policy that applies while the operator's policy cannot be read: the file could forbid anything, so no client
    /// gets a location.
    static let unknown = OperatorPolicy(others: Rule(authorization: .restricted, accuracy: .reduced, isFinal: true))
}
