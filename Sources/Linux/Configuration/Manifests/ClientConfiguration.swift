internal import JSON
public import Sessions

/// The operator's rules for the clients, and the files that were left out because they are wrong.
public struct ClientConfiguration: Sendable, Equatable {
    /// Why a file, or a whole folder, is not heard.
    public struct Problem: Sendable, Equatable {
        /// The client whose manifest it is; nil for the policy, a folder, or a file with no client's name.
        public var client: String?
        public var error: ConfigurationError

        public init(client: String?, error: ConfigurationError) {
            self.client = client
            self.error = error
        }
    }

    public var clients = ClientManifests([])
    public var policy = OperatorPolicy()
    /// One for each file that is wrong, by path.
    public var problems: [Problem] = []
    /// Whether the folder of the manifests was there and could be read.
    public var folderWasRead = false

    public init() {}

    /// Whether the operator took a client's manifest away, so that nothing is to be kept about it any longer.
    ///
    /// Not where its file is there and wrong, and not where the folder itself is missing, as that of a disk that is not
    /// mounted.
    public func hasLost(_ client: String) -> Bool {
        folderWasRead && !clients.manifests.contains { $0.name == client }
            && !problems.contains { $0.client == client }
    }
}

extension OperatorPolicy {
    /// The policy while the operator's own cannot be read: that may forbid anything, so no client gets anything.
    static let unknown = OperatorPolicy(others: Rule(authorization: .restricted, accuracy: .reduced, isFinal: true))
}
