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
    /// True if these sentences began with the first sentence of a sky view or include a GSA.
    ///
    /// If they began with the rest of a view, they say nothing about the order, because a recording can begin within a
    /// view.
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
