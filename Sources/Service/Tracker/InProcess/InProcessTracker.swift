internal import Boards
public import Configuration
internal import Glibc
public import Logging
internal import SextantReactor
internal import Synchronization

/// The whole of sextantd inside another program, for a single program with its own location tracker, and for tests.
///
/// ```swift
/// let tracker = try InProcessTracker(TrackerSettings(board: try BoardFile.board(at: "zero-2w-neo-m8n")))
/// let manager = CLLocationManager()
/// ```
///
/// The tracker runs on a thread of its own, and the program connects to it like to any daemon, over a socket that only
/// its user can open. So everything behaves as with the daemon, except that the program is allowed everything, since
/// there is no operator. Start the tracker before using anything of Core Location, which looks for the daemon only
/// once.
public final class InProcessTracker: Sendable {
    private let folder: String
    private let stopper: Mailbox<Void>

    /// Starts the tracker, and makes it the daemon that this program's Core Location talks to.
    ///
    /// - Parameters:
    ///   - settings: The daemon's settings; the socket, the gpsd port and the clients' manifests in them are not used.
    ///   - logger: The log for later errors.
    /// - Throws: `TrackerError`, `SystemError`, or a `ConfigurationError` of the board; each says what is faulty and
    ///   what to do.
    public init(_ settings: TrackerSettings, logger: Logger = Logger(label: "sextant")) throws {
        folder = try InProcessTracker.makeFolder()
        var settings = settings
        settings.socket = "\(folder)/sextant.sock"
        settings.socketMode = 0o600
        settings.gpsdPort = nil
        settings.clients = .everyone
        let reactor = try Reactor()
        let hardware = LinuxTrackerHardware(
            device: settings.device, lines: settings.board?.lines ?? [:], sensors: settings.board?.sensors,
            reactor: reactor)
        let tracker = try Tracker(settings, hardware: hardware, reactor: reactor, logger: logger)
        try tracker.start()
        stopper = try reactor.makeMailbox(capacity: 1) { [unowned reactor] (_: Void) in reactor.stop() }
        try Thread.start("sextant") { [folder] in
            do { try reactor.run() } catch { logger.critical("\(error)") }
            tracker.stop()
            withExtendedLifetime(hardware) {}
            InProcessTracker.remove(folder)
        }
        unsafe setenv("SEXTANT_SOCKET", settings.socket, 1)
    }

    /// Ends the tracker; the receiver is left in the state in which the daemon leaves it when it stops.
    deinit { _ = stopper.post(()) }

    // MARK: The folder of the socket

    /// The folders of the running trackers, so that they are removed even if the program exits without ending a
    /// tracker.
    private static let folders = Mutex<[String]>([])
    private static let isCleaned: Bool =
        atexit { for folder in InProcessTracker.folders.withLock({ $0 }) { remove(folder) } } == 0

    private static func remove(_ folder: String) {
        folders.withLock { $0.removeAll { $0 == folder } }
        _ = unsafe unlink("\(folder)/sextant.sock")
        _ = unsafe rmdir(folder)
    }

    private static func makeFolder() throws -> String {
        let parent = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/sextant-XXXXXX".utf8CString)
        // Safety: the array ends in a zero and outlives the call, which changes six of its bytes.
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let path = buffer.baseAddress else { return false }
            return unsafe mkdtemp(path) != nil
        }
        guard made else { throw InProcessError.noFolder(parent, errno: errno) }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        _ = isCleaned
        folders.withLock { $0.append(folder) }
        return folder
    }
}

/// The reason why a tracker cannot run inside a program.
public enum InProcessError: Error, CustomStringConvertible {
    /// In this folder, no folder for the tracker's socket can be made.
    case noFolder(String, errno: Int32)

    public var description: String {
        switch self {
        case .noFolder(let parent, let errno):
            "\(parent): no folder for a socket can be made: \(SystemError.text(of: errno)); "
                + "set XDG_RUNTIME_DIR to a folder of this user's"
        }
    }
}
