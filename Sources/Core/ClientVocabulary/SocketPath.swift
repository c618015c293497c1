/// The path of the daemon's socket.
public enum SocketPath {
    /// The path at which the daemon listens unless its configuration or command line names another.
    public static let standard = "/run/sextant/sextant.sock"
}
