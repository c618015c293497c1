internal import Receivers
internal import SextantUnits

/// The kinds of sleep that the receiver was told to enter and did not.
///
/// One refusal may be chance. After two in a row, a kind of sleep is not used for an hour.
struct SleepRefusals: Sendable, Equatable {
    private var inARow = InlineArray<4, Int>(repeating: 0)
    private var excludedUntil = InlineArray<4, MonotonicInstant?>(repeating: nil)

    /// Refusals in a row after which a kind of sleep is not used for some time.
    private static let refusalsUntilExclusion = 2
    /// Seconds for which a refused kind of sleep is not used.
    private static let exclusion = 3600.0

    mutating func note(_ kind: SleepKind, at now: MonotonicInstant) {
        let index = Int(kind.rawValue)
        inARow[index] += 1
        guard inARow[index] >= SleepRefusals.refusalsUntilExclusion else { return }
        inARow[index] = 0
        excludedUntil[index] = now.advanced(bySeconds: SleepRefusals.exclusion)
    }

    mutating func clear(_ kind: SleepKind) {
        inARow[Int(kind.rawValue)] = 0
        excludedUntil[Int(kind.rawValue)] = nil
    }

    func isExcluded(_ kind: SleepKind, at now: MonotonicInstant) -> Bool {
        excludedUntil[Int(kind.rawValue)].map { $0 > now } ?? false
    }

    /// The first instant at which one of `kinds`, except cyclic, can be tried again; nil where none is excluded.
    func end(of kinds: Set<SleepKind>, at now: MonotonicInstant) -> MonotonicInstant? {
        kinds.compactMap { $0 == .cyclic ? nil : excludedUntil[Int($0.rawValue)] }.filter { $0 > now }.min()
    }

    static func == (left: SleepRefusals, right: SleepRefusals) -> Bool {
        for index in left.inARow.indices
        where left.inARow[index] != right.inARow[index] || left.excludedUntil[index] != right.excludedUntil[index] {
            return false
        }
        return true
    }
}
