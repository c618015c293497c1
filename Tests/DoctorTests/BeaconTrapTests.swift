import Beacons
import Boards
import Doctor
import Testing

/// Each trap between a daemon and the beacons around it is found.
@Suite("Traps around beacons")
struct BeaconTrapTests {
    /// A system that hears beacons, with nothing wrong.
    private static var hearing: System {
        var system = System.zero2W
        system.installation.board?.bluetooth = BeaconRadio.Settings()
        system.tree["/proc/sys/kernel/osrelease"] = "6.1.0-rpi7-rpi-v8\n"
        system.tree["/sys/class/bluetooth/hci0/address"] = "b8:27:eb:00:00:01\n"
        system.tree["/sys/class/rfkill/rfkill0/type"] = "bluetooth\n"
        system.tree["/sys/class/rfkill/rfkill0/soft"] = "0\n"
        system.tree["/sys/class/rfkill/rfkill0/hard"] = "0\n"
        system.tree["/usr/bin/nsenter"] = ""
        let opening = "-+/usr/bin/nsenter --net=/proc/1/ns/net -- /usr/sbin/sextantd --open-bluetooth"
        system.tree.replace(
            "[Service]", with: "[Service]\nExecStartPre=\(opening)",
            in: "/lib/systemd/system/sextantd.service")
        return system
    }

    private let checks: Set<Check> = [.beaconKernel, .beaconController, .beaconBlock, .beaconSocket]

    @Test func `a board that hears beacons has no trap, and every check is made`() {
        #expect(Self.hearing.troubles == [])
        #expect(checks.isSubset(of: Self.hearing.examination.made))
    }

    @Test func `whoever needs beacons gets the checks, also where the board's file says nothing of Bluetooth`() {
        let needs: [(inout System) -> Void] = [
            { $0.installation.board?.bluetooth = BeaconRadio.Settings() }, { $0.installation.hasBeaconSpots = true },
            { $0.live.wantsBeacons = true },
        ]
        for need in needs {
            var system = Self.hearing
            system.installation.board?.bluetooth = nil
            system.tree["/sys/class/rfkill/rfkill0/soft"] = "1\n"
            #expect(system.troubles == [])
            need(&system)
            #expect(
                system.troubles == [
                    "beacon-block: rfkill keeps Bluetooth off, which beacons need; sudo rfkill unblock bluetooth"
                ])
        }
    }

    @Test func `a receiver at the mini UART may have the good one with Bluetooth kept, where beacons are needed`() {
        var system = System.zero2W
        let notes = { (system: System) in
            Examination(system.facts, [.miniUART]).findings.map { "\($0.what); \($0.mend)" }
        }
        let without = notes(system)
        system.live.wantsBeacons = true
        let with = notes(system)
        #expect(without.count == 1 && without[0].contains("dtoverlay=disable-bt"))
        #expect(with.count == 1 && with[0].contains("dtoverlay=miniuart-bt"))
        #expect(with[0].contains("with Bluetooth at the mini UART it would be a PL011"))
    }

    @Test func `a board whose file says nothing of Bluetooth is not asked for any`() {
        var system = System.zero2W
        system.tree["/proc/sys/kernel/osrelease"] = "4.19.0\n"
        #expect(system.troubles == [])
        #expect(checks.isDisjoint(with: system.examination.made))
    }

    @Test(arguments: ["5.9.16", "4.19.0-27-amd64"])
    func `a kernel before 5.10 is reported`(release: String) {
        var system = Self.hearing
        system.tree["/proc/sys/kernel/osrelease"] = release + "\n"
        #expect(
            system.troubles == [
                "beacon-kernel: the kernel is Linux \(release), and beacons need 5.10 or later; "
                    + "upgrade the system, such as to Debian 12"
            ])
    }

    @Test(arguments: ["5.10.0", "6.12.25+rpt-rpi-v8", "10.0-rc1"])
    func `a kernel from 5.10 on is none of the traps`(release: String) {
        var system = Self.hearing
        system.tree["/proc/sys/kernel/osrelease"] = release + "\n"
        #expect(system.troubles == [])
    }

    @Test func `Bluetooth that config.txt switches off is reported with the line`() {
        var system = Self.hearing
        system.tree.remove("/sys/class/bluetooth/hci0")
        system.tree.replace(
            "enable_uart=1", with: "enable_uart=1\ndtoverlay=disable-bt", in: "/boot/firmware/config.txt")
        #expect(
            system.troubles.filter { $0.hasPrefix("beacon") } == [
                "beacon-controller: the Bluetooth that beacons need is off; /boot/firmware/config.txt:41: "
                    + "put dtoverlay=miniuart-bt in the place of disable-bt, which leaves the receiver its UART; or plug in "
                    + "a controller at USB"
            ])
    }

    @Test func `a module that is not loaded is reported`() {
        var system = Self.hearing
        system.tree.remove("/sys/class/bluetooth")
        #expect(
            system.troubles == [
                "beacon-controller: the kernel's module bluetooth, which beacons need, is not loaded; "
                    + "sudo modprobe bluetooth; where it is not found, install the kernel's modules"
            ])
    }

    @Test func `a missing controller is reported`() {
        var system = Self.hearing
        system.tree.remove("/sys/class/bluetooth/hci0")
        system.tree.folder("/sys/class/bluetooth", owner: 0, mode: 0o755)
        #expect(
            system.troubles == [
                "beacon-controller: there is no Bluetooth controller, which beacons need; see why, with: "
                    + "sudo dmesg | grep -i bluetooth; its firmware is in the package bluez-firmware"
            ])
    }

    @Test func `BEAC-43: rfkill is reported, and how to lift it`() {
        var system = Self.hearing
        system.tree["/sys/class/rfkill/rfkill0/soft"] = "1\n"
        #expect(
            system.troubles == [
                "beacon-block: rfkill keeps Bluetooth off, which beacons need; sudo rfkill unblock bluetooth"
            ])
        system.tree["/sys/class/rfkill/rfkill0/hard"] = "1\n"
        #expect(
            system.troubles == [
                "beacon-block: a switch of the device keeps Bluetooth off, which beacons need (rfkill0); "
                    + "turn that switch on"
            ])
        system.tree["/sys/class/rfkill/rfkill0/type"] = "wlan\n"
        #expect(system.troubles == [])
    }

    @Test func `a missing nsenter is reported`() {
        var system = Self.hearing
        system.tree["/usr/bin/nsenter"] = nil
        #expect(
            system.troubles == [
                "beacon-socket: /usr/bin/nsenter, which opens the daemon's Bluetooth socket, is not there; "
                    + "sudo apt install util-linux"
            ])
    }

    @Test func `a unit that opens no socket is reported`() {
        var system = Self.hearing
        system.tree["/etc/systemd/system/sextantd.service.d/override.conf"] = "[Service]\nExecStartPre=\n"
        #expect(
            system.troubles == [
                "beacon-socket: sextantd.service opens no Bluetooth socket for the daemon; "
                    + "install the package sextant anew, or remove the drop-in that changes ExecStartPre="
            ])
    }
}
