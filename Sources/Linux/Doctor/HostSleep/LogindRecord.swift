/// One of the files in which logind keeps its shutdown locks and its sessions while it restarts: lines of `KEY=value`.
///
/// The first line of these files says that their format is private to systemd. The library sd-login, too, reads
/// sessions from these files; for locks there is no other source than these files and D-Bus. If a later release of
/// systemd changes the format, a lock or a session counts as unreadable and keeps the host on.
///
/// Source: systemd 252 to 257, `src/login/logind-inhibit.c`, inhibitor_save(), and `src/login/logind-session.c`,
/// session_save(). Reading locks was tried with logind of systemd 252; reading sessions was not tried.
struct LogindRecord: Equatable {
    /// The file's name, which is the number of the lock or the ID of the session.
    var id: String
    private var fields: [Substring: Substring] = [:]

    init(id: String, bytes: [UInt8]) {
        self.id = id
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            guard let index = line.firstIndex(of: "=") else { continue }
            fields[line[..<index]] = line[line.index(after: index)...]
        }
    }

    /// The value of a key, as it stands in the file; nil if the value is empty or the key is missing.
    subscript(key: Substring) -> String? { fields[key].flatMap { $0.isEmpty ? nil : String($0) } }

    /// The value of a key as it can be shown: without quotes and escapes, and cut to 64 characters; nil if the key is
    /// missing.
    func text(_ key: Substring) -> String? { self[key].map(LogindRecord.readable) }

    private static let longestText = 64

    /// Removes the quotes of systemd's environment files (since 253) and undoes C escapes, which systemd writes for all
    /// bytes outside printable ASCII.
    private static func readable(_ value: String) -> String {
        var bytes = Array(value.utf8)
        if bytes.count > 1, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") {
            bytes = unescaped(bytes.dropFirst().dropLast(), knowsOctal: false)
        }
        let text = String(decoding: unescaped(bytes[...], knowsOctal: true), as: UTF8.self)
        return String(text.prefix(longestText).map { $0.isPrintable ? $0 : "?" })
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>, knowsOctal: Bool) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.first else {
                result.append(byte)
                continue
            }
            let digits = rest.prefix(3).map { $0 &- UInt8(ascii: "0") }
            if knowsOctal, digits.count == 3, digits.allSatisfy({ $0 < 8 }) {
                result.append(digits[0] << 6 | digits[1] << 3 | digits[2])
                rest = rest.dropFirst(3)
            } else {
                result.append(next)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}

extension Character {
    /// Whether a terminal shows the character and is not controlled by it.
    fileprivate var isPrintable: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }
}

/// The files about locks, or those about sessions, that logind keeps in a folder.
struct LogindRecords: Equatable {
    var records: [LogindRecord] = []
    /// The paths of files that could not be read, or whose content is damaged.
    var unreadable: [String] = []

    /// The largest number of files that are read from a folder of logind's.
    private static let maximumRead = 512

    /// Reads a folder of logind's; a file that vanishes during the reading belongs to a lock or a session that has
    /// ended.
    ///
    /// - Parameter needed: The key that each file must contain; a file without it counts as damaged.
    init(in folder: String, needing needed: Substring, _ files: some SystemFiles) {
        guard let names = files.namesIfAny(in: folder) else {
            unreadable = [folder]
            return
        }
        // A file with the suffix `.ref` is a pipe by which logind notices that its client has ended. A name that begins
        // with a dot belongs to a file that is still being written.
        let ids = names.filter { !$0.hasPrefix(".") && !$0.hasSuffix(".ref") }.sorted()
        for id in ids.prefix(LogindRecords.maximumRead) {
            let path = "\(folder)/\(id)"
            switch files.read(path) {
            case .missing: continue
            case .unreadable: unreadable.append(path)
            case .bytes(let bytes):
                let record = LogindRecord(id: id, bytes: bytes)
                if record[needed] == nil { unreadable.append(path) } else { records.append(record) }
            }
        }
        if ids.count > LogindRecords.maximumRead { unreadable.append("the rest of \(folder)") }
    }
}
