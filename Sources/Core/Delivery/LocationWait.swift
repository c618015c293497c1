internal import GNSS
internal import Power
internal import SextantUnits

/// A request for one position.
struct LocationWait: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// The next position whose accuracy is at least this good, in metres; nil for the next position of any
        /// accuracy.
        case next(accuracy: Double?)
        /// One position for a session (`requestLocation`).
        case once(DesiredAccuracy)
    }

    let kind: Kind
    private(set) var deadline: MonotonicInstant
    /// Seconds that the request waits for a position after the user has decided whether the client may see locations;
    /// nil where the request does not wait for the user.
    private let afterAnswer: Double?
    /// The identifier that the client gave its request.
    let id: String?
    let session: UInt8
    /// The most accurate position so far and when it came; it was not accurate enough to answer the request at once.
    private(set) var best: (fix: Fix, instant: MonotonicInstant)?

    /// A request for one position of the best accuracy (`best`) is answered by a position that is at least this
    /// accurate, in metres.
    ///
    /// A receiver reaches this accuracy within some seconds; the last metres would take minutes.
    static let bestAccuracy = 10.0
    /// A request for one position of navigation accuracy (`bestForNavigation`) is answered by a position that is at
    /// least this accurate, in metres.
    static let navigationAccuracy = 5.0

    /// A request for an accuracy of this many metres or more is answered by an older known position, if the board
    /// cannot have moved farther than that accuracy.
    ///
    /// Core Location's constants for one and three kilometres mean such requests: "whatever is at hand".
    static let coarseAccuracy = 1000.0

    /// Seconds that a session's request for one position waits for the user to decide whether the client may see
    /// locations.
    static let answerPatience = 300.0

    init(
        _ kind: Kind, until deadline: MonotonicInstant, afterAnswer: Double? = nil, id: String?,
        session: UInt8 = LocationSession.epochs
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

    /// A position with at least this accuracy, in metres, answers the request at once; nil where any position does.
    private var goal: Double? {
        switch kind {
        case .next(let accuracy): accuracy
        case .once(.best): LocationWait.bestAccuracy
        case .once(.bestForNavigation): LocationWait.navigationAccuracy
        case .once(let accuracy): accuracy.effectiveMetres
        }
    }

    /// The accuracy that is asked of the receiver for this request.
    var accuracy: DesiredAccuracy {
        switch kind {
        case .next(let accuracy): accuracy.map { .metres($0) } ?? .best
        case .once(let accuracy): accuracy
        }
    }

    /// Whether a known position, even an old one, answers a session's request, because the board cannot have moved
    /// farther than the requested accuracy.
    ///
    /// - Parameter uncertainty: The radius in metres within which the board is now with a probability of 68 %; nil
    ///   where it is not known.
    func takesOld(withUncertainty uncertainty: Double?) -> Bool {
        guard case .once(.metres(let metres)) = kind, metres >= LocationWait.coarseAccuracy else { return false }
        return uncertainty.map { $0 <= metres } ?? false
    }

    /// Begins to wait for a position, because the user has decided about the client.
    mutating func answered(at instant: MonotonicInstant) {
        if let afterAnswer { deadline = instant.advanced(bySeconds: afterAnswer) }
    }

    /// Compares a position with the request, and keeps it if it is the most accurate so far.
    ///
    /// - Returns: Whether the position answers the request.
    mutating func heard(_ fix: Fix, at instant: MonotonicInstant) -> Bool {
        let hasTime = fix.time != nil
        let isAsTimed = hasTime == (best?.fix.time != nil)
        let isAsAccurate = fix.horizontalAccuracy ?? .infinity <= best?.fix.horizontalAccuracy ?? .infinity
        if best == nil || (isAsTimed ? isAsAccurate : hasTime) { best = (fix, instant) }
        // A location of Core Location has a time, which the receiver's first, incomplete epoch can lack.
        guard hasTime || !isOnce else { return false }
        guard let goal else { return true }
        return fix.horizontalAccuracy ?? .infinity <= goal
    }

    static func == (left: LocationWait, right: LocationWait) -> Bool {
        left.kind == right.kind && left.deadline == right.deadline && left.id == right.id
            && left.session == right.session && left.best?.fix == right.best?.fix
            && left.best?.instant == right.best?.instant
    }
}
