internal import Doctor
internal import SextantJSON

/// The findings of the doctor's examination of a host, as lines of text for the user.
enum DoctorLines {
    static func text(of examination: Examination) -> [String] {
        var lines = examination.findings.flatMap { finding in
            ["\(finding.severity.rawValue): \(finding.what) (\(finding.check.rawValue))", "    \(finding.mend)"]
        }
        let found = Set(examination.findings.filter { $0.severity != .note }.map(\.check))
        lines += examination.made.filter { !found.contains($0) }.map { "right: \($0.subject)" }
        return lines + leftOut(examination) + [summary(examination)]
    }

    /// The checks that were not made, with the reasons; checks with the same reason share a line.
    private static func leftOut(_ examination: Examination) -> [String] {
        var reasons: [String] = []
        for skipped in examination.skipped where !reasons.contains(skipped.reason) { reasons.append(skipped.reason) }
        return reasons.map { reason in
            let subjects = examination.skipped.filter { $0.reason == reason }.map(\.check.subject)
            return "left out (\(reason)): \(subjects.joined(separator: "; "))"
        }
    }

    private static func summary(_ examination: Examination) -> String {
        guard !examination.isContent else { return "nothing wrong" }
        let counts = [Finding.Severity.problem, .warning].map { severity in
            (severity, examination.findings.count { $0.severity == severity })
        }
        return counts.filter { $0.1 > 0 }.map { Text.plural(Double($0.1), $0.0.rawValue) }
            .joined(separator: ", ")
    }

    static func objects(of examination: Examination) -> [String] {
        examination.findings.map { finding in
            var text = TextBuffer()
            text.beginObject()
            text.member("\"check\":", finding.check.rawValue)
            text.member("\"severity\":", finding.severity.rawValue)
            text.member("\"what\":", finding.what)
            append("\"mend\":", finding.mend, to: &text)
            text.endObject()
            return string(text)
        }
    }

    static func append(_ key: StaticString, _ mend: Mend, to text: inout TextBuffer) {
        text.member(key, mend.action)
        text.member("\"file\":", mend.place?.path)
        text.member("\"line\":", mend.place?.line)
    }

    static func string(_ text: borrowing TextBuffer) -> String {
        text.string
    }
}
