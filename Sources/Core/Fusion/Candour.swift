internal import Units

/// What to tell of the estimate's variance, so that it holds what it promises.
///
/// The estimate takes every change of the error within half a minute for the beginning of a slow wander: that makes it
/// careful, and keeps it smooth. But in a street canyon the error changes with each block of houses and averages out,
/// and the estimate would tell thrice the variance that it has. So what lies beyond the receiver's own claim counts only
/// where it is so much that the claim must be a lie. At rest what remains of the slow error is what the mean of an
/// Ornstein-Uhlenbeck process has after so long. The figures are measured on simulated drives, and hold within bounds.
struct Candour: Sendable {
    /// The slow error that the estimate expects.
    var slow: SlowError
    /// Its variance by the fixes of the last seconds; m².
    var recent: Double
    /// The variance of the last fix's noise; m².
    var noise: Double
    var hearsDoppler: Bool
    /// Seconds between the last fixes, or since the last one where that is longer.
    var pace: Double
    /// How likely it is that the board rests, and for how long it does; seconds.
    var restWeight: Double
    var rested: Double

    /// The variance of the position on an axis; m².
    ///
    /// - Parameters:
    ///   - position: What the estimate expects, without the slow error that moved it unseen; m².
    ///   - unseen: The variance of that; m².
    func variance(position: Double, unseen: Double) -> Double {
        let honest = max(slow.variance * believed, hearsDoppler ? (1 - sureness) * slow.expected : 0)
        let hidden = unseen * min(1, believed * max(Candour.leastRecent, recent / slow.variance))
        let moving = hearsDoppler ? moved * honest : 0
        let least = moving + restWeight * (standing * honest - moving)
        return max(position * credit + hidden, least)
    }

    /// The part of the position's variance that is true.
    ///
    /// Noise averages out better than the estimate allows for where the Doppler shift tells the way at a fix a second;
    /// with fewer fixes it is less, and through a gap all is. At rest the error averages out sooner than it expects
    /// where the fixes show that it wanders fast.
    private var credit: Double {
        let evenness = noise / (noise + slow.variance)
        let settled = min(1, haste / slow.persistence) * (hearsDoppler ? moved / Candour.stubborn : 1)
        let resting = (1 - Candour.evenedAtRest * evenness) * settled * believed
        return moving(evenness) + restWeight * (resting - moving(evenness))
    }

    /// The credit of a moving board.
    ///
    /// - Parameter evenness: The part of its noise in the error of a fix.
    private func moving(_ evenness: Double) -> Double {
        guard hearsDoppler else { return 1 }
        let dense = 1 - min(1, max(0, (pace - 1) / Candour.sparseness))
        let steady = (1 - Candour.evened * evenness) * believed * moved / Candour.stubborn
        return dense * steady + (1 - dense) / slow.overreach
    }

    /// Seconds in which the slow error is forgotten, as far as the Doppler shift bears it out.
    private var haste: Double { hearsDoppler ? slow.haste : slow.persistence }

    /// The slow error's variance in the claimed one.
    private var excess: Double { slow.variance / max(1e-9, slow.overreach * slow.claimed) }

    /// How much of a variance beyond the claim is taken for a lie of the claim, not for haste of the error: 0 to 1.
    private var lie: Double { min(1, max(0, (excess - Candour.hasty) / (Candour.lying - Candour.hasty))) }

    /// How well the slow error's variance can have been learned, against what the Doppler shift itself is off by.
    ///
    /// As far as it cannot, the claim is believed.
    private var sureness: Double { slow.variance / (slow.variance + Candour.unsure) }

    /// The part of the slow error's variance that is believed.
    private var believed: Double {
        guard hearsDoppler else { return 1 }
        guard excess > 1 else { return 1 / slow.overreach }
        return (1 - sureness * (1 - (1 + lie * (excess - 1)) / excess)) / slow.overreach
    }

    /// The part of the slow error that stays with a moving board whose Doppler shift is heard.
    private var moved: Double {
        let lively = sureness * min(1, max(0, 2 * (excess - 1))) * (1 - lie)
        return Candour.stubborn + lively * (Candour.light - Candour.stubborn)
    }

    /// The part of the slow error that stays with a resting board: what its mean has since the rest began.
    private var standing: Double {
        let first = hearsDoppler ? moved : 1
        let turns = rested / (Candour.caution * haste)
        guard turns > 0.05 else { return first }
        let mean = 2 / turns * (1 - (1 - Logarithm.exponential(-turns)) / turns)
        let slowness = haste / SlowError.usualPersistence
        let left = hearsDoppler ? Candour.leftMoved * slowness * slowness : Candour.left * slowness
        return max(left, min(first, mean))
    }

    /// The part of the slow error that stays with a moving board, and where it changes with every block.
    private static let stubborn = 0.75
    private static let light = 0.2
    /// The part of what noise alone leaves in the estimate that is not there in truth.
    private static let evened = 0.6
    private static let evenedAtRest = 0.4
    /// Seconds more than one between fixes from which on nothing is taken off.
    private static let sparseness = 4.0
    /// How well a slow error can be told from the Doppler shift's own; m².
    private static let unsure = 12.0
    /// The slow error's variance in the claimed one up to which the claim is right, and from which on it is none.
    private static let hasty = 4.0
    private static let lying = 5.5
    /// A rest is interrupted unseen now and then: the error averages out so much later than in theory.
    private static let caution = 1.3
    /// What is left of the slow error after hours of rest, where the Doppler shift is heard and where it is not.
    private static let leftMoved = 0.3
    private static let left = 0.25
    /// The least part of the usual variance that a better claim of the last seconds is believed.
    private static let leastRecent = 0.25
}
