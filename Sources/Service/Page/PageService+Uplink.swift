internal import MetricsText
internal import SextantJSON
internal import SextantReactor

/// What the uplink says of itself, in a file and without any place or secret.
extension PageService {
    func publishUplink() {
        // An event of the stream is one line.
        if let members = uplinkMembers { publish(.uplink, Array(JSONValue.object(members).text.utf8)) }
    }

    /// What metrics of the uplink are made from; nil where none has run.
    var uplinkMetrics: MetricsText.Uplink? { uplinkMembers.map { MetricsText.Uplink(members: $0, now: reactor.utc) } }

    private var uplinkMembers: [String: JSONValue]? {
        guard let bytes = PageAssets.read(settings.uplinkStatus),
            case .object(let members)? = try? JSONValue(parsing: bytes)
        else { return nil }
        return members
    }
}
