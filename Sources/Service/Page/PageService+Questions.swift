internal import ClientVocabulary
internal import DaemonClient

/// A list that the page requests from the daemon for one viewer.
struct Question {
    var id: String
    var request: DaemonRequest
    var list: DaemonList
    var exchange: Exchange
    /// The name of the list in the answer to the viewer.
    var name: String
    /// The details of a request for the track; nil for other lists, which are passed on unchanged.
    var track: TrackQuestion?
}

/// A viewer's request for the track, and the points received so far.
struct TrackQuestion {
    var window: TrackWindow
    /// The points that make up the track's shape; they are added from the newest to the oldest.
    var shape: TrackShape
    /// Whether the viewer wants every one of the newest points instead of the shape of the whole track.
    var isWhole: Bool
    /// The number of points in the requested window of time that the daemon has sent.
    private(set) var count = 0
    /// The number of points in the whole stored track.
    var kept = 0

    /// Takes one answer (a page) of the daemon, which has the oldest point first.
    mutating func take(_ lines: [[UInt8]]) {
        for line in lines.reversed() where !isFull {
            guard let point = window.point(line) else { continue }
            count += 1
            shape.add(point)
        }
    }

    /// Whether the viewer needs no further points of the track.
    var isFull: Bool { isWhole && count >= shape.limit }

    /// The answer for the viewer, with the points from the oldest to the newest.
    ///
    /// It also has the number of points in the window (`of`), the number in the whole stored track (`kept`), and the
    /// largest error of the thinned line in metres (`within`).
    func answer() -> [UInt8] {
        var shape = shape
        shape.thin()
        return PageText.list(
            "points", shape.points.reversed().map(\.text),
            more: ",\"of\":\(count),\"kept\":\(kept),\"within\":\(shape.deviation)")
    }
}

extension PageService {
    /// The largest number of track points in one answer: about 0.3 MB.
    private static let longestTrack = 4000
    /// The largest number of lists that can wait to be requested.
    private static let longestQueue = 16

    // MARK: Lists

    func askTrack(_ exchange: Exchange) throws(Refusal) {
        let points = Int(try number("points", of: exchange) ?? 2000)
        guard (2...PageService.longestTrack).contains(points) else {
            throw Refusal(400, "points: 2 to \(PageService.longestTrack).")
        }
        let window = TrackWindow(
            id: nextID(), from: try number("from", of: exchange), to: try number("to", of: exchange),
            span: try number("span", of: exchange))
        let isWhole = exchange.query("whole") == "1"
        try ask(
            Question(
                id: window.id, request: window.request(until: window.to),
                list: DaemonList(of: .trackPoint, until: .history), exchange: exchange, name: "points",
                track: TrackQuestion(window: window, shape: TrackShape(limit: points), isWhole: isWhole)))
    }

    func askEnergyHistory(_ exchange: Exchange) throws(Refusal) {
        let window = exchange.query("window") ?? "hour"
        guard window == "hour" || window == "day" else { throw Refusal(400, "window: hour or day.") }
        let id = nextID()
        try ask(
            Question(
                id: id, request: DaemonRequest(.energyHistory).with(.id, id).with(.window, window),
                list: DaemonList(of: .energyRow, until: .energyHistory), exchange: exchange, name: "rows"))
    }

    private func number(_ name: String, of exchange: Exchange) throws(Refusal) -> Double? {
        guard let text = exchange.query(name) else { return nil }
        guard let value = Double(text), value.isFinite, (0...1e11).contains(value) else {
            throw Refusal(400, "\(name): a number of seconds since 1970, or of points.")
        }
        return value
    }

    private func nextID() -> String {
        daemon.lastID &+= 1
        return "q\(daemon.lastID)"
    }

    private func ask(_ question: Question) throws(Refusal) {
        guard daemon.hasHello else {
            throw Refusal(503, "The daemon is not there, or nobody looks. Keep the page open while you ask.")
        }
        guard daemon.waiting.count < PageService.longestQueue else { throw Refusal(503, "Too much is asked at once.") }
        daemon.waiting.append(question)
        askNext()
    }

    func askNext() {
        guard daemon.question == nil, !daemon.waiting.isEmpty else { return }
        let question = daemon.waiting.removeFirst()
        guard question.exchange.isOpen else { return askNext() }
        daemon.question = question
        pipe?.send(question.request)
    }

