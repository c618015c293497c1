/// The path of the daemon's socket.
public enum SocketPath {
    /// The path of the daemon's socket unless the daemon's configuration or command line names another.
    public static let standard = "/run/sextant/sextant.sock"
}
