internal import ClientVocabulary
public import Parts
public import SextantUnits

/// A fix without a position, which no event tells.
private struct NoPosition: Error {}

/// A significant change, so many metres north of 47° N 8° E.
public func significantChange(_ metres: Double) throws -> PendingEvent.Kind {
    guard let deferred = DeferredFix(fix(metres), sequence: 1) else { throw NoPosition() }
    return .significantChange(deferred)
}

/// An entry into a region.
public func region(_ identifier: String, at time: UTCInstant? = nil) -> PendingEvent.Kind {
    .region(
        .init(identifier: identifier, monitor: nil, kind: .enter, state: .inside, time: time, confirmed: time))
}