    func finish(_ asked: Question, _ end: [UInt8]) {
        var question = asked
        daemon.question = nil
        let lines = question.list.finish()
        question.track?.take(lines)
        let end = DaemonLine(end)
        question.track?.kept = end?.integer(.total) ?? 0
        if end?.flag(.more) == true, question.track?.isFull == false,
            let request = question.track?.window.request(before: lines.first)
        {
            question.request = request
            // The request for the next part of the track goes to the end of the queue, so that a long track does not
            // delay other viewers.
            daemon.waiting.append(question)
        } else {
            question.exchange.answer(
                200, question.track?.answer() ?? PageText.list(question.name, lines), type: PageText.json,
                headers: PageText.noStore)
        }
        askNext()
    }

    // MARK: Changes

    /// Answers the prompt by which a client asks for authorization, or changes the client's authorization.
    func askAnswer(_ exchange: Exchange) throws(Refusal) {
        let (line, request) = try request(.answer, of: exchange, [.client, .answer, .accuracy, .wake])
        guard line.text(.client) != nil else { throw Refusal(400, "client: the name of a client.") }
        try change(request, exchange)
    }

    func askServices(_ exchange: Exchange) throws(Refusal) {
        let (line, request) = try request(.services, of: exchange, [.enabled])
        guard line.flag(.enabled) != nil else { throw Refusal(400, "enabled: true or false.") }
        try change(request, exchange)
    }

    /// Makes the daemon watch a circle for the page's own client, or stops watching it.
    ///
    /// The region belongs to the page's client and not to a viewer: it stays when the browser tab is closed, and every
    /// viewer sees its state in the list of regions.
    func askAnchor(_ exchange: Exchange) throws(Refusal) {
        let (line, request) = try request(.monitorRegion, of: exchange, [.latitude, .longitude, .radius])
        guard line.members.isEmpty || line.members.count == 3 else {
            throw Refusal(400, "latitude, longitude and radius; or none of them, to weigh the anchor.")
        }
        guard line.members.isEmpty else { return try change(request.with(.identifier, PageService.anchor), exchange) }
        pipe?.send(DaemonRequest(.unmonitorRegion).with(.identifier, PageService.anchor))
        // The daemon does not answer `unmonitorRegion`; it answers the ping that is sent after it.
        try change(DaemonRequest(.ping), exchange)
    }

    /// The identifier of the region that the anchor watch uses.
    private static let anchor = "anchor"

    /// Requests a single position from the receiver, which costs the energy of a start and a fix.
    func askLocation(_ exchange: Exchange) throws(Refusal) {
        let request = try request(.locate, of: exchange, []).request
        try change(request.with(.timeout, 60), exchange)
    }

    /// Decodes the JSON object that a viewer sent, and makes a request to the daemon with its members; refuses members
    /// other than `keys`.
    private func request(
        _ name: RequestName, of exchange: Exchange, _ keys: [MemberKey]
    ) throws(Refusal) -> (line: DaemonLine, request: DaemonRequest) {
        let names = keys.map(\.name).sorted()
        guard let line = DaemonLine(exchange.body), line.members.keys.allSatisfy(names.contains) else {
            throw Refusal(400, "A JSON object with \(names.joined(separator: ", ")), and nothing else.")
        }
        return (line, keys.reduce(DaemonRequest(name)) { $0.with($1, json: line.value($1)) })
    }

    private func change(_ request: DaemonRequest, _ exchange: Exchange) throws(Refusal) {
        guard daemon.answers.count < PageService.longestQueue else { throw Refusal(503, "Too much is asked at once.") }
        let id = nextID()
        daemon.answers[id] = { [unowned self] line in
            guard let event = line.event, event != .error, event != .monitoringFailed else {
                let reason = line.text(.message) ?? line.text(.reason).map { "The daemon does not watch this: \($0)." }
                return exchange.refuse(Refusal(409, reason ?? "The daemon went away before it answered."))
            }
            if line.event == .services { publish(.services, line.bytes) }
            exchange.answer(200, line.bytes, type: PageText.json, headers: PageText.noStore)
        }
        pipe?.send(request.with(.id, id))
    }
}
