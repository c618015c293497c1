internal import ClientVocabulary
internal import Parts

/// A question to the user about one client, which waits for an answer.
struct AuthorizationQuestion: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case whenInUse
        /// Whether to raise the client's authorization from when-in-use to Always.
        case always
        /// Whether to confirm a provisional Always; asked by the daemon itself, because an event waits.
        case provisional
        case fullAccuracy(purposeKey: String)
        /// Whether to switch on location services, which are off, for all clients.
        case services
    }

    /// A connection or session that asked; the question ends when its last asker is gone.
    struct Asker: Sendable, Equatable {
        var connection: ClientID
        /// The session's number; nil for full accuracy, which a connection requests as a whole.
        var session: Int64?
        /// The identifier that the client gave its request for full accuracy.
        var requestID: String?
        var wantsAlways = false
    }

    /// The largest number of requests that can wait for one answer; further requests are refused.
    static let maximumAskers = 256

    var kind: Kind
    var askers: [Asker]

    /// Whether all connections that asked have gone; the daemon's own question is never withdrawn.
    var wasWithdrawn: Bool { kind != .provisional && askers.isEmpty }

    /// Adds an asker to the question; false where there are too many.
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

    /// Whether the question accepts an answer: one of those offered, or one of the same meaning.
    ///
    /// To the question for Always, `allow` means when in use; full accuracy is always given for one use only.
    func takes(_ answer: OperatorAnswer) -> Bool {
        switch kind {
        case .whenInUse, .services: answers.contains(answer)
        case .always, .provisional: answers.contains(answer) || answer == .allow
        case .fullAccuracy: answers.contains(answer) || answer == .once || answer == .keep
        }
    }
}
