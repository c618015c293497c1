/// A fault that a check found, and how to mend it.
public struct Finding: Sendable, Equatable {
    public enum Severity: String, Sendable, CaseIterable {
        /// Something does not work, or will not work after the next start.
        case problem
        /// Something works, but unreliably or worse than it could work.
        case warning
        /// A fact that needs no action.
        case note
    }

    public var check: Check
    public var severity: Severity
    /// The fault in words; `mend` completes the sentence.
    public var what: String
    /// The remedy for the fault; its words complete the sentence that `what` begins.
    public var mend: Mend

    init(_ check: Check, _ what: String, _ mend: Mend) { self.init(check, .problem, what, mend) }

    init(_ check: Check, _ severity: Severity, _ what: String, _ mend: Mend) {
        self.check = check
        self.severity = severity
        self.what = what
        self.mend = mend
    }

    /// The check's name, the fault and the remedy in one line.
    public var line: String { "\(what); \(mend)" }
}

/// Why a check could not be made.
struct Skipped: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }

    static let noBootFile = Skipped("there is no config.txt")
    static let unmountedBoot = Skipped("the boot partition is not mounted here")
    static let noPi = Skipped("this is not a known Raspberry Pi")
    static let noBoard = Skipped("no board is named, so nothing is known of lines and sensors")
    static let noDevice = Skipped("no receiver's device is known")
    static let noUser = Skipped("no unit sextantd.service names the daemon's user")
    static let notRunning = Skipped("the system is not running")
}

/// The outcome of all checks on a system.
public struct Examination: Sendable, Equatable {
    /// The findings, the most severe first; findings of equal severity in the order of the checks.
    public private(set) var findings: [Finding] = []
    /// The checks that were made, whether they found a fault or not.
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

    /// Whether there is nothing to mend: no finding is more severe than `note`.
    public var isContent: Bool { findings.allSatisfy { $0.severity == .note } }

    public static func == (left: Examination, right: Examination) -> Bool {
        left.findings == right.findings && left.made == right.made
            && left.skipped.elementsEqual(right.skipped) { $0 == $1 }
    }
}
