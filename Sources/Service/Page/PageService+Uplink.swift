internal import MetricsText
internal import Programs
internal import SextantJSON
internal import SextantReactor

/// The uplink's status file, which contains neither positions nor secrets.
extension PageService {
    func publishUplink() {
        // The status is written as JSON in one line, since the data of a Server-Sent Event must be one line.
        if let members = uplinkMembers { publish(.uplink, Array(JSONValue.object(members).text.utf8)) }
    }

    /// The uplink's status for the metrics; nil if no uplink has run.
    var uplinkMetrics: MetricsText.Uplink? { uplinkMembers.map { MetricsText.Uplink(members: $0, now: reactor.utc) } }

    private var uplinkMembers: JSONMembers? {
        ((try? GuardedFile.read(settings.uplinkStatus)) ?? nil).flatMap { JSONMembers(parsing: $0) }
    }
}
