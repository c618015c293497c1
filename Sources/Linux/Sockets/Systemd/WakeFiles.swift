internal import Glibc
internal import SextantJSON
internal import SextantReactor

/// Asks systemd to start or stop a client's service, by creating a file that a systemd path unit waits for.
///
/// `/run/sextant/wake/tracker` asks for the start of `tracker.service`, and `/run/sextant/wake-stop/tracker` for its
/// stop. The daemon is not root and starts nothing itself: a file has an effect only if root has enabled
/// `sextant-wake@tracker.path` for its name. The file's content has no effect on what is started. The unit that takes
/// the request moves the file to `/run/sextant/woken/tracker`, where the started service can read the reason.
public struct WakeFiles: Sendable {
    public static let standardFolder = "/run/sextant"

    /// A kind of request to systemd.
    public enum Request: String, Sendable, CaseIterable {
        case start = "wake"
        case stop = "wake-stop"

        /// The systemd template whose instance takes the request.
        fileprivate var template: String { "sextant-\(rawValue)@" }
    }

    /// Whether systemd took a request before it was withdrawn.
    public enum Withdrawal: Sendable, Equatable {
        /// systemd took the request, or no request was made.
        case taken
        /// systemd did not take the request: its file was still there.
        case unanswered
    }

    /// The reason why a client is started, written into the request's file.
    public struct Reason: Sendable, Equatable {
        public var client: String
        /// The location service that has an event for the client: the name of a `MonitoredService`, such as `regions`.
        public var service: String
        /// The crossing of a region's border for which a service named in a manifest is started; nil if the client
        /// itself is started.
        public var crossing: Crossing?

        public init(client: String, service: String, crossing: Crossing? = nil) {
            self.client = client
            self.service = service
            self.crossing = crossing
        }

        /// A border event of a region in a manifest; it does not reveal the board's position.
        public struct Crossing: Sendable, Equatable {
            /// The region's name in the manifest.
            public var region: String
            /// `enter`, `exit` or `dwell`.
            public var event: String

            public init(region: String, event: String) {
                self.region = region
                self.event = event
            }
        }
    }

    /// The folder to which systemd moves the start requests that it has taken.
    private static let answered = "woken"

    private let root: String

    public init(folder root: String = standardFolder) {
        self.root = root
    }

    /// Makes the request folders, which the daemon's group can read, and removes the requests that an earlier run of
    /// the daemon has left there.
    public func prepare() throws(WakeFileError) {
        for name in Request.allCases.map(\.rawValue) + [WakeFiles.answered] {
            let folder = "\(root)/\(name)"
            guard unsafe mkdir(folder, 0o750) == 0 || errno == EEXIST, unsafe chmod(folder, 0o750) == 0 else {
                throw WakeFileError(path: folder, errno: errno)
            }
            try removeAll(in: folder)
        }
    }

    /// Asks systemd to start or stop a unit, by a file that appears with its whole content; it replaces an earlier one.
    public func ask(_ request: Request, of unit: String, because reason: Reason) throws(WakeFileError) {
        let stem = try WakeFiles.stem(of: unit)
        let folder = "\(root)/\(request.rawValue)"
        // The leading dot hides the unfinished file, so that it does not count as a request.
        let temporary = "\(folder)/.\(stem).new"
        _ = unsafe unlink(temporary)
        do throws(WakeFileError) {
            try WakeFiles.write(reason.line, to: temporary)
            guard unsafe rename(temporary, "\(folder)/\(stem)") == 0 else {
                throw WakeFileError(path: "\(folder)/\(stem)", errno: errno)
            }
        } catch {
            _ = unsafe unlink(temporary)
            throw error
        }
    }

    /// Withdraws a request that is no longer needed: the client has come or gone, or its time to do so has passed.
    public func withdraw(_ request: Request, of unit: String) throws(WakeFileError) -> Withdrawal {
        let path = "\(root)/\(request.rawValue)/\(try WakeFiles.stem(of: unit))"
        if unsafe unlink(path) == 0 { return .unanswered }
        guard errno == ENOENT || errno == ENOTDIR else { throw WakeFileError(path: path, errno: errno) }
        return .taken
    }

    /// A message to the operator: what to do if no path unit takes a request.
    public static func mend(_ request: Request, of unit: String) -> String {
        let stem = unit.hasSuffix(".service") ? String(unit.dropLast(".service".count)) : unit
        return "no path unit answers \(request == .start ? "wake" : "stop") requests for \(unit); enable it: "
            + "systemctl enable --now \(request.template)\(stem).path"
    }
}

extension WakeFiles {
    /// The service's name without its suffix, which is the template's instance name and the file's name.
    private static func stem(of unit: String) throws(WakeFileError) -> String {
        let stem = unit.hasSuffix(".service") ? unit.dropLast(".service".count) : ""
        let isPlain = stem.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: ":_.@-".utf8.contains(byte)
            }
        }
        guard isPlain, (1...200).contains(stem.utf8.count), let first = stem.first, first.isLetter || first.isNumber
        else { throw WakeFileError(.invalidUnit, path: unit) }
        return String(stem)
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(WakeFileError) {
        let mode: mode_t = 0o640
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard number >= 0 else { throw WakeFileError(path: path, errno: errno) }
        let file = Descriptor(adopting: number)
        // The mode is set again, because the umask may have reduced it when the file was created.
        guard file.withRawValue({ fchmod($0, mode) }) == 0 else { throw WakeFileError(path: path, errno: errno) }
        var offset = 0
        while offset < bytes.count {
            switch file.write(bytes.span.extracting(offset...)) {
            case .bytes(let count): offset += count
            case .wouldBlock: throw WakeFileError(path: path, errno: EAGAIN)
            case .disconnected(let code): throw WakeFileError(path: path, errno: code)
            }
        }
    }

    private func removeAll(in folder: String) throws(WakeFileError) {
        let names: [String]
        do throws(SystemError) {
            names = try FolderListing.names(in: folder)
        } catch {
            throw WakeFileError(path: folder, errno: error.errno)
        }
        for name in names {
            guard unsafe unlink("\(folder)/\(name)") == 0 || errno == ENOENT else {
                throw WakeFileError(path: "\(folder)/\(name)", errno: errno)
            }
        }
    }
}

extension WakeFiles.Reason {
    /// The reason as one JSON object and a line feed.
    fileprivate var line: [UInt8] {
        var text = TextBuffer(capacity: 256)
        text.beginObject()
        text.member("\"client\":", client)
        text.member("\"launchReason\":", literal: "location")
        text.member("\"service\":", service)
        if let crossing {
            text.member("\"region\":", crossing.region)
            text.member("\"event\":", crossing.event)
        }
        text.endObject()
        text.append(0x0A)
        return text.bytes
    }
}
