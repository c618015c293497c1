public import HostSleep

/// The access to the host switch (the chip that cuts the board's supply and wakes the board), independent of how it is
/// driven.
///
/// All functions are called, and call back, on the reactor's thread.
public protocol HostPort: AnyObject {
    /// Queues an order, which is answered later with reports; returns false, without queuing it, if the queue is full.
    ///
    /// A full queue means that the host switch's bus hangs.
    func order(_ order: HostPortOrder) -> Bool

    /// Stops taking and answering orders; does not wait for an order that is being carried out.
    func close()
}

/// The answer to an order about the sleep of the host.
public struct HostPortAnswer: Sendable, Equatable {
    public var reports: [HostReport]
    /// A fault of the host switch or of the connection to it, in a sentence for people; nil if there is none.
    public var problem: String?
    /// The request that was passed to the helper `sextant-host`, whose answer to it will be the answer to the order;
    /// nil if the order needed no request.
    public var awaited: HostRequest?

    public init(_ reports: [HostReport] = [], problem: String? = nil, awaited: HostRequest? = nil) {
        self.reports = reports
        self.problem = problem
        self.awaited = awaited
    }
}

/// An order about the host.
public enum HostPortOrder: Sendable, Equatable {
    /// Clear what was set in the host switch before this boot, and report what woke the host; answered with `woke` and
    /// other reports.
    case begin
    case carryOut(HostOrder)
}
