/// One client's service sessions.
struct SessionHolder {
    let client: String
    var sessions: ServiceSessions
    /// Whether the client held an active background activity session when this was last reported to the daemon's other
    /// parts.
    var isBackgroundActive = false
}
