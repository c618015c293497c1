internal import ClientVocabulary
internal import DaemonClient
internal import SextantJSON

/// What the page knows from the daemon during one connection.
struct DaemonView {
    var hasHello = false
    /// Whether the daemon treats the page as an operator.
    var isOperator = false
    /// Whether the page has requested compass headings from the daemon.
    var watchesHeading = false
    /// Why the page gets no positions, if the daemon refused to send any; otherwise nil.
    var problem: String?
    var prompts: [(client: String, line: [UInt8])] = []
    var lists: [LiveKind: DaemonList] = [
        .clients: DaemonList(of: .client, until: .clients),
        .regions: DaemonList(of: .region, until: .regions),
        .visits: DaemonList(of: .pastVisit, until: .visits),
    ]
    /// The handlers of the daemon's answers (one JSON object each) that viewers wait for, by the id of the request.
    var answers: [String: (DaemonLine) -> Void] = [:]
    /// The list that is being requested from the daemon for a viewer; the lists in `waiting` are requested after it.
    var question: Question?
    var waiting: [Question] = []
    var lastID = 0
}

/// The ids of the page's own requests, which the daemon repeats in its answers.
private enum QuestionID: String { case epochs, locations, agent, `operator`, energy }

extension PageService {
    // MARK: The connection

    func lostDaemon(because sentence: String) {
        forgetDaemon()
        guard hasViewers else { return }
        publishLink("none", sentence)
        plan(.reconnect, inSeconds: 2)
    }

    /// Forgets everything from a connection to the daemon that has ended, and refuses the viewers' requests that wait
    /// for an answer.
    func forgetDaemon() {
        let gone = Refusal(503, "The daemon is not there. The page looks for it every 2 s.")
        for question in [daemon.question].compactMap({ $0 }) + daemon.waiting { question.exchange.refuse(gone) }
        let answers = daemon.answers
        daemon = DaemonView()
        for answer in answers.values { answer(DaemonLine()) }
        state.forget(LiveKind.allCases.filter { $0 != .map })
    }

    private func publishLink(_ word: String, _ sentence: String) {
        let role = daemon.isOperator ? "operator" : "viewer"
        publish(.link, PageText.object(["state": word, "message": sentence, "role": role]))
    }

    func received(_ line: [UInt8]) {
        guard let name = EventName(rawValue: LineName.of(line)) else { return }
        if name == .epoch {
            let hasSatellites = LineName.contains(line, Array("\"satellites\":[".utf8))
            return publish(hasSatellites ? .sky : .epoch, line)
        }
        if take(line, name) { return }
        switch name {
        case .hello: welcome(line)
        case .location, .status, .energy, .authorization, .heading, .compass:
            if let kind = LiveKind(rawValue: name.rawValue) { publish(kind, line) }
            if name == .authorization { publishLink("connected", daemon.problem ?? "") }
            if name == .location, !daemon.answers.isEmpty { _ = answer(line) }
        case .services: if !answer(line) { publishServices(line) }
        case .answered, .monitoring, .monitoringFailed, .pong: _ = answer(line)
        case .prompt, .promptWithdrawn: changePrompts(line, isNew: name == .prompt)
        case .hostWillSleep, .hostStaysAwake: pipe?.send(DaemonRequest(.status))
        case .regionEvent: acknowledge(line)
        case .regionChanged, .visit: plan(.lists, inSeconds: 1)
        case .error: refused(line)
        default: break
        }
    }

    /// Confirms an event of the page's own region, so that the daemon does not send it again, and requests the list of
    /// regions anew for the viewers.
    private func acknowledge(_ line: [UInt8]) {
        if let number = DaemonLine(line)?.integer(.number) {
            pipe?.send(DaemonRequest(.acknowledge).with(.number, number))
        }
        plan(.lists, inSeconds: 1)
    }

    private func welcome(_ bytes: [UInt8]) {
        guard let hello = DaemonLine(bytes), hello.integer(.protocol) == ProtocolVersion.current else {
            return publishLink("old", "The daemon speaks another protocol; install the same version of both.")
        }
        publish(.hello, bytes)
        guard !daemon.hasHello else { return }
        daemon.hasHello = true
        publishLink("connected", "")
        pipe?.send(
            DaemonRequest(.watch).with(.id, word: QuestionID.epochs).with(.passive, true).with(.satellites, true))
        pipe?.send(DaemonRequest(.watch).with(.id, word: QuestionID.locations).with(.session, 1).with(.passive, true))
        pipe?.send(DaemonRequest(.agent).with(.id, word: QuestionID.agent))
        pipe?.send(DaemonRequest(.services).with(.id, word: QuestionID.operator))
        if hello.word(.status) == AuthorizationStatus.notDetermined {
            pipe?.send(DaemonRequest(.authorize).with(.authorization, word: AuthorizationRequest.whenInUse))
        }
        // The daemon answers `registrations` also with the events of the page's own region that came while no viewer
        // was connected.
        pipe?.send(DaemonRequest(.registrations))
        askHeadings()
        pollStatus()
        pollEnergy()
    }

