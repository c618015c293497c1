internal import Access
public import SextantReactor

/// The operator's manifests and policy, read at the start and whenever they change, without polling.
///
/// After a change, the files are read once no further change has followed for a moment (`FolderWatch`). The target of a
/// symbolic link is read but not watched. A class, because its handlers and its owner share it.
public final class ManifestFolder {
    public static let standardFolder = "/etc/sextant/clients.d"
    public static let standardPolicy = "/etc/sextant/policy.json5"

    /// What the files said when they were last read.
    public private(set) var configuration: ClientConfiguration

    private let folder: String
    private let policy: String
    private let accounts: Accounts
    private var lastGoodPolicy: OperatorPolicy?
    private var watch: FolderWatch?
    private var changed: (ClientConfiguration) -> Void = { _ in }

    /// Reads the manifests and the policy; if the folder or the policy is missing, that is no error, and it is read
    /// once it exists.
    public init(
        folder: String = standardFolder, policy: String = standardPolicy, accounts: Accounts = .system
    ) {
        self.folder = folder
        self.policy = policy
        self.accounts = accounts
        configuration = ClientConfiguration()
        read()
    }

    /// Calls `changed` whenever the content of the files has changed, as long as this object lives.
    ///
    /// The files are read again at once, so that no change since `init` is missed; `changed` can therefore be called
    /// before this function returns.
    public func watch(
        in reactor: Reactor, changed: @escaping (ClientConfiguration) -> Void
    ) throws(SystemError) {
        self.changed = changed
        watch = try FolderWatch([folder, InotifyWatches.parent(of: policy)], in: reactor) { [unowned self] in
            reread()
        }
        reread()
    }

    private func reread() {
        let before = configuration
        // The waiting notifications of changes are discarded before the files are read, so that a change during the
        // reading causes another reading.
        watch?.clear()
        read()
        if configuration != before { changed(configuration) }
    }

    private func read() {
        configuration = ManifestFolder.read(folder: folder, policy: policy, before: lastGoodPolicy, accounts: accounts)
        switch configuration.policySource {
        case .file: lastGoodPolicy = configuration.policy
        // With the policy's removal its permissions end: they do not apply again if an unreadable policy appears later.
        case .missing: lastGoodPolicy = nil
        case .unreadable: break
        }
    }
}
