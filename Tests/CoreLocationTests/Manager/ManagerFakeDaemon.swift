import CSextantLinux
import Foundation
import Glibc
import SextantSockets
import Testing

@testable import CoreLocation

/// A daemon for tests: it greets, answers what needs an answer, notes every request, and says what a test tells it to.
final class FakeDaemon: @unchecked Sendable {
    // Unchecked: everything that changes is behind the lock.
    let path = "\(SocketFolder.path)/\(UUID().uuidString.prefix(8)).sock"
    private let listener: Int32
    private let lock = NSLock()
    private var connection: Int32 = -1
    private var notes: [[String: Any]] = []
    private var greeting: [String: Any]
    private var kept: [String]
    private var answers = true
    private var reports: [String] = []
    private var isWithoutManifest = false
    private var confirms = true

    static var authorized: [String: Any] {
        [
            "event": "hello", "protocol": 1, "software": "sextantd", "client": "test", "status": "authorizedWhenInUse",
            "accuracyAuthorization": "full", "servicesEnabled": true,
            "capabilities": ["standard", "significantChange", "deferral", "regions", "visits"],
        ]
    }

    /// `kept` are the lines that answer `registrations`, before the last one.
    init(greeting: [String: Any] = FakeDaemon.authorized, kept: [String] = [], isHung: Bool = false) {
        self.greeting = greeting
        self.kept = kept
        answers = !isHung
        listener = clinux_unix_socket(true)
        // Safety: the C string lives for the call.
        let bound = unsafe clinux_unix_bind(listener, path)
        precondition(bound == 0 && clinux_listen(listener, 8) == 0, "no socket at \(path)")
        Thread.detachNewThread { [self] in serve() }
    }

    var client: LocationClient { LocationClient(path: path) }

    func greet(with changes: [String: Any]) {
        lock.withLock { greeting.merge(changes) { _, new in new } }
    }

    /// The requests so far, but those that every client makes.
    func requests(_ name: String? = nil) -> [[String: Any]] {
        let own: Set<String> = ["ping", "registrations"]
        return lock.withLock { notes }.filter { note in
            let request = note["request"] as? String ?? ""
            return name.map { $0 == request } ?? !own.contains(request)
        }
    }

    /// Members of a location each, sent to every session that begins to watch.
    func report(_ members: [String]) {
        lock.withLock { reports = members }
    }

    func keep(_ lines: [String]) {
        lock.withLock { kept = lines }
    }

    /// Refuses to list registrations, as for a program without a manifest.
    func loseManifest() {
        lock.withLock { isWithoutManifest = true }
    }

    /// Whether a request for updates is answered.
    func confirmsWatches(_ confirms: Bool) {
        lock.withLock { self.confirms = confirms }
    }

    /// The member of a line that answers the newest request for one location, with that request's name.
    func locateName() throws -> String {
        #","id":"\#(try #require(requests("locateOnce").last?["id"] as? String))""#
    }

    func forgetRequests() {
        lock.withLock { notes = [] }
    }

    func send(_ lines: String...) {
        write(lines)
    }

    /// Greets on the connection that there is, as a daemon does when the client's manifest has changed.
    func greetAgain() {
        write([lock.withLock { Self.text(greeting) }])
    }

    /// Ends the connection, as a daemon does that crashes.
    func hangUp() {
        lock.withLock { _ = shutdown(connection, Int32(SHUT_RDWR)) }
    }

    private func write(_ lines: [String]) {
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        lock.withLock {
            // Safety: the bytes live for the call.
            _ = unsafe bytes.withUnsafeBytes { unsafe clinux_send(connection, $0.baseAddress, $0.count) }
        }
    }

    private func serve() {
        while clinux_wait_readable(listener, -1) == 1 {
            let accepted = clinux_accept(listener)
            guard accepted >= 0 else { continue }
            lock.withLock { connection = accepted }
            let isHung = lock.withLock { !answers }
            if isHung { continue }
            write([lock.withLock { Self.text(greeting) }])
            read(accepted)
            lock.withLock { connection = -1 }
            close(accepted)
        }
    }

    private func read(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var lines = LineAssembler(separators: .newline, limit: 1 << 20)
        while clinux_wait_readable(descriptor, -1) == 1 {
            // Safety: the buffer lives for the call, which is told its size.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            lines.push(buffer.span.extracting(0..<count)) { _, line in take(line.indices.map { line[$0] }) }
        }
    }

    private func take(_ line: [UInt8]) {
        let object = try? JSONSerialization.jsonObject(with: Data(line))
        guard let request = object as? [String: Any], let name = request["request"] as? String else { return }
        lock.withLock { notes.append(request) }
        var answer = request.filter { $0.key == "id" || $0.key == "session" }
        switch name {
        case "watchHeading": answer.merge(["event": "watchingHeading", "enabled": true]) { $1 }
        case "rangeBeacons", "stopRangingBeacons":
            answer = request
            answer["request"] = nil
            answer.merge(["event": "ranging", "enabled": name == "rangeBeacons"]) { $1 }
        case "watch" where !lock.withLock({ confirms }): return
        case "watch": answer.merge(["event": "watching", "enabled": true]) { $1 }
        case "unwatch": answer.merge(["event": "watching", "enabled": false]) { $1 }
        case "ping": answer["event"] = "pong"
        case "registrations" where lock.withLock({ isWithoutManifest }):
            answer.merge(["event": "error", "code": "noManifest", "message": "No manifest fits."]) { $1 }
        case "registrations":
            write(kept)
            answer.merge(["event": "registrations", "count": kept.count]) { $1 }
        default: return
        }
        let session = (request["session"] as? Int).map { #","session":\#($0)"# } ?? ""
        let lines = name == "watch" ? lock.withLock { reports }.map { #"{"event":"location",\#($0)\#(session)}"# } : []
        write([Self.text(answer)] + lines)
    }

    private static func text(_ object: [String: Any]) -> String {
        guard let data = try? JSONSerialization.data(withJSONObject: object) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}

/// The folder of this process's sockets, removed when it ends: until then a client may connect anew.
private enum SocketFolder {
    static let path: String = {
        let path = FileManager.default.temporaryDirectory.path + "/sextant-\(UUID().uuidString.prefix(8))"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: SocketFolder.path) }
        return path
    }()
}

extension LocationClient {
    /// Waits for a connection, and until all that was sent before has been told.
    func settled() async {
        while !(await settle()) {}
    }

    /// Waits until all that was sent before has come, whether or not somebody has taken it.
    func pinged() async {
        while !(await ping()) {}
    }
}
