internal import Access
public import SextantReactor

/// The operator's manifests and policy, read at the start and whenever they change, without polling.
///
/// A change is read once the files have been quiet for a moment (`FolderWatch`). The target of a symbolic link is read
/// but not watched. A class, because its handlers and its owner share it.
public final class ManifestFolder {
    public static let standardFolder = "/etc/sextant/clients.d"
    public static let standardPolicy = "/etc/sextant/policy.json5"

    /// The content of the files when they were last read.
    public private(set) var configuration: ClientConfiguration

    private let folder: String
    private let policy: String
    private let accounts: Accounts
    private var lastGoodPolicy: OperatorPolicy?
    private var watch: FolderWatch?
    private var changed: (ClientConfiguration) -> Void = { _ in }

    /// Reads the manifests and the policy; a missing folder or policy is no error, and is read when it appears.
    public init(
        folder: String = standardFolder, policy: String = standardPolicy, accounts: Accounts = .system
    ) {
        self.folder = folder
        self.policy = policy
        self.accounts = accounts
        configuration = ClientConfiguration()
        read()
    }

    /// Calls `changed` whenever the files' content has changed, as long as this object lives.
    ///
    /// The files are read again, so that no change since `init` is missed; `changed` can therefore be called before
    /// this function returns.
    public func watch(
        in reactor: Reactor, changed: @escaping (ClientConfiguration) -> Void
    ) throws(SystemError) {
        self.changed = changed
        watch = try FolderWatch([folder, DirectoryWatches.parent(of: policy)], in: reactor) { [unowned self] in
            reread()
        }
        reread()
    }

    private func reread() {
        let before = configuration
        // The watch is cleared before reading, so that a change in between causes another reading and is not missed.
        watch?.clear()
        read()
        if configuration != before { changed(configuration) }
    }

    private func read() {
        configuration = ManifestFolder.read(folder: folder, policy: policy, before: lastGoodPolicy, accounts: accounts)
        switch configuration.policySource {
        case .file: lastGoodPolicy = configuration.policy
        // The permissions of a removed policy end here: if an unreadable policy follows, they do not apply again.
        case .missing: lastGoodPolicy = nil
        case .unreadable: break
        }
    }
}
