import Doctor
import Testing

/// Each trap on the way of the time from the daemon to chrony is found.
struct TimeTrapTests {
    private static let socket = "/run/chrony.sextant.sock"

    private static var system: System {
        var system = System.zero2W
        system.installation.timeSocket = socket
        system.tree["/usr/sbin/chronyd"] = ""
        system.tree["/etc/chrony/conf.d/sextant.conf"] = "refclock SOCK \(socket) refid GNSS poll 2\n"
        system.tree["/lib/systemd/system/chrony.service.d/sextant.conf"] =
            "[Service]\nExecStartPost=+-/bin/chown sextant \(socket)\n"
        return system
    }

    @Test func `a system whose chrony takes the time has no trouble, and none where the service is off`() {
        #expect(Self.system.troubles == [])
        var off = Self.system
        off.installation.timeSocket = nil
        off.tree["/usr/sbin/chronyd"] = nil
        #expect(off.troubles == [])
    }

    @Test func `a missing chrony is reported`() {
        var system = Self.system
        system.tree["/usr/sbin/chronyd"] = nil
        #expect(system.troubles == ["time: chrony, which the time is for, is not installed; sudo apt install chrony"])
    }

    @Test func `a chrony without the socket is reported, also where the line is a comment`() {
        var system = Self.system
        system.tree["/etc/chrony/conf.d/sextant.conf"] = "# refclock SOCK \(Self.socket)\n"
        #expect(
            system.troubles == [
                "time: chrony's configuration names no refclock SOCK \(Self.socket); "
                    + "sudo cp /usr/share/doc/sextant/examples/chrony-sextant.conf /etc/chrony/conf.d/sextant.conf && "
                    + "sudo systemctl restart chrony"
            ])
    }

    @Test func `TIME-05: doctor names the drop-in where chrony keeps its socket for root`() {
        var system = Self.system
        system.tree["/lib/systemd/system/chrony.service.d/sextant.conf"] = nil
        #expect(
            system.troubles == [
                "time: no drop-in of chrony.service gives \(Self.socket) to the daemon, and root alone may write to it; "
                    + "/etc/systemd/system/chrony.service.d/sextant.conf: ExecStartPost=+-/bin/chown sextant "
                    + "\(Self.socket), then: sudo systemctl daemon-reload && sudo systemctl restart chrony"
            ])
    }
}
