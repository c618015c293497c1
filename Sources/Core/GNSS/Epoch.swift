public import SextantUnits

/// The contents of all messages of one navigation solution.
public struct Epoch: Sendable {
    public var fix = Fix()
    public var errors: ErrorStatistics?
    public var axisErrors: AxisErrors?
    public var attitude: Attitude?
    /// Whether the receiver sent date and time in a sentence of their own (ZDA), with or without a fix.
    public var hasToldTime = false
    /// Whether the receiver says that the whole seconds are certain (UBX `fullyResolved`); nil where it sends no such
    /// flag.
    public var isTimeResolved: Bool?
    /// The receiver's report about leap seconds (UBX NAV-TIMELS); nil where it sent none.
    public var leap: LeapKnowledge?
    /// Whether the receiver's positions are in another datum than WGS 84 (DTM), so that the fix has no position.
    public var isInForeignDatum = false
    /// The sky view, with an entry for each satellite or each of its signals; empty where the epoch carried none.
    public var satellites: [Satellite] = []
    /// Whether the epoch carried a complete sky view.
    public var hasSky = false
    /// The dilutions of precision that the receiver had last sent when its sky view became complete; nil where they
    /// equal the fix's dilutions.
    ///
    /// They are empty, or those of the previous epoch, if the receiver sends its dilutions after the sky view.
    public var skyDilution: DilutionOfPrecision?
    /// When the epoch's first byte arrived, by the host's clock since boot; `lastByte` is when its last byte arrived.
    public var firstByte = MonotonicInstant.zero
    public var lastByte = MonotonicInstant.zero

    public init() {}

    /// Moves the contents to `other`, and takes over the array storage of `other` for the next epoch.
    public mutating func moveAndClear(into other: inout Epoch) {
        other.fix = fix
        other.errors = errors
        other.axisErrors = axisErrors
        other.attitude = attitude
        other.hasToldTime = hasToldTime
        other.isTimeResolved = isTimeResolved
        other.leap = leap
        other.isInForeignDatum = isInForeignDatum
        swap(&other.satellites, &satellites)
        other.hasSky = hasSky
        other.skyDilution = skyDilution
        other.firstByte = firstByte
        other.lastByte = lastByte
        clear()
    }

    /// Removes all contents but keeps the array storage, so that epoch after epoch can be filled without allocating
    /// memory.
    public mutating func clear() {
        fix = Fix()
        errors = nil
        axisErrors = nil
        attitude = nil
        hasToldTime = false
        isTimeResolved = nil
        leap = nil
        isInForeignDatum = false
        satellites.removeAll(keepingCapacity: true)
        hasSky = false
        skyDilution = nil
        firstByte = .zero
        lastByte = .zero
    }

    /// Copies the contents of `other` into this epoch's own array storage, so that no memory is allocated.
    public mutating func assign(_ other: Epoch) {
        fix = other.fix
        errors = other.errors
        axisErrors = other.axisErrors
        attitude = other.attitude
        hasToldTime = other.hasToldTime
        isTimeResolved = other.isTimeResolved
        leap = other.leap
        isInForeignDatum = other.isInForeignDatum
        satellites.removeAll(keepingCapacity: true)
        satellites.append(contentsOf: other.satellites)
        hasSky = other.hasSky
        skyDilution = other.skyDilution
        firstByte = other.firstByte
        lastByte = other.lastByte
    }
}
