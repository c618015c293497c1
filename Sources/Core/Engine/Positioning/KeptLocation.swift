internal import GNSS
internal import Monitors
internal import Parts
internal import SextantUnits

/// What the store keeps of the board's location, so that clients have a location after a restart or a power cut.
///
/// The record, little-endian: version (1 byte: 1), the fix as a `DeferredFix` (96); then, where clients with reduced
/// accuracy were told an estimate: that estimate in the same form (96), and when the next one is due, in nanoseconds
/// since 1970 (8).
struct KeptLocation {
    private static let version: UInt8 = 1

    /// The fix; its time is validated.
    let fix: Fix
    /// The last estimate that clients with reduced accuracy were told, and the time before which they get no other.
    let reduced: (fix: Fix, nextDue: UTCInstant)?

    /// - Returns: Nil where the fix has no position or no validated time: no location is kept whose age nobody can tell.
    init?(_ fix: Fix, reduced: (fix: Fix, nextDue: UTCInstant)?) {
        guard fix.hasPosition, fix.isTimeValidated, fix.time != nil else { return nil }
        self.fix = fix
        self.reduced = reduced
    }

    func encode() -> [UInt8] {
        var record = RecordWriter()
        record.write(KeptLocation.version)
        KeptLocation.append(fix, to: &record)
        if let reduced {
            KeptLocation.append(reduced.fix, to: &record)
            record.write(reduced.nextDue.nanoseconds)
        }
        return record.bytes
    }

    private static func append(_ fix: Fix, to record: inout RecordWriter) {
        let noOwner = DeferredKey(userID: nil, client: nil, label: "", session: 0)
        DeferredFix(fix, sequence: 0)?.encode(noOwner) { record.write($0) }
    }

    /// Reads a record; nil where it is damaged.
    static func decode(_ bytes: [UInt8]) -> KeptLocation? {
        var record = RecordReader(bytes.span)
        guard record.integer(UInt8.self) == version, let fix = takeFix(from: &record) else { return nil }
        guard !record.isAtEnd else { return KeptLocation(fix, reduced: nil) }
        guard let estimate = takeFix(from: &record), let due = record.integer(Int64.self), record.isAtEnd else {
            return nil
        }
        return KeptLocation(fix, reduced: (estimate, UTCInstant(nanoseconds: due)))
    }

    private static func takeFix(from record: inout RecordReader) -> Fix? {
        guard let bytes = record.raw(DeferredFix.byteCount) else { return nil }
        return DeferredFix.decode(Array(bytes).span)?.fix.fix
    }
}
