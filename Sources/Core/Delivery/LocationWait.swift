internal import GNSS
internal import Power
internal import SextantUnits

/// A request for one position.
struct LocationWait: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// The next position that is at least this accurate, in metres; nil for the next one of any accuracy.
        case next(accuracy: Double?)
        /// The one position that a session asks for.
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
    /// The most accurate position so far that does not answer the request at once, and when it came.
    private(set) var best: (fix: Fix, instant: MonotonicInstant)?

    /// Accuracy in metres that answers a request for one position of the best accuracy: a receiver reaches it within
    /// some seconds, and the last metres take minutes.
    static let bestAccuracy = 10.0
    /// Accuracy in metres that answers a request for one position of navigation accuracy.
    static let navigationAccuracy = 5.0

    /// The accuracy in metres from which on a request takes what is known, as long as it is still true.
    ///
    /// Core Location's constants for one and three kilometres: "whatever is at hand".
    static let coarseAccuracy = 1000.0

    /// Seconds that a session's request waits for the answer to the question about its client.
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

    /// Accuracy in metres that answers the request at once; nil for any.
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
    /// - Parameter uncertainty: The radius in metres that holds 68 % of where the board may be by now; nil where that is
    ///   not known.
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
