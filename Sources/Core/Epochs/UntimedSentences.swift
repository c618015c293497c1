internal import GNSS
internal import NMEA0183

/// The sentences without a time (such as GSA, VTG, HDT, PGRME and PGRMZ) that came since the last sentence with a time.
///
/// They can end the epoch of that time or begin the next epoch, so their values wait here until it is known which epoch
/// it is.
struct UntimedSentences {
    private(set) var activeMode: GSA.Mode?
    private(set) var horizontalDilution: Double?
    private var positionDilution: Double?
    private var verticalDilution: Double?
    private var track: VTG?
    private(set) var attitude: Attitude?
    private var magneticVariation: Double?
    private var axisErrors: AxisErrors?
    private var altitude: PGRMZ?
    private(set) var isEmpty = true
    /// Whether these sentences began with the first sentence of a sky view, or include a GSA.
    ///
    /// The rest of a view that began earlier says nothing about the order: a recording can begin within a view.
    private(set) var beginsView = false

    mutating func add(_ active: GSA) {
        isEmpty = false
        beginsView = true
        // The highest mode is kept, because the GSA of a constellation without a used satellite can say "no fix" while
        // that of another constellation says 3D.
        if let mode = active.mode, mode.rawValue > (activeMode?.rawValue ?? 0) { activeMode = mode }
        if let value = active.positionDilution { positionDilution = value }
        if let value = active.horizontalDilution { horizontalDilution = value }
        if let value = active.verticalDilution { verticalDilution = value }
    }

    mutating func add(_ view: GSV) {
        if isEmpty, view.sentenceNumber == 1 { beginsView = true }
        isEmpty = false
    }

    mutating func add(_ motion: VTG) {
        isEmpty = false
        if track == nil, motion.mode != .notValid { track = motion }
    }

    mutating func add(_ sentence: AttitudeSentence) {
        isEmpty = false
        magneticVariation = sentence.magneticVariation ?? magneticVariation
        guard sentence.attitude != Attitude() else { return }
        var merged = attitude ?? Attitude()
        merged.merge(sentence.attitude)
        attitude = merged
    }

    mutating func add(_ errors: AxisErrors) {
        isEmpty = false
        axisErrors = errors
    }

    mutating func add(_ height: PGRMZ) {
        isEmpty = false
        altitude = height
    }

    /// Adds the waiting values to an epoch, and forgets them.
    mutating func move(to evidence: inout NMEAEvidence, _ epoch: inout Epoch) {
        evidence.add(
            activeMode, position: positionDilution, horizontal: horizontalDilution, vertical: verticalDilution,
            to: &epoch.fix)
        if let track { evidence.add(track, to: &epoch.fix) }
        if let altitude { evidence.add(altitude, to: &epoch.fix) }
        if let axisErrors { epoch.axisErrors = axisErrors }
        moveAttitude(to: &epoch)
        self = UntimedSentences()
    }

    /// Adds the vehicle's attitude and the magnetic variation to an epoch.
    func moveAttitude(to epoch: inout Epoch) {
        if epoch.fix.magneticVariation == nil { epoch.fix.magneticVariation = magneticVariation }
        guard let attitude else { return }
        var merged = epoch.attitude ?? Attitude()
        merged.merge(attitude)
        epoch.attitude = merged
        epoch.fix.heading = attitude.heading ?? epoch.fix.heading
    }
}

/// Learns whether a receiver sends the sentences without a time after those with a time, or before them.
///
/// A silence shows the order, and so does a GSA whose horizontal dilution agrees with the GGA of only one of the two
/// neighbouring epochs. Before such evidence, the beginning of the stream decides: if it began with sentences without a
/// time, such sentences are taken to begin every epoch.
struct UntimedOrder {
    /// The evidence on where this receiver sends sentences without a time: positive for after those with a time,
    /// negative for before.
    private var votes = 0
    private var beginsUntimed = false
    private var waiting: (sentences: UntimedSentences, agreesBefore: Bool?)?

    private static let maximumVotes = 4
    /// Two dilutions of one solution, which have the same number of decimals, differ by less than this.
    private static let tolerance = 0.005

    /// Whether sentences without a time end an epoch.
    var areTrailing: Bool { votes == 0 ? !beginsUntimed : votes > 0 }

    /// Notes how the stream began.
    mutating func began(with sentences: UntimedSentences) { beginsUntimed = sentences.beginsView }

    /// Notes that a silence came before sentences without a time, or after them.
    mutating func silence(isBehind: Bool) { vote(isBehind ? 1 : -1) }

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
