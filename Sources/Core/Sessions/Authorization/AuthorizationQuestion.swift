/// A question about one client that waits for somebody to answer it.
struct AuthorizationQuestion: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case whenInUse
        /// From when in use to Always.
        case always
        /// Whether what was given provisionally holds: the daemon asks, for the event that is due.
        case provisional
        case fullAccuracy(purposeKey: String)
    }

    /// A connection or session that asked; the question ends when its last asker is gone.
    struct Asker: Sendable, Equatable {
        var connection: ClientID
        /// Nil for full accuracy, which a connection asks as a whole.
        var session: Int?
        /// What a request for full accuracy was called.
        var requestID: String?
        var wantsAlways = false
    }

    /// Requests that wait for one answer; another is turned away.
    static let maximumAskers = 256

    var kind: Kind
    var askers: [Asker]

    /// Adds who asks the same; false where there are too many.
    mutating func join(_ asker: Asker) -> Bool {
        let place = askers.firstIndex { $0.connection == asker.connection && $0.session == asker.session }
        if asker.session != nil, let place {
            askers[place].wantsAlways = askers[place].wantsAlways || asker.wantsAlways
            return true
        }
        guard askers.count < AuthorizationQuestion.maximumAskers else { return false }
        askers.append(asker)
        return true
    }

    /// What may be answered, as an agent is told.
    var answers: [OperatorAnswer] {
        switch kind {
        case .whenInUse: [.allow, .once, .deny]
        case .always, .provisional: [.always, .keep]
        case .fullAccuracy: [.allow, .deny]
        }
    }

    /// Whether an answer is one to this question, by its sense too.
    ///
    /// To allow is to allow while in use; full accuracy is given for once anyhow.
    func takes(_ answer: OperatorAnswer) -> Bool {
        switch kind {
        case .whenInUse: answers.contains(answer)
        case .always, .provisional: answers.contains(answer) || answer == .allow
        case .fullAccuracy: answers.contains(answer) || answer == .once || answer == .keep
        }
    }
}
