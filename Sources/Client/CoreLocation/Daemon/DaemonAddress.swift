internal import Foundation

/// The address at which the daemon listens.
enum DaemonAddress {
    private static let usual = "/run/sextant/sextant.sock"

    /// The socket's path: the value of `SEXTANT_SOCKET` if set, else the default path.
    static func path(_ environment: [String: String]) -> String {
        guard let path = environment["SEXTANT_SOCKET"], !path.isEmpty else { return usual }
        return path
    }
}
