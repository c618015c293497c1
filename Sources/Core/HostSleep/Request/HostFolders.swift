/// The files by which the daemon and the host-sleep helper exchange requests and answers.
///
/// Each program writes to its own folder in `/run`, which is empty after a boot; systemd creates both folders.
public struct HostFolders: Sendable {
    /// The daemon's folder, which systemd creates for the user sextant.
    public var daemon: String
    /// The helper's folder, which systemd creates for the user sextant-host.
    public var helper: String

    public init(daemon: String = "/run/sextant", helper: String = "/run/sextant-host") {
        self.daemon = daemon
        self.helper = helper
    }

    /// The file with the daemon's request to power the host off.
    public var request: String { daemon + "/host/request" }
    /// The file that names the host switch, whose alarm the shutdown hook clears if the owner powers the host off.
    public var hostSwitch: String { daemon + "/host/switch" }
    /// The file in which the helper, before asking logind to power off, keeps the daemon's request for the shutdown
    /// hook.
    public var kept: String { helper + "/kept" }
    /// The file with the helper's answer to the daemon's last request.
    public var answer: String { helper + "/answer" }
}
