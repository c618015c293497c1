public import Reactor
internal import Sessions
internal import Units

/// The operator's manifests and policy, read at the start and whenever they have changed, without polling.
///
/// A change is read half a second after the last of a row of them, 5 seconds after the first at the latest: an editor
/// that puts a file aside and writes another has not taken it away. What a symbolic link leads to is read, and not
/// watched. A class, because its handlers and its owner share it.
public final class ManifestFolder {
    public static let standardFolder = "/etc/sextant/clients.d"
    public static let standardPolicy = "/etc/sextant/policy.json5"

    /// What the files said when they were last read.
    public private(set) var configuration: ClientConfiguration

    private static let settlingNanoseconds: Int64 = 500_000_000
    private static let patienceNanoseconds: Int64 = 5_000_000_000

    private let folder: String
    private let policy: String
    private let accounts: Accounts
    private var lastGoodPolicy: OperatorPolicy?
    private var watching: Watching?

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
        let watching = Watching(
            directories: try DirectoryWatch(directories: [folder, DirectoryWatches.parent(of: policy)]),
            alarm: try Alarm(in: reactor) { [unowned self] in settled() },
            reactor: reactor, changed: changed)
        watching.registrations = [
            try reactor.register(watching.directories.descriptor, for: .read) { [unowned self] _ in noticed() }
        ]
        self.watching = watching
        reread()
    }

    private func noticed() {
        guard let watching else { return }
        watching.directories.clear()
        let now = Clock.now()
        let first = watching.firstChange ?? now
        watching.firstChange = first
        let settled = now.advanced(byNanoseconds: ManifestFolder.settlingNanoseconds)
        let latest = first.advanced(byNanoseconds: ManifestFolder.patienceNanoseconds)
        watching.alarm.set(at: min(settled, latest))
    }

    private func settled() {
        watching?.firstChange = nil
        reread()
    }

    private func reread() {
        let before = configuration
        // Watch first, look second: what happens in between is told again instead of missed.
        watching?.directories.clear()
        read()
        if configuration != before { watching?.changed(configuration) }
    }

    private func read() {
        configuration = ManifestFolder.read(folder: folder, policy: policy, before: lastGoodPolicy, accounts: accounts)
        if configuration.policy != .unknown { lastGoodPolicy = configuration.policy }
    }
}

/// The descriptors that tell of changes, and their places in the reactor.
private final class Watching {
    let directories: DirectoryWatch
    let alarm: Alarm
    let changed: (ClientConfiguration) -> Void
    /// The first change since the files were last read.
    var firstChange: MonotonicInstant?
    var registrations: [Registration] = []
    private let reactor: Reactor

    init(
        directories: DirectoryWatch, alarm: Alarm, reactor: Reactor,
        changed: @escaping (ClientConfiguration) -> Void
    ) {
        self.directories = directories
        self.alarm = alarm
        self.reactor = reactor
        self.changed = changed
    }

    deinit { for registration in registrations { reactor.remove(registration) } }
}
