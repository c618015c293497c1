/// A client as an operator installs it: its manifest, and what the policy decides for it beforehand.
struct BenchClient {
    /// Also the name of its program, by which the daemon knows it.
    var name = "tracker"
    /// Another program by which the daemon knows it; nil for the one of its name.
    var executable: String?
    /// `always`, `whenInUse`, `denied`, `restricted`; nil: somebody is asked.
    var authorization: String? = "always"
    /// `full`, `reduced`; nil: somebody is asked.
    var accuracy: String?
    /// The text for each purpose; nil for none.
    var whenInUse: String? = "Shows where the boat is."
    var always: String? = "Tells when the boat leaves the harbour."
    /// What else is in its manifest, such as `backgroundMode: true,`.
    var members = ""

    /// One that nothing was decided about.
    static func undecided(_ name: String = "tracker", _ members: String = "") -> BenchClient {
        BenchClient(name: name, authorization: nil, members: members)
    }

    /// Its manifest.
    func manifest(executable: String) -> String {
        let purposes = [("whenInUse", whenInUse), ("always", always)].compactMap { key, text in
            text.map { "\(key): '\($0)'," }
        }
        // A manifest that has `purpose` itself decides all of it.
        let purpose = members.contains("purpose:") ? "" : "purpose: { \(purposes.joined(separator: " ")) },"
        return "{ executable: '\(executable)', \(purpose) \(members) }"
    }

    /// Its line in the policy; nil where there is none.
    var rule: String? {
        guard authorization != nil || accuracy != nil else { return nil }
        let members = [("authorization", authorization), ("accuracy", accuracy)].compactMap { key, word in
            word.map { "\(key): '\($0)'" }
        }
        return "'\(name)': { \(members.joined(separator: ", ")) },"
    }
}
