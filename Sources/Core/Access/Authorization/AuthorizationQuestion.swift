internal import ClientVocabulary
internal import Parts

/// A question to the user about one client, which waits for an answer.
struct AuthorizationQuestion: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case whenInUse
        /// The question whether to raise the client's authorization from when-in-use to at all times (Always).
        case always
        /// The question whether to confirm a provisional Always authorization; the daemon asks it because an event
        /// waits for the client.
        case provisional
        case fullAccuracy(purposeKey: String)
        /// The question whether to switch on location services, which are off for all clients.
        case services
    }

    /// A connection or session that asked the question; the question ends when its last asker has gone.
    struct Asker: Sendable, Equatable {
        var connection: ClientID
        /// The number of the session that asked; nil for full accuracy, which a connection requests as a whole.
        var session: Int64?
        /// The id that the client gave its request for full accuracy; the answer repeats it.
        var requestID: String?
        var wantsAlways = false
    }

    /// The largest number of requests that can wait for the answer to one question; further requests are refused.
    static let maximumAskers = 256

    var kind: Kind
    var askers: [Asker]

    /// Whether all sessions and connections that asked the question have gone; never true for the question that the
    /// daemon itself asks.
    var wasWithdrawn: Bool { kind != .provisional && askers.isEmpty }

    /// Adds an asker to the question; false if it has too many already.
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

    /// The answers from which an agent lets the user choose.
    var answers: [OperatorAnswer] {
        switch kind {
        case .whenInUse: [.allow, .once, .deny]
        case .always, .provisional: [.always, .keep]
        case .fullAccuracy: [.allow, .deny]
        case .services: [.on, .off]
        }
    }

    /// Whether an answer fits the question: it is one of the answers offered, or counts like one of them.
    ///
    /// To the question for Always, `allow` counts like `keep`: both leave the client only when-in-use authorization. To
    /// the question for full accuracy, which is granted for one use only, `once` counts like `allow`, and `keep` like
    /// `deny`.
    func takes(_ answer: OperatorAnswer) -> Bool {
        switch kind {
        case .whenInUse, .services: answers.contains(answer)
        case .always, .provisional: answers.contains(answer) || answer == .allow
        case .fullAccuracy: answers.contains(answer) || answer == .once || answer == .keep
        }
    }
}
