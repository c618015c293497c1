public import SextantUnits

/// An instant so many seconds after boot.
public func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }
