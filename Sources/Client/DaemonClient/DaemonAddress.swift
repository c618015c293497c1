internal import ClientVocabulary
internal import Glibc

/// The address of the daemon's local socket.
public enum DaemonAddress {
    /// The path of the daemon's socket: the given path; if none is given, the value of the environment variable
    /// `SEXTANT_SOCKET`; if the variable is unset or empty, the standard path.
    public static func path(_ given: String? = nil) -> String {
        if let given { return given }
        // Safety: the variable's text is copied before anything can change the environment.
        guard let named = unsafe getenv("SEXTANT_SOCKET").map({ unsafe String(cString: $0) }), !named.isEmpty else {
            return SocketPath.standard
        }
        return named
    }
}
