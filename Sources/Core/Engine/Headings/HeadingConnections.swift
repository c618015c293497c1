internal import ClientProtocol
internal import Parts

/// The connections of the local socket, in the order in which they came, with their heading sessions.
struct HeadingConnections {
    private struct Connection {
        let id: ClientID
        var sessions: [HeadingSession] = []
        /// Whether the connection is sent every raw sample.
        var watchesSamples = false
    }

    private var all: [Connection] = []

    /// Nanoseconds from sample to sample, as the most demanding client needs; nil where no client wants headings.
    var period: Int64? {
        var period: Int64?
        for connection in all {
            if connection.watchesSamples { period = HeadingRate.period(forFilter: nil) }
            for session in connection.sessions {
                let wanted = HeadingRate.period(forFilter: session.settings.filter)
                period = min(period ?? wanted, wanted)
            }
        }
        return period
    }

    /// Whether any session asks the user to turn the device about.
    var isCalibrationShown: Bool { all.contains { $0.sessions.contains { $0.displaysCalibration } } }

    /// Whether any session receives headings, or any connection raw samples.
    var isWatched: Bool { all.contains { !$0.sessions.isEmpty || $0.watchesSamples } }

    var sampleWatchers: [ClientID] { all.filter { $0.watchesSamples }.map { $0.id } }

    mutating func add(_ id: ClientID) { all.append(Connection(id: id)) }

    mutating func remove(_ id: ClientID) { all.removeAll { $0.id == id } }

    func contains(_ id: ClientID) -> Bool { index(of: id) != nil }

    private func index(of id: ClientID) -> Int? { all.firstIndex { $0.id == id } }

    mutating func watchSamples(_ isWatching: Bool, of id: ClientID) {
        if let index = index(of: id) { all[index].watchesSamples = isWatching }
    }

    /// Begins a session's headings, or changes the settings of a session that runs already.
    ///
    /// - Returns: Whether the session's headings begin now.
    mutating func watch(_ settings: HeadingSettings, session number: UInt8, of id: ClientID) -> Bool {
        guard let index = index(of: id) else { return false }
        if change(number, of: id, { $0.change(to: settings) }) { return false }
        all[index].sessions.append(HeadingSession(settings, number: number))
        return true
    }

    /// Calls `change` with the session of this number on the connection.
    ///
    /// - Returns: Whether the connection has such a session.
    @discardableResult
    mutating func change(_ number: UInt8, of id: ClientID, _ change: (inout HeadingSession) -> Void) -> Bool {
        guard let index = index(of: id), let session = all[index].sessions.firstIndex(where: { $0.number == number })
        else { return false }
        change(&all[index].sessions[session])
        return true
    }

    /// Ends a session's headings and its request to calibrate; if `number` is nil, those of all the connection's
    /// sessions.
    mutating func end(session number: UInt8?, of id: ClientID) {
        guard let index = index(of: id) else { return }
        all[index].sessions.removeAll { number == nil || $0.number == number }
    }

    /// Calls `body` for each session of the connection `id`, or of all connections where `id` is nil.
    mutating func forEachSession(of id: ClientID? = nil, _ body: (ClientID, inout HeadingSession) -> Void) {
        for index in all.indices where id == nil || all[index].id == id {
            for session in all[index].sessions.indices { body(all[index].id, &all[index].sessions[session]) }
        }
    }
}
