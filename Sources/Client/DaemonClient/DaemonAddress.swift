internal import ClientVocabulary
internal import Glibc

/// The address at which the daemon listens.
public enum DaemonAddress {
    /// The socket's path: the given path; without one, the value of the environment variable `SEXTANT_SOCKET`; if that
    /// is unset or empty, the standard path.
    public static func path(_ given: String? = nil) -> String {
        if let given { return given }
        // Safety: the environment's text is copied before anything can change the environment.
        guard let named = unsafe getenv("SEXTANT_SOCKET").map({ unsafe String(cString: $0) }), !named.isEmpty else {
            return SocketPath.standard
        }
        return named
    }
}
