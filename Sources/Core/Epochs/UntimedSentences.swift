internal import GNSS
internal import NMEA0183

/// The sentences without a time (GSA, VTG, HDT, PGRME) that came since the last sentence with a time.
///
/// They may end the epoch of that time or begin the next one, so their values wait here until it is known which.
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
    /// Whether a sky view began with its first sentence before anything else, or a GSA came.
    ///
    /// The rest of a view that began earlier says nothing of the order, where a recording begins within one.
    private(set) var beginsView = false

    mutating func add(_ active: GSA) {
        isEmpty = false
        beginsView = true
        // Systems without a satellite in use may say "no fix" beside one that says 3D.
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

    /// Adds to an epoch what concerns the vehicle and not the solution.
    func moveAttitude(to epoch: inout Epoch) {
        if epoch.fix.magneticVariation == nil { epoch.fix.magneticVariation = magneticVariation }
        guard let attitude else { return }
        var merged = epoch.attitude ?? Attitude()
        merged.merge(attitude)
        epoch.attitude = merged
        epoch.fix.heading = attitude.heading ?? epoch.fix.heading
    }
}

/// Learns whether a receiver sends the sentences that have no time behind those that have one, or before them.
///
/// A silence tells the order, and so does a GSA whose horizontal dilution is that of the GGA on one side alone. Until
/// then the order is taken from how the stream began: sentences without a time before the first one that has a time
/// lead every epoch.
struct UntimedOrder {
    /// The evidence on the order: positive for behind, negative for before.
    private var votes = 0
    private var beginsUntimed = false
    private var waiting: (sentences: UntimedSentences, agreesBefore: Bool?)?

    private static let mostVotes = 4
    /// The most by which two dilutions of one solution differ, which have the same digits.
    private static let tolerance = 0.005

    /// Whether sentences without a time end an epoch.
    var areTrailing: Bool { votes == 0 ? !beginsUntimed : votes > 0 }

    /// Notes how the stream began.
    mutating func began(with sentences: UntimedSentences) { beginsUntimed = sentences.beginsView }

    /// Notes that a silence came before sentences without a time, or behind them.
    mutating func silence(isBehind: Bool) { vote(isBehind ? 1 : -1) }

    /// Notes which sentences stand between an epoch and the next, whose dilution is not known yet.
    mutating func wait(_ sentences: UntimedSentences, behind evidence: borrowing NMEAEvidence) {
        waiting = sentences.isEmpty ? nil : (sentences, UntimedOrder.agree(sentences, evidence))
    }

    /// Compares the sentences that wait with the epoch behind them, which is whole now.
    mutating func compare(_ evidence: borrowing NMEAEvidence) {
        guard let (sentences, agreesBefore) = waiting else { return }
        waiting = nil
        guard let agreesBefore, let agreesAfter = UntimedOrder.agree(sentences, evidence), agreesBefore != agreesAfter
        else { return }
        vote(agreesBefore ? 1 : -1)
    }

    private mutating func vote(_ vote: Int) {
        votes = min(UntimedOrder.mostVotes, max(-UntimedOrder.mostVotes, votes + vote))
    }

    /// Whether a GSA may be of the same solution as an epoch's sentences; nil where nothing tells.
    private static func agree(_ sentences: UntimedSentences, _ evidence: borrowing NMEAEvidence) -> Bool? {
        if let own = sentences.horizontalDilution, let other = evidence.reportedDilution {
            return abs(own - other) < tolerance
        }
        guard let mode = sentences.activeMode, evidence.hasFixStatus else { return nil }
        return (mode == .noFix) == evidence.isVoid
    }
}
