internal import ClientVocabulary
internal import DaemonClient

/// Clients as readable lines.
enum ClientText {
    static func isAuthorized(_ client: DaemonLine) -> Bool {
        client.word(.status, as: AuthorizationStatus.self)?.isAuthorized == true
    }

    /// A table of the clients, and below the table the problems of each client.
    static func text(of clients: [DaemonLine]) -> [String] {
        let heading = ["client", "who", "may know", "accuracy", "in use", "connections", "waits for"]
        let rows = [heading] + clients.map(cells)
        return TextTable.lines(rows) + clients.flatMap(problems)
    }

    /// One client as a line.
    static func line(of client: DaemonLine) -> String {
        let wake = client.flag(.mayBeWoken) == false ? ", is not started for events while it does not run" : ""
        return "\(client.text(.name) ?? "-"): \(status(client)), \(client.text(.accuracyAuthorization) ?? "full") "
            + "accuracy\(wake)"
    }

    /// The other client names under which the programs of a denied client can still get locations; nil if there are
    /// none.
    static func otherWays(of client: DaemonLine, among clients: [DaemonLine]) -> String? {
        let others = client.texts(.alsoAs).map { name in
            let selector = clients.first { $0.text(.name) == name }?.text(.selector)
            return "\(name) (\(selector == "everyone" ? nobodyKnown : selector ?? "-"))"
        }
        guard !others.isEmpty else { return nil }
        return "\(client.text(.name) ?? "-"): the same programs may still be told where they fit another client: "
            + "\(others.joined(separator: "; ")); deny those too, or give its programs a user of their own"
    }

    private static let nobodyKnown = "who is not known at the gpsd port: another host, a container"

    private static func cells(_ client: DaemonLine) -> [String] {
        // A client without a manifest has only its process as a name, so the name's column stays empty.
        let (name, selector) = (client.text(.name) ?? "-", client.text(.selector) ?? "-")
        return [
            name == selector ? "-" : name, selector == "everyone" ? "the gpsd port, unnamed" : selector,
            status(client),
            client.text(.accuracyAuthorization) ?? "-", client.flag(.inUse) == true ? "yes" : "no",
            Text.fixed(client.number(.connections) ?? 0, 0), question(client.word(.waiting)),
        ]
    }

    private static func status(_ client: DaemonLine) -> String {
        switch client.word(.status, as: AuthorizationStatus.self) {
        case .authorizedAlways: "always"
        case .authorizedWhenInUse: "while in use"
        case .denied: client.flag(.servicesEnabled) == false ? "services are off" : "denied"
        case .restricted: "restricted"
        default: "not asked yet"
        }
    }

    private static func question(_ kind: PromptKind?) -> String {
        switch kind {
        case .whenInUse: "an answer: while in use?"
        case .always: "an answer: always?"
        case .fullAccuracy: "an answer: full accuracy?"
        case .services: "an answer: services on?"
        default: "-"
        }
    }

    private static func problems(_ client: DaemonLine) -> [String] {
        guard let problem = client.text(.problem) else { return [] }
        return ["\(client.text(.name) ?? "-"): \(problem)"]
    }
}
