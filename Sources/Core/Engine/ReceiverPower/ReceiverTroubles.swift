internal import Receivers
internal import SextantUnits

/// The receiver's present and past troubles: at most one entry of each kind, so that the list stays short.
struct ReceiverTroubles {
    enum Kind: String, CaseIterable {
        case noFix
        case noAnswer
        case unresponsive
        case silent
        case refusedConfiguration
        case sleepRefused
        case wokeByItself
        case sleepUnavailable
        case databaseLost
        case learnedStateLost
        case motionSensorDeaf
        case motionSensorRestless
        case optimisticClaims
        case positionJumped
    }

    struct Trouble {
        var kind: Kind
        /// A sentence for people that says what was wrong when the trouble last occurred.
        var sentence: String
        var count: Int
        var last: MonotonicInstant
        var isOver: Bool
        /// The sentences logged since the trouble began, so that alternating causes are logged only once each.
        fileprivate var told: [String]
    }

    /// The largest number of sentences logged for one trouble; enough for one about each setting that a receiver can
    /// refuse.
    private static let maximumTold = 32

    /// The troubles, in the order in which each kind first occurred.
    private(set) var all: [Trouble] = []
    /// The number of times, since the daemon started, that the receiver's positions have jumped to another place.
    private var jumps: UInt64 = 0

    /// Notes that a trouble is present, and the sentence that describes it.
    ///
    /// - Returns: Whether this sentence must be logged, because it was not logged since the trouble last began.
    @discardableResult
    mutating func note(_ kind: Kind, _ sentence: String, at instant: MonotonicInstant) -> Bool {
        guard let index = all.firstIndex(where: { $0.kind == kind }) else {
            all.append(
                Trouble(kind: kind, sentence: sentence, count: 1, last: instant, isOver: false, told: [sentence]))
            return true
        }
        if all[index].isOver { all[index].told = [] }
        let isNews = !all[index].told.contains(sentence) && all[index].told.count < ReceiverTroubles.maximumTold
        if isNews { all[index].told.append(sentence) }
        all[index].sentence = sentence
        all[index].count += 1
        all[index].last = instant
        all[index].isOver = false
        return isNews
    }

    /// Takes the number of position jumps since the daemon started; in a jump, several fixes agree on another place.
    mutating func noteJumps(_ count: UInt64, at instant: MonotonicInstant) {
        guard count != jumps else { return }
        jumps = count
        note(.positionJumped, ReceiverTroubles.sentence(of: .positionJumped), at: instant)
        // A jump of the position has no duration, so it is reported as over at once.
        end(.positionJumped)
    }

    mutating func end(_ kind: Kind) {
        for index in all.indices where all[index].kind == kind { all[index].isOver = true }
    }

    func isPresent(_ kind: Kind) -> Bool { all.contains { $0.kind == kind && !$0.isOver } }

    /// A sentence for people about a trouble that fixes reveal: what is wrong and what to do about it.
    static func sentence(of kind: Kind) -> String {
        switch kind {
        case .motionSensorDeaf:
            "the motion sensor missed movements that fixes showed, so it is ignored, and at rest a fix is "
                + "taken now and then; check its wire, and lower its threshold in the board's file "
                + "(scripts/tune-motion of Sextant's sources finds it)"
        case .motionSensorRestless:
            "the motion sensor reports motion all the time while fixes show rest, so it is ignored, and at rest a fix "
                + "is taken now and then; raise its threshold in the board's file "
                + "(scripts/tune-motion of Sextant's sources finds it)"
        case .optimisticClaims:
            "the receiver's positions err by much more than the accuracy that it claims, so its claims are not "
                + "trusted; the reported radius is larger, and may still be too small; give the antenna a clearer "
                + "view of the sky"
        case .positionJumped:
            "the receiver's positions jumped farther than any movement explains, and several agreed, so they are "
                + "followed; if it was not carried off while it was off, give the antenna a clearer view of the sky"
        case .noFix, .noAnswer, .unresponsive, .silent, .refusedConfiguration, .sleepRefused, .wokeByItself,
            .sleepUnavailable, .databaseLost, .learnedStateLost:
            kind.rawValue
        }
    }

    /// The trouble in a report of the receiver's controller; nil for a report of success.
    static func trouble(of report: ReceiverReport) -> (Kind, String)? {
        switch report {
        case .identified, .ready, .asleep, .recovered, .databaseSaved, .databaseRestored, .woke(byItself: false): nil
        case .sleepRefused(let kind): (.sleepRefused, "the receiver was told to sleep (\(kind)) but goes on sending")
        case .woke(byItself: true): (.wokeByItself, "the receiver woke by itself and was put back to sleep")
        case .unresponsive:
            (
                .unresponsive,
                "the receiver answers at no rate; check its supply, and that TX goes to RX; it is asked again"
            )
        case .configurationRefused(let name):
            (.refusedConfiguration, "the receiver refused or did not answer \(name); its other settings are in force")
        case .databaseLost(let loss): (.databaseLost, "the receiver's orbits could not be kept: \(loss.sentence)")
        case .sleepUnavailable(let kind):
            (.sleepUnavailable, "this kind of sleep no longer works: \(kind); other kinds are used")
        }
    }
}

extension DatabaseLoss {
    fileprivate var sentence: String {
        switch self {
        case .incomplete(let expected, let received): "\(received) of \(expected) messages arrived"
        case .tooLarge: "they are larger than the limit"
        case .silence: "the receiver fell silent in the middle"
        case .portLost: "the device went away in the middle"
        case .interrupted: "a position was asked for in the middle"
        case .refused: "the receiver refused to keep them in its flash"
        case .foreign: "they are from another receiver"
        }
    }
}
