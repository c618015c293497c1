/// Something that a check found, and how to mend it.
public struct Finding: Sendable, Equatable {
    public enum Severity: String, Sendable, CaseIterable {
        /// Something does not work, or will not after the next start.
        case problem
        /// Something works, but not always, or not as well as it could.
        case warning
        /// Something to know.
        case note
    }

    public var check: Check
    public var severity: Severity
    /// The first half of a sentence: what is wrong.
    public var what: String
    /// The second half of the sentence: how to mend it.
    public var mend: Mend

    init(_ check: Check, _ what: String, _ mend: Mend) { self.init(check, .problem, what, mend) }

    init(_ check: Check, _ severity: Severity, _ what: String, _ mend: Mend) {
        self.check = check
        self.severity = severity
        self.what = what
        self.mend = mend
    }

    /// All of it in one line.
    public var line: String { "\(what); \(mend)" }
}

/// That a check could not be made, and why.
struct Skipped: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }

    static let noBootFile = Skipped("there is no config.txt")
    static let unmountedBoot = Skipped("the boot partition is not mounted here")
    static let noPi = Skipped("this is no Raspberry Pi that is known")
    static let noBoard = Skipped("no board is named, so nothing is known of lines and sensors")
    static let noDevice = Skipped("no receiver's device is known")
    static let noUser = Skipped("no unit sextantd.service says who runs the daemon")
    static let notRunning = Skipped("the system does not run")
}

/// The outcome of all checks of a system.
public struct Examination: Sendable, Equatable {
    /// By how much they matter, then by check.
    public private(set) var findings: [Finding] = []
    /// Those that were made, whatever they found.
    public private(set) var made: [Check] = []
    public private(set) var skipped: [(check: Check, reason: String)] = []

    public init(_ facts: HostFacts, _ checks: [Check] = Check.allCases) {
        for check in checks {
            do throws(Skipped) {
                findings += try check.examine(facts)
                made.append(check)
            } catch {
                skipped.append((check, error.reason))
            }
        }
        let order = Finding.Severity.allCases
        findings = order.flatMap { severity in findings.filter { $0.severity == severity } }
    }

    /// Whether there is something to mend.
    public var isContent: Bool { findings.allSatisfy { $0.severity == .note } }

    public static func == (left: Examination, right: Examination) -> Bool {
        left.findings == right.findings && left.made == right.made
            && left.skipped.elementsEqual(right.skipped) { $0 == $1 }
    }
}
