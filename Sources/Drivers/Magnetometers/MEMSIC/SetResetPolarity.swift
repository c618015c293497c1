/// The pulse, set or reset, after which the bridges measure in the direction of the package's drawing.
///
/// The wrong choice inverts the field, and turns every heading by 180°. Sources disagree for both of MEMSIC's chips, so
/// a board file can choose by the names of these cases.
public enum SetResetPolarity: String, Sendable, Hashable, CaseIterable {
    case afterSet
    case afterReset

    var aligning: CoilPulse { self == .afterSet ? .set : .reset }
    var reversing: CoilPulse { self == .afterSet ? .reset : .set }
}

/// A pulse through the coils, which magnetises the bridges in one direction (set) or the other (reset).
enum CoilPulse: Sendable {
    case set
    case reset
}
