import Doctor
import HostSleep
import HostSwitches
import Testing

/// The doctor finds what would spoil a sleep of the whole board.
struct HostSleepTrapTests {
    @Test func `a board without a switch is not examined for it`() {
        let skipped = System.zero2W.examination.skipped.filter { $0.reason == "the board has no switch of its supply" }
        #expect(
            skipped.map(\.check) == [.staysOn, .secondMaster, .switchDriver, .rebootWatchdog, .bootLoader, .hostSleep])
    }

    @Test func `a board that is set up correctly has nothing to change`() {
        #expect(System.quiet.troubles == [])
        #expect(System.sleepingFive.troubles == [])
    }

    // MARK: Right now

    @Test func `what keeps the board on now is a note, and what cannot be found out a warning`() {
        var system = System.quiet
        system.session("3", user: "pi", "REMOTE=1", "CLASS=user")
        #expect(system.troubles == [])
        #expect(
            system.examination.findings.map { "\($0.severity) \($0.check.rawValue): \($0.line)" }
                .contains("note stays-on: pi is logged in (session 3); log out"))
        system.tree.close("/boot/firmware")
        #expect(
            system.troubles.contains(
                "stays-on: /boot/firmware cannot be read, where sextant-stay-awake may be; "
                    + "mount it with umask=022 in /etc/fstab"))
    }

    // MARK: What the daemon says

    @Test func `what only the owner can end is a warning, and how the last sleeps ended a note`() {
        var system = System.quiet
        system.live.hostSleep = ToldSleep(
            reasons: [.notTried, .moving], ends: [.alarm, .motion, .alarm, .backstop], late: 1)
        #expect(
            system.troubles == [
                "host-sleep: the switch was not tried out with this board, kernel and firmware; "
                    + "sudo sextant host try, three times, and sudo reboot once"
            ])
        #expect(
            system.examination.findings.map(\.line).contains(
                "of the last sleeps 2 ended by alarm, 1 ended by motion, 1 ended by backstop, 1 more than a minute late; "
                    + "sextant host lists them"))
        // Each reason is somebody's to end, or names itself elsewhere.
        for reason in StayAwakeReason.allCases {
            system.live.hostSleep?.reasons = [reason]
            #expect(system.troubles.allSatisfy { $0.hasPrefix("host-sleep: ") && $0.contains("; ") })
        }
    }

    @Test func `a sleep that is allowed on a board without a switch, or without the helper, is reported`() {
        var system = System.zero2W
        system.installation.allowsHostSleep = true
        #expect(
            system.troubles == [
                "host-sleep: hostSleep allows a sleep, but the board has no switch that could cut its supply; "
                    + "/etc/sextant/sextant.json5: add the switch to board, such as \"zero-2w+neo-m8n+pijuice\", "
                    + "or take hostSleep out"
            ])
        system = System.quiet
        system.installation.allowsHostSleep = true
        #expect(
            system.troubles == [
                "host-sleep: sextant-host, which powers the board off, is not enabled; sudo apt install "
                    + "./sextant-host_*.deb, then sudo systemctl enable --now sextant-host.path"
            ])
        system.enable("sextant-host.path")
        #expect(system.troubles == [])
    }

    // MARK: Second masters

    @Test func `a vendor's program that runs is found`() {
        var system = System.quiet
        system.program(640, "pisugar-server")
        #expect(
            system.troubles == [
                "second-master: pisugar-server.service (process 640) works on the board's switch too, and changes its "
                    + "alarms; sudo systemctl disable --now pisugar-server.service"
            ])
    }

    @Test func `a vendor's program that will run after the next start is found, with its link`() {
        var system = System.quiet
        system.enable("pijuice.service")
        system.tree.link("/etc/rc2.d/S01wittypi", to: "../init.d/wittypi")
        system.tree.link("/etc/rc2.d/K01wp5d", to: "../init.d/wp5d")
        #expect(
            system.troubles == [
                "second-master: pijuice.service will work on the board's switch too, and changes its alarms; "
                    + "/etc/systemd/system/multi-user.target.wants/pijuice.service: "
                    + "sudo systemctl disable --now pijuice.service",
                "second-master: wittypi.service will work on the board's switch too, and changes its alarms; "
                    + "/etc/rc2.d/S01wittypi: sudo systemctl disable --now wittypi.service",
            ])
    }

    // MARK: The kernel's drivers

    @Test func `the overlay for PiJuice's own clock is changed to one without alarms`() throws {
        var system = System.quiet
        let text = try #require(system.tree["/boot/firmware/config.txt"])
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).count
        system.tree["/boot/firmware/config.txt"] = text + "dtoverlay=i2c-rtc,ds1339\n"
        system.bind("rtc-ds1307", as: "ds1339", at: "1-0068")
        #expect(
            system.troubles == [
                "switch-driver: an overlay gives the switch's clock to the kernel's driver for ds1339; "
                    + "/boot/firmware/config.txt:\(line): change ds1339 to ds1307, or remove the line, and restart"
            ])
        system.tree["/boot/firmware/config.txt"] = text + "dtoverlay=i2c-rtc,ds1307\n"
        system.bind("rtc-ds1307", as: "ds1307", at: "1-0068")
        #expect(system.troubles == [])
    }

    @Test func `an overlay for the clock of a latch is removed, and one on another bus stays`() throws {
        var system = System.quiet
        system.installation.hostSwitch = examined(.latch, "/dev/i2c-1")
        let text = try #require(system.tree["/boot/firmware/config.txt"])
        for chip in ["ds3231", "ds1307"] {
            system.tree["/boot/firmware/config.txt"] = text + "dtoverlay=i2c-rtc,\(chip)\n"
            #expect(system.troubles.first?.hasSuffix(": remove the line, and restart") == true)
        }
        system.tree["/boot/firmware/config.txt"] = text + "dtoverlay=i2c-rtc,ds3231,i2c_csi_dsi\n"
        #expect(system.troubles == [])
        system.tree["/boot/firmware/config.txt"] = text + "dtoverlay=i2c-rtc,pcf85063a\n"
        #expect(system.troubles == [])
    }

    @Test func `a driver that no overlay explains is unbound`() {
        var system = System.quiet
        system.bind("rtc-ds1307", as: "ds1339", at: "1-0068")
        #expect(
            system.troubles == [
                "switch-driver: the kernel's driver rtc-ds1307 (ds1339) works on the switch at 0x68; "
                    + "echo 1-0068 | sudo tee /sys/bus/i2c/drivers/rtc-ds1307/unbind; "
                    + "or: remove what loads the driver, and restart"
            ])
    }

    // MARK: The watchdog

    @Test func `systemd's own ten minutes are too long for a board with nobody at hand`() {
        var system = System.quiet
        system.tree["/usr/lib/systemd/system.conf.d/90-sextant.conf"] = nil
        #expect(
            system.troubles == [
                "reboot-watchdog: a shutdown that hangs is ended after 600 s only; "
                    + "/etc/systemd/system.conf.d/90-sextant.conf: "
                    + "add the lines [Manager] and RebootWatchdogSec=1min, and restart"
            ])
    }

    @Test func `the owner's own line is changed`() {
        var system = System.quiet
        system.tree["/etc/systemd/system.conf.d/95-mine.conf"] =
            "[Manager]\n#RebootWatchdogSec=1\nRebootWatchdogSec=off\n"
        #expect(
            system.troubles == [
                "reboot-watchdog: nothing ends a shutdown that hangs; "
                    + "/etc/systemd/system.conf.d/95-mine.conf:3: change the line to RebootWatchdogSec=1min"
            ])
    }

    @Test func `a file stands above those with smaller names, and hides its namesake in a lower folder`() {
        var system = System.quiet
        system.tree["/etc/systemd/system.conf"] = "[Manager]\nRebootWatchdogSec=10min\n"
        system.tree["/usr/lib/systemd/system.conf.d/40-rpi-enable-watchdog.conf"] = "[Manager]\nRebootWatchdogSec=2m\n"
        #expect(system.troubles == [])
        system.tree["/etc/systemd/system.conf.d/90-sextant.conf"] = "[Manager]\n"
        #expect(system.troubles.first?.contains("after 120 s") == true)
    }

    @Test(arguments: ["60", "60s", "1min", "1 m", "0.5min 30 s", "59500ms"]) func `a minute is short enough`(
        text: String
    ) {
        var system = System.quiet
        system.tree["/usr/lib/systemd/system.conf.d/90-sextant.conf"] = "[Manager]\nRebootWatchdogSec = \(text)\n"
        #expect(system.troubles == [])
    }

    @Test(arguments: ["61", "2min", "1h", "0", "off", "default", "infinity", "soon", "", "1fortnight"])
    func `a longer time, none and nonsense are told`(text: String) {
        var system = System.quiet
        system.tree["/usr/lib/systemd/system.conf.d/90-sextant.conf"] = "[Manager]\nRebootWatchdogSec=\(text)\n"
        #expect(system.troubles.count == 1)
    }

    // MARK: The boot loader

    @Test(arguments: [
        "[all]\nBOOT_UART=1\n", "[all]\nPOWER_OFF_ON_HALT=0\nWAKE_ON_GPIO=0\n", "[all]\nPOWER_OFF_ON_HALT=1\n",
        "[pi4]\nPOWER_OFF_ON_HALT=1\nWAKE_ON_GPIO=0\n", "[all]\nPOWER_OFF_ON_HALT=1\nWAKE_ON_GPIO=1\n",
    ]) func `a Raspberry Pi 5 that leaves its power chip on is told`(configuration: String) {
        var system = System.sleepingFive
        system.tree["/sys/bus/nvmem/devices/rmem0/nvmem"] = configuration + "\0\0\0"
        #expect(
            system.troubles == [
                "boot-loader: a board that is off still draws more than a watt, by its boot loader; sudo -E "
                    + "rpi-eeprom-config --edit, with the lines POWER_OFF_ON_HALT=1 and WAKE_ON_GPIO=0, and restart"
            ])
    }

    @Test func `a boot loader from before 2026-01-16 is told`() {
        var system = System.sleepingFive
        // Its date is 2026-01-15, 23:59:59 UTC.
        system.tree.put(
            [0x69, 0x69, 0x7F, 0x7F], at: "/sys/firmware/devicetree/base/chosen/bootloader/build-timestamp")
        #expect(
            system.troubles == [
                "boot-loader: the boot loader is older than 2026-01-16, and does not tell whether the alarm woke the "
                    + "board; sudo rpi-eeprom-update -a, and restart"
            ])
    }

    @Test func `a boot loader that does not show its configuration is left out`() {
        var system = System.sleepingFive
        system.tree.remove("/sys/bus/nvmem")
        #expect(system.troubles == [])
        #expect(
            system.examination.skipped.contains {
                $0.check == .bootLoader && $0.reason == "the kernel does not show the boot loader's configuration"
            })
    }
}

extension System {
    /// A Raspberry Pi 5 whose own clock and power chip are the switch.
    fileprivate static var sleepingFive: System {
        var system = System.fiveB
        system.quieten(examined(.rtc, nil))
        let tree = "/sys/firmware/devicetree/base"
        system.tree["\(tree)/aliases/blconfig"] = "/reserved-memory/nvram@0\0"
        system.tree["\(tree)/reserved-memory/nvram@0/compatible"] = "nvmem-rmem\0"
        system.tree.link("/sys/bus/nvmem/devices/rmem0/of_node", to: "\(tree)/reserved-memory/nvram@0")
        system.tree["/sys/bus/nvmem/devices/rmem0/nvmem"] = "[all]\nPOWER_OFF_ON_HALT=1\nWAKE_ON_GPIO=0\0\0\0"
        // Its date is 2026-01-16, 00:00:00 UTC.
        system.tree.put([0x69, 0x69, 0x7F, 0x80], at: "\(tree)/chosen/bootloader/build-timestamp")
        return system
    }
}
