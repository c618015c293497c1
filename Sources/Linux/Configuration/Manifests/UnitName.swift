/// The rules for names of systemd units (systemd.unit(5)).
enum UnitName {
    static let expectedOfProcess =
        "a unit that has processes, such as \"tracker.service\", or \"user@1000.service/tracker.service\" for a user's"
    static let expectedToWake = "a service of the system, such as \"tracker.service\", of letters, digits and :_.@-"

    /// Whether a text names a systemd service or scope: of the system, or of a user's manager as
    /// `user@UID.service/NAME`.
    static func isOfProcess(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return isUnit(parts[0], suffixes: [".service", ".scope"], allowsBackslash: true)
        case 2:
            return parts[0].hasPrefix("user@") && isUnit(parts[0], suffixes: [".service"], allowsBackslash: false)
                && isUnit(parts[1], suffixes: [".service", ".scope"], allowsBackslash: true)
        default: return false
        }
    }

    /// Whether a text names a service of the system that can be started for a client that does not run.
    ///
    /// The name must also be usable as a file name and as the instance name of a systemd template.
    static func canBeWoken(_ text: String) -> Bool {
        text.utf8.count <= 200 && isUnit(text[...], suffixes: [".service"], allowsBackslash: false)
    }

    private static func isUnit(_ name: Substring, suffixes: [String], allowsBackslash: Bool) -> Bool {
        guard name.utf8.count <= 255, let first = name.utf8.first, isLetterOrDigit(first),
            suffixes.contains(where: { name.hasSuffix($0) && name.utf8.count > $0.utf8.count })
        else { return false }
        return name.utf8.allSatisfy { byte in
            isLetterOrDigit(byte) || ":_.@-".utf8.contains(byte) || allowsBackslash && byte == UInt8(ascii: "\\")
        }
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
