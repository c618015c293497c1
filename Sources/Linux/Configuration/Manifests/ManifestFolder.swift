public import Reactor
internal import Sessions
internal import Units

/// The operator's manifests and policy, read at the start and whenever they have changed, without polling.
///
/// A change is read when the files rest again (`FolderWatch`). What a symbolic link leads to is read, and not watched. A
/// class, because its handlers and its owner share it.
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

    /// Reads them; a folder or a policy that is missing is no problem, and heard of when it comes.
    public init(
        folder: String = standardFolder, policy: String = standardPolicy, accounts: Accounts = .system
    ) {
        self.folder = folder
        self.policy = policy
        self.accounts = accounts
        configuration = ClientConfiguration()
        read()
    }

    /// Calls `changed` whenever the files say something else than before, until the folder object goes.
    ///
    /// Reads once more, so that nothing is missed in between; `changed` may be called before it returns.
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
        // Watch first, look second: what happens in between is told again instead of missed.
        watch?.clear()
        read()
        if configuration != before { changed(configuration) }
    }

    private func read() {
        configuration = ManifestFolder.read(folder: folder, policy: policy, before: lastGoodPolicy, accounts: accounts)
        if configuration.policy != .unknown { lastGoodPolicy = configuration.policy }
    }
}
