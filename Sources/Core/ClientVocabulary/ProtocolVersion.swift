/// The versions that a client can see.
public enum ProtocolVersion {
    /// The protocol's version, raised when an older client would misread a line; new members and events do not raise
    /// it.
    public static let current = 1
    /// The version of Sextant.
    public static let software = "0.1.0"
}
