internal import GNSS
internal import NMEA0183

/// Learns whether a receiver sends the sentences without a time after those with a time, or before them.
///
/// A silence, which separates epochs, shows the order, and so does a GSA whose horizontal dilution agrees with the GGA
/// of only one of the two neighbouring epochs. Before such evidence, the beginning of the stream decides: if it began
/// with sentences without a time, such sentences are taken to begin every epoch.
struct UntimedOrder {
    /// The evidence on where this receiver sends sentences without a time: positive for after those with a time,
    /// negative for before.
    private var votes = 0
    private var beginsUntimed = false
    /// Whether a message with a time came.
    private(set) var hasTimes = false
    /// Whether any silence came, and whether one came since the last message with a time.
    private var knowsSilences = false
    private var isAfterSilence = false
    private var waiting: (sentences: UntimedSentences, agreesBefore: Bool?)?

    private static let maximumVotes = 4
    /// Two dilutions of one solution, which have the same number of decimals, differ by less than this.
    private static let tolerance = 0.005

    /// Whether the sentences without a time come after those with a time, so that they end an epoch.
    var areTrailing: Bool { votes == 0 ? !beginsUntimed : votes > 0 }

    /// Whether an epoch can be closed at a sentence that has no time.
    var canEndEpoch: Bool { knowsSilences || areTrailing }

    /// Notes a message with a time, and the sentences without a time that came before it.
    ///
    /// - Parameter isFirst: Whether it is the first message with a time in its epoch.
    mutating func heardTime(after sentences: borrowing UntimedSentences, isFirst: Bool) {
        if !hasTimes { beginsUntimed = sentences.beginsView }
        hasTimes = true
        if isAfterSilence, isFirst, !sentences.isEmpty { vote(-1) }
        isAfterSilence = false
    }

    /// Notes that the receiver was silent between two messages.
    ///
    /// - Parameter isBehindUntimed: Whether the silence follows sentences without a time while an epoch with a solution
    ///   is open.
    mutating func silence(isBehindUntimed: Bool) {
        knowsSilences = true
        isAfterSilence = true
        if isBehindUntimed { vote(1) }
    }

    /// Keeps the sentences without a time that came between two epochs until the dilution of the second epoch is known.
    mutating func wait(_ sentences: UntimedSentences, behind evidence: borrowing NMEAEvidence) {
        waiting = sentences.isEmpty ? nil : (sentences, UntimedOrder.agree(sentences, evidence))
    }

    /// Compares the waiting sentences, which have no time, with the epoch after them, which is now complete.
    mutating func compare(_ evidence: borrowing NMEAEvidence) {
        guard let (sentences, agreesBefore) = waiting else { return }
        waiting = nil
        guard let agreesBefore, let agreesAfter = UntimedOrder.agree(sentences, evidence), agreesBefore != agreesAfter
        else { return }
        vote(agreesBefore ? 1 : -1)
    }

    private mutating func vote(_ vote: Int) {
        votes = min(UntimedOrder.maximumVotes, max(-UntimedOrder.maximumVotes, votes + vote))
    }

    /// Whether a GSA can be of the same solution as an epoch's sentences; nil where this cannot be decided.
    private static func agree(_ sentences: UntimedSentences, _ evidence: borrowing NMEAEvidence) -> Bool? {
        if let own = sentences.horizontalDilution, let other = evidence.reportedDilution {
            return abs(own - other) < tolerance
        }
        guard let mode = sentences.activeMode, evidence.hasFixStatus else { return nil }
        return (mode == .noFix) == evidence.isVoid
    }
}
