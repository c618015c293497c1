import Foundation
import Glibc
import SextantSockets
import TestSupport
import Testing

@Suite("WakeFiles")
struct WakeFilesTests {
    /// A run directory of its own for one test, removed with what is in it.
    final class RunFolder {
        let path = "/tmp/sextant-test-\(getpid())-\(UInt32.random(in: .min ... .max))"
        init() { precondition(unsafe mkdir(path, 0o755) == 0) }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        func names(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted()
        }
    }

    let run = RunFolder()
    let files: WakeFiles
    private let reason = WakeFiles.Reason(client: "tracker", service: "region")

    init() throws {
        files = WakeFiles(folder: run.path)
        try files.prepare()
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test func `a start is requested by a file named after the service that contains the reason`() throws {
        try files.ask(.start, of: "tracker.service", because: reason)
        #expect(try run.names("wake") == ["tracker"])
        #expect(try run.names("wake-stop") == [])
        let text = try String(contentsOfFile: "\(run.path)/wake/tracker", encoding: .utf8)
        #expect(text == "{\"client\":\"tracker\",\"launchReason\":\"location\",\"service\":\"region\"}\n")
    }

    @Test func `a start at a border says which region and which event, and nothing else`() throws {
        let crossing = WakeFiles.Reason.Crossing(region: "home", event: "enter")
        try files.ask(
            .start, of: "gate.service",
            because: WakeFiles.Reason(client: "tracker", service: "regions", crossing: crossing))
        #expect(
            try String(contentsOfFile: "\(run.path)/wake/gate", encoding: .utf8)
                == "{\"client\":\"tracker\",\"launchReason\":\"location\",\"service\":\"regions\","
                + "\"region\":\"home\",\"event\":\"enter\"}\n")
        #expect(try run.names("woken") == [])
    }

    @Test func `a stop is requested in its own folder`() throws {
        try files.ask(.stop, of: "fleet@2.service", because: reason)
        #expect(try run.names("wake") == [])
        #expect(try run.names("wake-stop") == ["fleet@2"])
    }

    @Test func `only the daemon and its group may read a request`() throws {
        try files.ask(.start, of: "tracker.service", because: reason)
        #expect(mode("\(run.path)/wake/tracker") == 0o640)
        #expect(mode("\(run.path)/wake") == 0o750)
    }

    @Test func `repeating a request replaces its file as a whole`() throws {
        try files.ask(.start, of: "tracker.service", because: reason)
        let held = try #require(FileHandle(forReadingAtPath: "\(run.path)/wake/tracker"))
        try files.ask(.start, of: "tracker.service", because: WakeFiles.Reason(client: "tracker", service: "visit"))
        #expect(String(decoding: try #require(try held.readToEnd()), as: UTF8.self).contains("\"region\""))
        #expect(try String(contentsOfFile: "\(run.path)/wake/tracker", encoding: .utf8).contains("\"visit\""))
        #expect(try run.names("wake") == ["tracker"])
    }