    /// Requests compass headings only while a viewer has the compass open, because headings keep the magnetometer at
    /// work.
    func askHeadings() {
        guard daemon.hasHello, daemon.watchesHeading != wantsHeading else { return }
        daemon.watchesHeading = wantsHeading
        let request = DaemonRequest(wantsHeading ? .watchHeading : .unwatchHeading).with(.session, 1)
        pipe?.send(wantsHeading ? request.with(.filter, 5) : request)
        if !wantsHeading { state.forget([.heading]) }
    }

    // MARK: What is requested repeatedly

    func pollStatus() {
        guard daemon.hasHello, hasViewers else { return }
        pipe?.send(DaemonRequest(.status))
        publishUplink()
        plan(.status, inSeconds: 2)
    }

    func pollEnergy() {
        guard daemon.hasHello, hasViewers else { return }
        pipe?.send(DaemonRequest(.energy).with(.id, word: QuestionID.energy))
        plan(.energy, inSeconds: 15)
    }

    func pollLists() {
        guard daemon.hasHello, hasViewers, daemon.isOperator else { return }
        for list: RequestName in [.clients, .regions, .visits] {
            pipe?.send(DaemonRequest(list).with(.id, word: list))
        }
        plan(.lists, inSeconds: 10)
    }

    // MARK: Answers

    /// Adds a JSON object from the daemon to the list that is being requested, or ends the list with it; false if it
    /// belongs to no list.
    private func take(_ line: [UInt8], _ name: EventName) -> Bool {
        if var question = daemon.question, name == question.list.element {
            question.list.append(line)
            daemon.question = question
            return true
        }
        if let question = daemon.question, name == question.list.end {
            finish(question, line)
            return true
        }
        for (kind, list) in daemon.lists {
            if name == list.element {
                daemon.lists[kind]?.append(line)
                return true
            }
            if name == list.end {
                publish(kind, PageText.list(kind.rawValue, daemon.lists[kind]?.finish() ?? []))
                return true
            }
        }
        return false
    }

    /// Gives a JSON object from the daemon to the viewer that waits for it; false if no viewer does.
    private func answer(_ bytes: [UInt8]) -> Bool {
        guard let line = DaemonLine(bytes), let id = line.text(.id),
            let waiting = daemon.answers.removeValue(forKey: id)
        else { return false }
        waiting(line)
        pollLists()
        return true
    }

    private func publishServices(_ line: [UInt8]) {
        daemon.isOperator = true
        publish(.services, line)
        publishLink("connected", daemon.problem ?? "")
        publishPrompts()
        pollLists()
    }

    private func changePrompts(_ bytes: [UInt8], isNew: Bool) {
        guard let client = DaemonLine(bytes)?.text(.client) else { return }
        daemon.prompts.removeAll { $0.client == client }
        if isNew { daemon.prompts.append((client, bytes)) }
        publishPrompts()
        pollLists()
    }

    private func publishPrompts() {
        publish(.prompts, PageText.list("prompts", daemon.prompts.map(\.line)))
    }

    private func refused(_ bytes: [UInt8]) {
        guard let line = DaemonLine(bytes), let id = line.text(.id), !answer(bytes) else { return }
        if let question = daemon.question, question.id == id {
            daemon.question = nil
            question.exchange.refuse(Refusal(502, line.text(.message) ?? "The daemon refused."))
            return askNext()
        }
        switch QuestionID(rawValue: id) {
        case .epochs, .locations: cannotWatch(line)
        case .energy:
            publish(
                .energy, PageText.object(["problem": line.text(.message) ?? "The daemon does not tell the energy."]))
        case .agent, .operator: break
        case nil:
            guard let kind = LiveKind(rawValue: id), daemon.lists[kind] != nil else { return }
            let message = JSONValue.quoted(line.text(.message) ?? "The daemon does not tell this.")
            publish(kind, PageText.list(id, [], more: ",\"problem\":\(message)"))
        }
    }

    /// Tells viewers why they get no positions: the daemon is too old to send them passively, or refuses to send them.
    private func cannotWatch(_ line: DaemonLine) {
        let isOld = line.code == .unknownKey
        daemon.problem =
            isOld
            ? "This daemon is older than the page and cannot be looked at without waking the receiver. Update sextant."
            : line.text(.message) ?? "The daemon does not show this page where the board is."
        publishLink(isOld ? "old" : "connected", daemon.problem ?? "")
    }
}
