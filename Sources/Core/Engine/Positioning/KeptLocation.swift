internal import GNSS
internal import Parts
internal import SextantUnits

/// The stored last location of the board, so that clients have a location after a restart or a power cut.
///
/// The record, little-endian: version (1 byte: 1), the fix as a `DeferredFix` (96 bytes); then, where an estimate was
/// sent to clients with reduced accuracy, that estimate in the same form (96 bytes), and when the next estimate is due,
/// in nanoseconds since 1970 (8 bytes).
struct KeptLocation: Recorded {
    /// The stored fix, whose time the receiver has validated.
    private(set) var fix: Fix
    /// The last estimate for clients with reduced accuracy, and when the next one is due.
    private(set) var reduced: (fix: Fix, nextDue: UTCInstant)?

    static var blank: KeptLocation { KeptLocation() }

    private init() { fix = Fix() }

    /// - Returns: Nil where the fix has no position or no validated time: a location of unknown age is not kept.
    init?(_ fix: Fix, reduced: (fix: Fix, nextDue: UTCInstant)?) {
        guard KeptLocation.hasAge(fix) else { return nil }
        self.fix = fix
        self.reduced = reduced
    }

    private static func hasAge(_ fix: Fix) -> Bool { fix.hasPosition && fix.isTimeValidated && fix.time != nil }

    mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.version(1)
        try KeptLocation.code(&fix, &record)
        try record.check(KeptLocation.hasAge(fix))
        guard record.hasMore(reduced != nil) else { return }
        var (estimate, due) = reduced ?? (Fix(), .blank)
        try KeptLocation.code(&estimate, &record)
        try due.code(&record)
        reduced = (estimate, due)
    }

    private static func code(_ fix: inout Fix, _ record: inout RecordFields) throws(DamagedRecord) {
        var known = DeferredFix(fix, sequence: 0)
        try record.code(&known)
        fix = known?.fix ?? fix
    }
}
