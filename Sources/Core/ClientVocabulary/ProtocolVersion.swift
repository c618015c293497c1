/// The versions of the protocol and of Sextant, which the daemon tells its clients.
public enum ProtocolVersion {
    /// The protocol's version; it is raised if an older client would misread a line, but not for additional members or
    /// events.
    public static let current = 1
    /// The version of Sextant.
    public static let software = "0.1.0"
}
