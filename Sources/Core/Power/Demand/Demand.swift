public import SextantUnits

/// The joint need of all clients for the receiver.
public struct Demand: Sendable, Equatable {
    /// The smallest of the accuracies that the clients need, in metres; 0 for the receiver's best, nil where no client
    /// needs a position.
    public var accuracy: Double?
    /// Whether the receiver must not sleep, because a client wants the best accuracy, every epoch, or one position now.
    public var keepsOn: Bool
    /// The earliest deadline of a request for one position; nil for none.
    public var deadline: MonotonicInstant?
    /// The smallest of the clients' minimum intervals between reports, in seconds; nil unless every client has one.
    public var minimumInterval: Double?
    /// The fastest of the activities that clients named; `other` where none was named.
    public var activity: ActivityType
    /// The clients that cause the demand, each once, in the order of their requests; at most `maximumClients`.
    public var clients: [UInt32]

    /// The largest number of clients that a demand names: as many as the daemon serves.
    public static let maximumClients = 128

    public init(
        accuracy: Double?, keepsOn: Bool, deadline: MonotonicInstant?, minimumInterval: Double?,
        activity: ActivityType, clients: [UInt32]
    ) {
        self.accuracy = accuracy
        self.keepsOn = keepsOn
        self.deadline = deadline
        self.minimumInterval = minimumInterval
        self.activity = activity
        self.clients = clients
    }

    /// The demand while no client needs a position.
    public static let none = Demand(
        accuracy: nil, keepsOn: false, deadline: nil, minimumInterval: nil, activity: .other, clients: [])

    /// Merges all requests into one demand: the smallest accuracy, the earliest deadline; a paused request counts only
    /// while a fix is awaited for it.
    public static func merging(_ requests: some Sequence<AccuracyRequest>) -> Demand {
        var demand = Demand.none
        for request in requests {
            switch request.state {
            case .running: demand.add(request)
            case .paused: break
            case .probing(let deadline): demand.add(request.probe(until: deadline))
            }
        }
        return demand
    }

    private mutating func add(_ request: AccuracyRequest) {
        let isFirst = accuracy == nil
        accuracy = min(accuracy ?? .infinity, request.effectiveAccuracy)
        keepsOn = keepsOn || request.keepsOn
        if let other = request.deadline { deadline = min(deadline ?? other, other) }
        minimumInterval = isFirst ? request.minimumInterval : smaller(minimumInterval, request.minimumInterval)
        if request.activity.strictness > activity.strictness { activity = request.activity }
        if clients.count < Demand.maximumClients, !clients.contains(request.client) { clients.append(request.client) }
    }

    /// The smaller of two minimum intervals; nil, for no minimum, if either is nil.
    private func smaller(_ first: Double?, _ second: Double?) -> Double? {
        guard let first, let second else { return nil }
        return min(first, second)
    }
}

extension AccuracyRequest {
    /// The request for one fix that shows whether the board has moved while this request is paused.
    fileprivate func probe(until deadline: MonotonicInstant) -> AccuracyRequest {
        let metres = max(effectiveAccuracy, AccuracyRequest.finestProbeAccuracy)
        var probe = AccuracyRequest(client: client, .singleLocation(.metres(metres), deadline: deadline))
        probe.activity = activity
        return probe
    }
}
