internal import Foundation

/// Where the daemon listens.
enum DaemonAddress {
    private static let usual = "/run/sextant/sextant.sock"

    /// The socket's path: what `SEXTANT_SOCKET` says, else the usual one.
    static func path(_ environment: [String: String]) -> String {
        guard let path = environment["SEXTANT_SOCKET"], !path.isEmpty else { return usual }
        return path
    }
}