    @Test func `withdrawing a request tells whether systemd had taken it`() throws {
        try files.ask(.start, of: "tracker.service", because: reason)
        #expect(try files.withdraw(.start, of: "tracker.service") == .unanswered)
        #expect(try run.names("wake") == [])
        #expect(try files.withdraw(.start, of: "tracker.service") == .taken)
        #expect(
            WakeFiles.mend(.start, of: "tracker.service")
                == "no path unit answers wake requests for tracker.service; enable it: "
                + "systemctl enable --now sextant-wake@tracker.path")
        #expect(WakeFiles.mend(.stop, of: "tracker.service").hasSuffix("sextant-wake-stop@tracker.path"))
    }

    @Test func `a new daemon withdraws what an earlier one requested`() throws {
        try files.ask(.start, of: "tracker.service", because: reason)
        try files.ask(.stop, of: "tracker.service", because: reason)
        try files.prepare()
        #expect(try run.names("wake") == [])
        #expect(try run.names("wake-stop") == [])
    }

    @Test(arguments: ["../etc/passwd.service", "a/b.service", ".service", ".a.service", "-a.service", "a", "a.target"])
    func `a unit name that would lead to another file is refused`(unit: String) {
        #expect(throws: WakeFileError(.invalidUnit, path: unit)) {
            try files.ask(.start, of: unit, because: reason)
        }
    }

    @Test func `a symbolic link in a request's place is replaced and not followed`() throws {
        let victim = "\(run.path)/victim"
        #expect(FileManager.default.createFile(atPath: victim, contents: Data("kept".utf8)))
        #expect(unsafe symlink(victim, "\(run.path)/wake/tracker") == 0)
        #expect(unsafe symlink(victim, "\(run.path)/wake/.tracker.new") == 0)
        try files.ask(.start, of: "tracker.service", because: reason)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "kept")
    }

    @Test func `a missing directory is named with the remedy`() throws {
        let files = WakeFiles(folder: "\(run.path)/absent")
        let folder = "\(run.path)/absent/wake"
        let error = #expect(throws: WakeFileError.self) { try files.prepare() }
        #expect(error?.kind == .noFolder)
        #expect(
            error?.description == "\(folder): its directory does not exist; no unit can be started or stopped; "
                + "create it, as RuntimeDirectory=sextant does")
        #expect(throws: WakeFileError.self) { try files.ask(.start, of: "a.service", because: reason) }
    }

    @Test(arguments: [
        (ENOSPC, WakeFileError.Kind.full, "make room there"), (EROFS, .notWritable, "RuntimeDirectory=sextant"),
        (EACCES, .notWritable, "RuntimeDirectory=sextant"),
    ])
    func `errors for full and read-only directories give a remedy`(errno: Int32, kind: WakeFileError.Kind, mend: String)
    {
        let error = WakeFileError(kind, path: "/run/sextant/wake/a", errno: errno)
        #expect(error.description.hasPrefix("/run/sextant/wake/a: "))
        #expect(error.description.contains(mend))
    }

    @Test(.enabled(if: SmallFileSystem() != nil, "needs to be allowed to mount a small file system"))
    func `a full or read-only file system leaves the last request intact`() throws {
        let small = try #require(SmallFileSystem())
        let files = WakeFiles(folder: small.path)
        try files.prepare()
        try files.ask(.start, of: "tracker.service", because: reason)
        try small.fill()
        var error = #expect(throws: WakeFileError.self) {
            try files.ask(.start, of: "tracker.service", because: reason)
        }
        #expect(error?.kind == .full)
        let wake = "\(small.path)/wake"
        #expect(try FileManager.default.contentsOfDirectory(atPath: wake) == ["tracker"])
        small.makeReadOnly()
        error = #expect(throws: WakeFileError.self) {
            try files.ask(.start, of: "tracker.service", because: reason)
        }
        #expect(error?.kind == .notWritable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: wake) == ["tracker"])
    }
}

/// A file system in memory of four pages, unmounted at its end.
private final class SmallFileSystem {
    private let directory = WakeFilesTests.RunFolder()
    var path: String { directory.path }

    /// Nil where nothing may be mounted.
    init?() {
        guard unsafe mount("none", path, "tmpfs", 0, "size=16k") == 0 else { return nil }
    }

    deinit { _ = unsafe umount(path) }

    func fill() throws {
        let filler = unsafe Glibc.open("\(path)/filler", O_WRONLY | O_CREAT, 0o600)
        defer { close(filler) }
        let page = [UInt8](repeating: 1, count: 4096)
        while unsafe Glibc.write(filler, page, page.count) > 0 {}
    }

    func makeReadOnly() {
        // MS_RDONLY and MS_REMOUNT of mount(2).
        precondition(unsafe mount("none", path, "tmpfs", 1 | 32, nil) == 0)
    }
}

@Suite("systemd units")
struct SystemdUnitFileTests {
    private static let analyze = "/usr/bin/systemd-analyze"
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
            "scripts/systemd")

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    }

    @Test(
        .enabled(if: unsafe access(analyze, X_OK) == 0, "needs systemd-analyze, of Debian's package systemd"),
        arguments: ["sextant-wake@tracker.path", "sextant-wake-stop@tracker.path"])
    func `systemd-analyze finds nothing wrong with the units`(instance: String) throws {
        let unit = Self.folder.appendingPathComponent(instance).path
        let program = try ChildProgram(Self.analyze, ["verify", unit], output: .pipe, errors: .output)
        #expect(String(decoding: try program.readToEnd(), as: UTF8.self) == "")
        #expect(try program.waitForEnd() == 0)
    }

    @Test(arguments: WakeFiles.Request.allCases)
    func `each path unit waits for its request file, and acts only on its own instance`(
        request: WakeFiles.Request
    ) throws {
        let file = "\(WakeFiles.standardFolder)/\(request.rawValue)/%i"
        let path = try text("sextant-\(request.rawValue)@.path").split(separator: "\n")
        #expect(path.contains("PathExists=\(file)"))
        let service = try text("sextant-\(request.rawValue)@.service").split(separator: "\n")
        let commands = service.filter { $0.hasPrefix("Exec") }
        let verb = request == .start ? "start" : "stop"
        let taking =
            request == .start ? "mv -f -- \(file) \(WakeFiles.standardFolder)/woken/%i" : "rm -f -- \(file)"
        #expect(
            commands == [
                "ExecStartPre=/usr/bin/\(taking)",
                "ExecStart=+/usr/bin/systemctl \(verb) --no-block -- %i.service",
            ])
        #expect(service.contains("User=sextant"))
    }
}
