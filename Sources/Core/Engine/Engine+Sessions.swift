internal import ClientProtocol
internal import Sessions
internal import Units

extension Engine {
    mutating func hold(_ goal: SessionGoal, number: UInt32, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs) {}
    mutating func release(number: UInt32, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs) {}
    mutating func leaveSessions(clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs) {}
    mutating func settleSessions(at instant: MonotonicInstant, into outputs: inout Outputs) {}
    var sessionsDeadline: MonotonicInstant? { nil }
    func liveFlags(at place: SessionPlace) -> [StaticString] { [] }
    mutating func settleLive(clientAt client: Int, into outputs: inout Outputs) {}
    func holdsBackgroundActivity(clientAt client: Int) -> Bool { false }
    mutating func restoreSession(_ row: DurableRow) -> Bool { true }
}
