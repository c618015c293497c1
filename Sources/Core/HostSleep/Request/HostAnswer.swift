internal import SextantJSON

/// The helper's answer to a request to switch the host off, in a file that the daemon reads.
public struct HostAnswer: Sendable, Equatable {
    /// Why the request was refused, in one line for people.
    public struct Refusal: Sendable, Equatable {
        public var reason: String
        /// The names of those who were logged in or held an inhibitor when logind was to be asked; empty if there were
        /// none, or if the request was refused earlier.
        public var by: [String]

        public init(reason: String, by: [String] = []) {
            self.reason = reason
            self.by = by
        }
    }

    /// The `digest` of the request that is answered; empty where the request could not be read.
    public var request: String
    /// Why the host is not switched off; nil where logind has accepted, so that the host is stopping.
    public var refusal: Refusal?

    public init(to request: String, refusal: Refusal?) {
        self.request = request
        self.refusal = refusal
    }

    /// Reads an answer in JSON: `request`, `accepted` and, if refused, `reason` and `by` (those who kept the host on).
    public init(parsing bytes: [UInt8]) throws(HostFileError) {
        var members = try CheckedMembers(parsing: bytes)
        request = try members.text("request")
        if try !members.bool("accepted") {
            refusal = Refusal(reason: try members.text("reason"), by: try members.texts("by"))
        }
        try members.finish()
    }

    public var text: String {
        var members: [String: JSONValue] = ["request": .string(request), "accepted": .bool(refusal == nil)]
        if let refusal {
            members["reason"] = .string(refusal.reason)
            members["by"] = .array(refusal.by.map { .string($0) })
        }
        return CheckedMembers.text(of: members)
    }
}
