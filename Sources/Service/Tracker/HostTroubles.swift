internal import Doctor
public import Logging

/// What is wrong beside the daemon, in the words of `sextant doctor`.
///
/// A console on the receiver's UART, a bus that is switched off or an overlay on a line shows as silence only; the daemon
/// serves what works, and says why the rest does not.
public enum HostTroubles {
    private static let checks = Check.allCases.filter(\.isSaidAtStart)

    /// Logs what the host's own files say against these settings, a line each.
    ///
    /// - Parameter root: Where the system is; `/` is this one.
    public static func log(_ settings: TrackerSettings, root: String = "/", to logger: Logger) {
        let facts = HostFacts(files: RootedFiles(root: root), installation: Installation(settings))
        for finding in Examination(facts, checks).findings where finding.severity != .note {
            logger.warning("\(finding.line)")
        }
    }
}
