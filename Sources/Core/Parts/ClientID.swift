/// A connected client's number, which is never used again while the daemon runs.
public struct ClientID: Sendable, Hashable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}
