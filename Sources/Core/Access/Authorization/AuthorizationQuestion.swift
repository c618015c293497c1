internal import Parts

/// A question about one client that waits for an answer.
struct AuthorizationQuestion: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case whenInUse
        /// Whether the client's authorization may rise from when in use to Always.
        case always
        /// Whether a provisional Always holds; the daemon itself asks, because an event waits.
        case provisional
        case fullAccuracy(purposeKey: String)
        /// Whether location services, which are off, may be switched on for all clients.
        case services
    }

    /// A connection or session that asked; the question ends when its last asker is gone.
    struct Asker: Sendable, Equatable {
        var connection: ClientID
        /// The session's number; nil for full accuracy, which is asked for by a connection as a whole.
        var session: Int64?
        /// The identifier that the client gave its request for full accuracy.
        var requestID: String?
        var wantsAlways = false
    }

    /// The most requests that may wait for one answer; further ones are refused.
    static let maximumAskers = 256

    var kind: Kind
    var askers: [Asker]

    /// Whether all askers have gone; the daemon's own question cannot be withdrawn.
    var wasWithdrawn: Bool { kind != .provisional && askers.isEmpty }

    /// Adds an asker of the same question; false where there are too many.
    mutating func join(_ asker: Asker) -> Bool {
        let index = askers.firstIndex { $0.connection == asker.connection && $0.session == asker.session }
        if asker.session != nil, let index {
            askers[index].wantsAlways = askers[index].wantsAlways || asker.wantsAlways
            return true
        }
        guard askers.count < AuthorizationQuestion.maximumAskers else { return false }
        askers.append(asker)
        return true
    }

    /// The answers that an agent is offered.
    var answers: [OperatorAnswer] {
        switch kind {
        case .whenInUse: [.allow, .once, .deny]
        case .always, .provisional: [.always, .keep]
        case .fullAccuracy: [.allow, .deny]
        case .services: [.on, .off]
        }
    }

    /// Whether the question accepts an answer, which may have the sense of an offered one.
    ///
    /// For Always, `allow` means while in use; full accuracy is given for one use in any case.
    func takes(_ answer: OperatorAnswer) -> Bool {
        switch kind {
        case .whenInUse, .services: answers.contains(answer)
        case .always, .provisional: answers.contains(answer) || answer == .allow
        case .fullAccuracy: answers.contains(answer) || answer == .once || answer == .keep
        }
    }
}
