import Doctor
import Testing

/// Each trap on the way of the time from the daemon to chrony is found.
struct TimeTrapTests {
    private static let socket = "/run/chrony.sextant.sock"

    private static var system: System {
        var system = System.zero2W
        system.installation.timeSockets = [socket]
        system.tree["/usr/sbin/chronyd"] = ""
        system.tree["/etc/chrony/conf.d/sextant.conf"] = "refclock SOCK \(socket) refid GNSS poll 2\n"
        system.tree["/lib/systemd/system/chrony.service.d/sextant.conf"] =
            "[Service]\nExecStartPost=+-/bin/chown sextant \(socket)\n"
        return system
    }

    @Test func `a system whose chrony takes the time has no trouble, and none where the service is off`() {
        #expect(Self.system.troubles == [])
        var off = Self.system
        off.installation.timeSockets = []
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

    @Test func `the pulses' socket and device are looked for where they are wanted`() {
        let pulses = "/run/chrony.pps.sextant.sock"
        var system = Self.system
        system.installation.timeSockets.append(pulses)
        system.installation.pulseDevice = "/dev/pps0"
        system.tree["/lib/systemd/system/chrony.service.d/sextant.conf"] =
            "[Service]\nExecStartPost=+-/bin/chown sextant \(Self.socket) \(pulses)\n"
        #expect(
            system.troubles == [
                "time: chrony's configuration names no refclock SOCK \(pulses); "
                    + "sudo cp /usr/share/doc/sextant/examples/chrony-sextant.conf /etc/chrony/conf.d/sextant.conf && "
                    + "sudo sed -i 's/^#refclock/refclock/' /etc/chrony/conf.d/sextant.conf && sudo systemctl restart chrony",
                "time: /dev/pps0, by which the kernel times the pulse, is not there; "
                    + "dtoverlay=pps-gpio,gpiopin=18 in config.txt, with the pulse's pin; then restart",
            ])
        system.tree["/dev/pps0"] = ""
        system.tree["/etc/chrony/conf.d/sextant.conf"] =
            "refclock SOCK \(Self.socket) refid GNSS\nrefclock SOCK \(pulses) refid GPPS\n"
        #expect(system.troubles == [])
    }
}
