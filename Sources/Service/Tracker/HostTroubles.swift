public import Configuration
internal import Doctor
public import Logging

/// Logs faults of the host that hinder the daemon, in the words of `sextant doctor`.
///
/// Without these words, a console on the receiver's UART, a bus that is switched off, or an overlay that uses a GPIO
/// line would show only as missing data. The daemon does everything that works, and logs why the rest does not.
public enum HostTroubles {
    private static let checks = Check.allCases.filter(\.isSaidAtStart)

    /// Logs where the system's own files conflict with the daemon's settings, one conflict per line.
    ///
    /// - Parameter root: The root directory of the system to examine; `/` is the running system.
    public static func log(_ settings: TrackerSettings, root: String = "/", to logger: Logger) {
        let facts = HostFacts(files: RootedFiles(root: root), installation: Installation(settings), isStart: true)
        for finding in Examination(facts, checks).findings where finding.severity != .note {
            logger.warning("\(finding.line)")
        }
    }
}
