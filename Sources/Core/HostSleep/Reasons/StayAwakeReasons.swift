/// A set of reasons to keep the host on, stored without an allocation.
public struct StayAwakeReasons: Sendable, Equatable {
    private var bits: UInt64 = 0

    public init() {}

    public init(_ reasons: StayAwakeReason...) {
        for reason in reasons { insert(reason) }
    }

    public var isEmpty: Bool { bits == 0 }

    public func contains(_ reason: StayAwakeReason) -> Bool { bits & StayAwakeReasons.bit(of: reason) != 0 }

    public mutating func insert(_ reason: StayAwakeReason) { bits |= StayAwakeReasons.bit(of: reason) }

    public mutating func insert(_ reason: StayAwakeReason, where condition: Bool) {
        if condition { insert(reason) }
    }

    public mutating func formUnion(_ others: StayAwakeReasons) { bits |= others.bits }

    /// The reasons in the order of their declaration.
    public var all: [StayAwakeReason] { StayAwakeReasons.ordered.filter { contains($0) } }

    private static let ordered = StayAwakeReason.allCases

    private static func bit(of reason: StayAwakeReason) -> UInt64 {
        1 << UInt64(ordered.firstIndex(of: reason) ?? ordered.count)
    }
}
