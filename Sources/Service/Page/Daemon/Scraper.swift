internal import ClientVocabulary
internal import DaemonClient
internal import MetricsText
internal import SextantJSON
internal import SextantReactor

/// Answers metrics scrapers, such as Prometheus, from the daemon's counters, over a connection that lasts for one
/// answer.
///
/// A class, because its connection calls it. Scrapers that ask while an answer is awaited get the same answer. The
/// metrics are made from the daemon's answers to `status` and `energy`, so that scraping wakes nothing and reveals no
/// position.
final class Scraper {
    /// Seconds after which the daemon counts as unavailable if it has not answered.
    static let answerSeconds: Int64 = 5
    /// The largest number of scrapers that can wait at the same time.
    private static let limit = 16

    private var pipe: DaemonPipe?
    private var waiting: [(exchange: Exchange, format: MetricsText.Format)] = []
    /// The version of the daemon's protocol, once the daemon has sent it.
    private var version: Int?
    private var status: [String: JSONValue]?
    private let uplink: () -> MetricsText.Uplink?

    /// - Parameters:
    ///   - daemon: The path of the daemon's socket.
    ///   - uplink: Returns what is known of the uplink to the MQTT broker; called when an answer is written.
    init(daemon: String, reactor: Reactor, uplink: @escaping () -> MetricsText.Uplink?) {
        self.uplink = uplink
        pipe = DaemonPipe(
            path: daemon, reactor: reactor, received: { [unowned self] in received($0) },
            lost: { [unowned self] _ in finish(nil) })
    }

    func scrape(_ exchange: Exchange) throws(Refusal) {
        guard waiting.count < Scraper.limit else { throw Refusal(503, "Too many scrapers ask at once.") }
        waiting.append((exchange, Scraper.format(accepted: exchange.header("Accept") ?? "")))
        pipe?.open()
    }

    /// Tells the waiting scrapers that the daemon is unavailable.
    func giveUp() { finish(nil) }

    private func received(_ bytes: [UInt8]) {
        switch EventName(rawValue: LineName.of(bytes)) {
        case .hello where version == nil:
            version = DaemonLine(bytes)?.integer(.protocol) ?? 0
            pipe?.send(DaemonRequest(.status))
            pipe?.send(DaemonRequest(.energy).with(.id, "energy"))
        case .status: status = DaemonLine(bytes)?.members
        case .energy: finish(DaemonLine(bytes)?.members ?? [:])
        // The daemon refuses the request for the energy if the board's power draws are unknown, or if this client is
        // not allowed to see them.
        case .error: finish([:])
        default: break
        }
    }

    /// Answers the waiting scrapers, and closes the connection.
    ///
    /// - Parameter energy: The members of the daemon's answer to `energy`; nil if the daemon is unavailable.
    private func finish(_ energy: [String: JSONValue]?) {
        pipe?.close()
        let asked = waiting
        var source: MetricsText.Source?
        if let status, let energy, let version {
            source = MetricsText.Source(status: status, energy: energy, protocolVersion: version)
        }
        (waiting, status, version) = ([], nil, nil)
        for (exchange, format) in asked {
            var text = TextBuffer(capacity: 1 << 14)
            MetricsText.append(source, uplink: uplink(), format, to: &text)
            let bytes = text.bytes
            exchange.answer(200, bytes, type: "\(format.contentType)", headers: PageText.noStore)
        }
    }

    /// The format of the answer: OpenMetrics if the scraper accepts it, otherwise Prometheus's own text format.
    ///
    /// - Parameter accepted: The value of the header `Accept`, such as
    ///   `application/openmetrics-text;version=1.0.0,text/plain`.
    static func format(accepted: String) -> MetricsText.Format {
        let wantsOpenMetrics = accepted.split(separator: ",").contains { kind in
            let words = kind.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            return words.first == "application/openmetrics-text" && words.contains("version=1.0.0")
        }
        return wantsOpenMetrics ? .openMetrics : .plain
    }
}
