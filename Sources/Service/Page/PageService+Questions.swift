internal import ClientVocabulary
internal import DaemonClient
internal import JSON
internal import Units

/// A list of the daemon that one viewer waits for.
struct Question {
    var id: String
    var request: String
    var list: DaemonList
    var exchange: Exchange
    /// The name of the list in the answer.
    var name: String
    /// Elements that are wanted yet.
    var wanted = Int.max
    /// Elements of earlier answers, behind those of the list: the daemon tells the newest first, page by page.
    var later: [[UInt8]] = []
    /// How an element is written in the answer.
    var written: ([UInt8]) -> [UInt8] = { $0 }
    /// Makes the request for what lies before an element; nil where everything comes at once.
    var before: ((DaemonLine) -> String?)?
}

extension PageService {
    /// Points of the track that are told at once, at most: 0.5 MB.
    private static let longestTrack = 4000
    /// Points in an answer of the daemon.
    private static let page = 256
    /// Lists that may wait for each other.
    private static let longestQueue = 16

    // MARK: Lists

    func askTrack(_ exchange: Exchange) throws(Refusal) {
        let from = try number("from", of: exchange)
        let to = try number("to", of: exchange)
        let points = Int(try number("points", of: exchange) ?? 2000)
        guard (1...PageService.longestTrack).contains(points) else {
            throw Refusal(400, "points: 1 to \(PageService.longestTrack).")
        }
        let id = nextID()
        func request(_ to: Double?) -> String {
            var text = "{\"request\":\"history\",\"id\":\"\(id)\",\"newest\":true"
            if let from { text += ",\"from\":\(from)" }
            if let to { text += ",\"to\":\(to)" }
            return text + ",\"limit\":\(min(points, PageService.page))}"
        }
        var question = Question(
            id: id, request: request(to), list: DaemonList(of: "trackPoint", until: "history"), exchange: exchange,
            name: "points")
        question.wanted = points
        question.written = PageService.pointText
        question.before = { first in
            guard let time = first.instant(.time) else { return nil }
            let seconds = Double(time.nanoseconds) * 1e-9 - 0.001
            return seconds > from ?? -.infinity ? request(seconds) : nil
        }
        try ask(question)
    }

    /// A point of the track in a third of the daemon's bytes: seconds since 1970, latitude, longitude, speed.
    private static func pointText(_ bytes: [UInt8]) -> [UInt8] {
        guard let line = DaemonLine(bytes), let time = line.instant(.time), let latitude = line.number(.latitude),
            let longitude = line.number(.longitude)
        else { return Array("[]".utf8) }
        return Array("[\(time.nanoseconds / 1_000_000_000),\(latitude),\(longitude),\(line.number(.speed) ?? 0)]".utf8)
    }

    func askEnergyHistory(_ exchange: Exchange) throws(Refusal) {
        let window = exchange.query("window") ?? "hour"
        guard window == "hour" || window == "day" else { throw Refusal(400, "window: hour or day.") }
        let id = nextID()
        try ask(
            Question(
                id: id, request: "{\"request\":\"energyHistory\",\"id\":\"\(id)\",\"window\":\"\(window)\"}",
                list: DaemonList(of: "energyRow", until: "energyHistory"), exchange: exchange, name: "rows"))
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
        question.later = lines.map(question.written) + question.later
        question.wanted -= lines.count
        let hasMore = DaemonLine(end)?.flag(.more) == true
        if hasMore, question.wanted > 0, let first = lines.first.flatMap(DaemonLine.init),
            let request = question.before?(first)
        {
            question.request = request
            daemon.waiting.insert(question, at: 0)
        } else {
            let more = hasMore ? ",\"more\":true" : ""
            question.exchange.answer(
                200, PageText.list(question.name, question.later, more: more), type: PageText.json,
                headers: PageText.noStore)
        }
        askNext()
    }

    // MARK: Changes

    /// Answers a client's question, or sets its record.
    func askAnswer(_ exchange: Exchange) throws(Refusal) {
        let members = try members(of: exchange, allowed: ["client", "answer", "accuracy", "wake"])
        guard case .string? = members["client"] else { throw Refusal(400, "client: the name of a client.") }
        try change("answer", members, exchange)
    }

    func askServices(_ exchange: Exchange) throws(Refusal) {
        let members = try members(of: exchange, allowed: ["enabled"])
        guard case .bool? = members["enabled"] else { throw Refusal(400, "enabled: true or false.") }
        try change("services", members, exchange)
    }

    private func members(of exchange: Exchange, allowed: Set<String>) throws(Refusal) -> [String: JSONValue] {
        guard let line = DaemonLine(exchange.body), allowed.isSuperset(of: line.members.keys) else {
            throw Refusal(400, "A JSON object with \(allowed.sorted().joined(separator: ", ")), and nothing else.")
        }
        return line.members
    }

    private func change(
        _ request: String, _ members: [String: JSONValue], _ exchange: Exchange
    ) throws(Refusal) {
        guard daemon.answers.count < PageService.longestQueue else { throw Refusal(503, "Too much is asked at once.") }
        var members = members
        let id = nextID()
        members["request"] = .string(request)
        members["id"] = .string(id)
        daemon.answers[id] = { [unowned self] line in
            guard line.event != .error, line.event != nil else {
                return exchange.refuse(Refusal(409, line.text(.message) ?? "The daemon went away before it answered."))
            }
            if line.event == .services { publish(.services, line.bytes) }
            exchange.answer(200, line.bytes, type: PageText.json, headers: PageText.noStore)
        }
        pipe?.send(JSONValue.object(members).text)
    }
}
