public import HostSleep

/// The access to the switch of the host's supply, whatever drives it.
///
/// Everything is called, and calls back, on the reactor's thread.
public protocol HostPort: AnyObject {
    /// Queues an order, which is answered with reports; false, without queuing it, where the queue is full.
    ///
    /// A full queue means that the switch's bus hangs.
    func order(_ order: HostPortOrder) -> Bool

    /// Takes no more orders and answers none; an order under way ends by itself, and is not waited for.
    func close()
}

/// The answer to an order about the host.
public struct HostPortAnswer: Sendable, Equatable {
    public var reports: [HostReport]
    /// A fault of the switch or of the way to it, in a sentence for people; nil where there is none.
    public var problem: String?
    /// The request to the helper whose answer is the answer to the order; nil where this is the answer already.
    public var awaited: HostRequest?

    public init(_ reports: [HostReport] = [], problem: String? = nil, awaited: HostRequest? = nil) {
        self.reports = reports
        self.problem = problem
        self.awaited = awaited
    }
}

/// An order about the host.
public enum HostPortOrder: Sendable, Equatable {
    /// Take back what was set before this boot, and tell how it came; answered with `woke`, and what else is known.
    case begin
    case carryOut(HostOrder)
}
