internal import GNSS
internal import Power
internal import SextantUnits

/// A request for one position.
struct LocationWait: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// The next position that is at least this accurate, in metres; nil for the next one of any accuracy.
        case next(accuracy: Double?)
        /// One position for a session (`requestLocation`).
        case once(DesiredAccuracy)
    }

    let kind: Kind
    private(set) var deadline: MonotonicInstant
    /// Seconds that the request waits once the client's user has answered; nil where it does not wait for an answer.
    private let afterAnswer: Double?
    /// The identifier that the client gave its request.
    let id: String?
    /// The number of the session that asked.
    let session: UInt8
    /// The most accurate position so far, not accurate enough to answer the request at once, and when it came.
    private(set) var best: (fix: Fix, instant: MonotonicInstant)?

    /// The accuracy in metres that is enough for a request for one position of the best accuracy.
    ///
    /// A receiver reaches it within some seconds; the last metres would take minutes.
    static let bestAccuracy = 10.0
    /// The accuracy in metres that is enough for a request for one position of navigation accuracy.
    static let navigationAccuracy = 5.0

    /// A request for this accuracy in metres, or a coarser one, is answered by a known position that is still right.
    ///
    /// These are Core Location's constants for one and three kilometres: "whatever is at hand".
    static let coarseAccuracy = 1000.0

    /// Seconds that a session's request for one position waits for the user's answer about the client.
    static let answerPatience = 300.0

    init(
        _ kind: Kind, until deadline: MonotonicInstant, afterAnswer: Double? = nil, id: String?, session: UInt8 = 0
    ) {
        self.afterAnswer = afterAnswer
        self.kind = kind
        self.deadline = deadline
        self.id = id
        self.session = session
    }

    var isOnce: Bool {
        if case .once = kind { return true }
        return false
    }

    /// The accuracy in metres that is enough to answer the request at once; nil where any accuracy is.
    private var goal: Double? {
        switch kind {
        case .next(let accuracy): accuracy
        case .once(.best): LocationWait.bestAccuracy
        case .once(.bestForNavigation): LocationWait.navigationAccuracy
        case .once(let accuracy): accuracy.effectiveMetres
        }
    }

    /// The accuracy that the receiver is asked for.
    var accuracy: DesiredAccuracy {
        switch kind {
        case .next(let accuracy): accuracy.map { .metres($0) } ?? .best
        case .once(let accuracy): accuracy
        }
    }

    /// Whether a session's request is answered by a known position of any age.
    ///
    /// - Parameter uncertainty: The radius in metres within which the board is now with a probability of 68 %; nil
    ///   where it is not known.
    func takesOld(withUncertainty uncertainty: Double?) -> Bool {
        guard case .once(.metres(let metres)) = kind, metres >= LocationWait.coarseAccuracy else { return false }
        return uncertainty.map { $0 <= metres } ?? false
    }

    /// Begins to wait for a position, once the user has answered.
    mutating func answered(at instant: MonotonicInstant) {
        if let afterAnswer { deadline = instant.advanced(bySeconds: afterAnswer) }
    }

    /// Takes a position.
    ///
    /// - Returns: Whether the position answers the request.
    mutating func heard(_ fix: Fix, at instant: MonotonicInstant) -> Bool {
        if fix.horizontalAccuracy ?? .infinity <= best?.fix.horizontalAccuracy ?? .infinity || best == nil {
            best = (fix, instant)
        }
        guard let goal else { return true }
        return fix.horizontalAccuracy ?? .infinity <= goal
    }

    static func == (left: LocationWait, right: LocationWait) -> Bool {
        left.kind == right.kind && left.deadline == right.deadline && left.id == right.id
            && left.session == right.session && left.best?.fix == right.best?.fix
            && left.best?.instant == right.best?.instant
    }
}
