import Foundation
import HostHelper
import HostSleep
import TestSupport
import Testing

/// A bus of the test's own, on which a stand-in for logind answers.
///
/// A class, because both programs end with it.
private final class PrivateBus {
    static let isPossible: Bool = {
        let found = try? ChildProgram(
            "/usr/bin/python3", ["-c", "import dbus, gi.repository.GLib"], output: .nothing, errors: .nothing)
        guard let found, (try? found.waitForEnd()) == 0 else { return false }
        return FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")
    }()

    private let daemon: ChildProgram
    private let logind: ChildProgram
    private let log: String
    let address: String

    /// Starts both.
    ///
    /// - Parameters:
    ///   - sessions: User, class and seat.
    ///   - inhibitors: What, mode, who and why.
    ///   - refusal: What logind says to a power-off; nil where it accepts.
    init(
        in folder: String, sessions: [[String]] = [], inhibitors: [[String]] = [], refusal: String? = nil
    ) throws {
        address = "unix:path=\(folder)/bus"
        let configuration = """
            <busconfig><listen>\(address)</listen><auth>EXTERNAL</auth><policy context="default">
            <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
            </policy></busconfig>
            """
        try configuration.write(toFile: "\(folder)/bus.conf", atomically: true, encoding: .utf8)
        daemon = try ChildProgram("dbus-daemon", ["--nofork", "--config-file=\(folder)/bus.conf"])
        try waitUntil("the bus") { FileManager.default.fileExists(atPath: "\(folder)/bus") }
        let world = ["sessions": sessions, "inhibitors": inhibitors, "refusal": refusal.map { [[$0]] } ?? []]
        let json = try JSONEncoder().encode(world)
        log = "\(folder)/logind.log"
        logind = try ChildProgram(
            "/usr/bin/python3", ["-c", PrivateBus.stand, String(decoding: json, as: UTF8.self)],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin"], output: .file(log))
        let log = log
        try waitUntil("logind's stand-in") {
            (try? String(contentsOfFile: log, encoding: .utf8))?.contains("ready") == true
        }
    }

    /// The power-offs that were asked for, each with whether somebody might be asked for a password.
    var asked: [Substring] {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.hasPrefix("PowerOff") }
    }

    private static let stand = """
        import dbus, dbus.service, dbus.mainloop.glib, json, sys
        from gi.repository import GLib
        world = json.loads(sys.argv[1])
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.SystemBus()
        name = dbus.service.BusName("org.freedesktop.login1", bus)
        MANAGER = "org.freedesktop.login1.Manager"

        class Session(dbus.service.Object):
            def __init__(self, path, kind):
                super().__init__(bus, path)
                self.kind = kind

            @dbus.service.method(dbus.PROPERTIES_IFACE, in_signature="ss", out_signature="v")
            def Get(self, interface, key):
                if not self.kind:
                    raise dbus.exceptions.DBusException("gone", name="org.freedesktop.DBus.Error.Failed")
                return self.kind

        class Manager(dbus.service.Object):
            @dbus.service.method(MANAGER, in_signature="", out_signature="a(susso)")
            def ListSessions(self):
                return [(str(i), 1000, s[0], s[2], f"/s/{i}") for i, s in enumerate(world["sessions"])]

            @dbus.service.method(MANAGER, in_signature="", out_signature="a(ssssuu)")
            def ListInhibitors(self):
                return [(i[0], i[2], i[3], i[1], 0, 1) for i in world["inhibitors"]]

            @dbus.service.method(MANAGER, in_signature="b", out_signature="")
            def PowerOff(self, interactive):
                print("PowerOff", bool(interactive), flush=True)
                if world["refusal"]:
                    raise dbus.exceptions.DBusException(
                        world["refusal"][0][0], name="org.freedesktop.DBus.Error.InteractiveAuthorizationRequired")

        objects = [Manager(bus, "/org/freedesktop/login1")]
        objects += [Session(f"/s/{i}", s[1]) for i, s in enumerate(world["sessions"])]
        print("ready", flush=True)
        GLib.MainLoop().run()
        """
}

@Suite(
    "systemd-logind, asked over D-Bus",
    .enabled(if: PrivateBus.isPossible, "apt install dbus-daemon python3-dbus python3-gi"))
struct LogindTests {
    private let folders: Folders

    init() throws { folders = try Folders() }

    @Test func `a request goes through to logind, which is asked once, and may ask nobody for a password`() throws {
        let bus = try PrivateBus(in: folders.path)
        try folders.write(HostRequest.sound().text, to: folders.paths.request)
        let manager = Logind(address: bus.address)
        let helper = HostHelper(folders: folders.paths, clocks: Now.clocks, manager: manager) { _ in FakeSwitch() }
        #expect(try helper.serve() == HostAnswer(to: HostRequest.sound().digest, refusal: nil))
        #expect(bus.asked == ["PowerOff False"])
    }

    @Test func `logind's refusal is told in its own words`() throws {
        let bus = try PrivateBus(in: folders.path, refusal: "Interactive authentication required.")
        #expect {
            try Logind(address: bus.address).powerOff()
        } throws: { error in
            (error as? PowerManagerError)?.text.hasSuffix("Interactive authentication required.") == true
        }
        #expect(bus.asked == ["PowerOff False"])
    }

    @Test func `sessions in which somebody is logged in count, and those of services and jobs do not`() throws {
        let bus = try PrivateBus(
            in: folders.path,
            sessions: [
                ["ann", "user", "seat0"], ["bob", "user", ""], ["cron", "background", ""], ["ann", "manager", ""],
                ["eve", "", ""],
            ])
        #expect(
            try Logind(address: bus.address).holders() == [
                "the session of ann at seat0", "the session of bob", "the session of eve",
            ])
        #expect(bus.asked.isEmpty)
    }

    @Test func `inhibitors that block a shutdown count, and others do not`() throws {
        let bus = try PrivateBus(
            in: folders.path,
            inhibitors: [
                ["shutdown:sleep", "block", "apt", "it installs"], ["shutdown", "delay", "update", "it may wait"],
                ["sleep:idle", "block", "film", "it plays"],
            ])
        #expect(try Logind(address: bus.address).holders() == ["the inhibitor of apt: it installs"])
        #expect(bus.asked.isEmpty)
    }
}
