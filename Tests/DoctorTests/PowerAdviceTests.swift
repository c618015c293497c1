import Doctor
import Testing

/// What a host wastes is listed with the exact change, and only what was measured has a figure.
struct PowerAdviceTests {
    private let configuration = "/boot/firmware/config.txt"

    private func advice(_ system: System) -> PowerAdvice { PowerAdvice(system.facts) }

    @Test func `a Zero 2 W as shipped can go from 600 to 375 mW`() {
        let advice = advice(.zero2W)
        #expect(advice.idleNow == 600)
        #expect(advice.idleAfter == 375)
        #expect(advice.total == 225)
        #expect(advice.source == "CNX Software, 2021-12-09, Raspberry Pi OS Lite: 120 mA at 5 V, and 75 mA trimmed")
        #expect(
            advice.savings.map { "\($0.name) \($0.change)" } == [
                "hdmi \(configuration):23: add ,nohdmi at the end of the line",
                "act-led \(configuration): add under [all], after line 40: dtparam=act_led_trigger=none",
                "wifi \(configuration): add under [all], after line 40: dtoverlay=disable-wifi",
                "bluetooth \(configuration): add under [all], after line 40: dtoverlay=disable-bt",
                "auto-detect \(configuration):14: change the line to camera_auto_detect=0",
                "auto-detect \(configuration):17: change the line to display_auto_detect=0",
                "audio \(configuration):11: change the line to dtparam=audio=off",
                "cores /boot/firmware/cmdline.txt:1: add to the end of the line: maxcpus=1",
            ])
    }

    @Test func `each measured figure names its source, and unmeasured savings have none`() {
        let savings = advice(.zero2W).savings
        #expect(savings.filter { $0.measurement != nil }.map(\.name) == ["hdmi", "act-led", "wifi"])
        #expect(savings.compactMap(\.measurement?.milliwatts) == [125, 25, 125])
        #expect(savings.compactMap(\.measurement?.source).allSatisfy { $0.contains(" mA at 5 V ") })
    }

    @Test func `no measured saving is left on a trimmed Zero 2 W`() {
        var system = System.zero2W
        system.tree[configuration] = """
            dtparam=i2c_arm=on
            enable_uart=1
            dtparam=act_led_trigger=none
            dtoverlay=vc4-kms-v3d,nohdmi
            dtoverlay=disable-wifi
            dtoverlay=disable-bt

            """
        system.tree["/boot/firmware/cmdline.txt"] = "console=tty1 root=/dev/mmcblk0p2 maxcpus=1\n"
        let advice = advice(system)
        #expect(advice.savings == [])
        #expect(advice.idleNow == 375)
        #expect(advice.total == 0)
    }

    @Test func `a saving that is already made is not counted again`() {
        var system = System.zero2W
        system.tree[configuration] = System.configuration(
            "enable_uart=1", "dtoverlay=disable-wifi", "dtparam=act_led_trigger=none")
        #expect(advice(system).idleNow == 500)
        #expect(advice(system).idleAfter == 375)
    }

    @Test func `a board with two lights has a saving for each`() {
        let advice = advice(.threeBPlus)
        #expect(advice.savings.map(\.name).filter { $0.hasSuffix("led") } == ["act-led", "pwr-led"])
        #expect(advice.idleNow == 1900)
        #expect(advice.idleAfter == 1600)
    }

    @Test func `services that a tracker does not need and an empty USB bus are listed`() {
        var system = System.fourB
        system.enable("ModemManager.service")
        system.enable("apt-daily.timer", in: "timers.target")
        system.enable("dphys-swapfile.service")
        system.tree["/sys/bus/usb/devices/usb1/bDeviceClass"] = "09\n"
        system.tree["/sys/bus/usb/devices/1-1/bDeviceClass"] = "09\n"
        system.tree.link("/sys/bus/usb/devices/usb1/driver", to: "/sys/bus/usb/drivers/usb")
        system.tree["/sys/bus/usb/drivers/usb/unbind"] = ""
        system.tree["/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"] = "performance\n"
        let lines = advice(system).savings.map { "\($0.name) \($0.change)" }
        let links = "/etc/systemd/system"
        #expect(
            lines.suffix(5) == [
                "governor /boot/firmware/cmdline.txt:1: add to the end of the line: cpufreq.default_governor=powersave",
                "usb /etc/tmpfiles.d/usb-off.conf: add the line: w /sys/bus/usb/drivers/usb/unbind - - - - usb1",
                "service \(links)/multi-user.target.wants/ModemManager.service: "
                    + "sudo systemctl disable --now ModemManager.service",
                "service \(links)/timers.target.wants/apt-daily.timer: sudo systemctl disable --now apt-daily.timer",
                "service \(links)/multi-user.target.wants/dphys-swapfile.service: "
                    + "sudo systemctl disable --now dphys-swapfile.service",
            ])
        system.tree["/sys/bus/usb/devices/1-1.2/bDeviceClass"] = "02\n"
        #expect(!advice(system).savings.contains { $0.name == "usb" })
    }

    @Test func `USB that is switched off or absent is not suggested`() {
        var system = System.fourB
        system.tree["/sys/bus/usb/drivers/usb/unbind"] = ""
        system.tree["/sys/bus/usb/devices/usb1/bDeviceClass"] = "09\n"
        #expect(!advice(system).savings.contains { $0.name == "usb" })
        system.tree.remove("/sys/bus/usb/devices/usb1")
        system.tree["/sys/bus/usb/devices/usb2/bDeviceClass"] = "09\n"
        #expect(!advice(system).savings.contains { $0.name == "usb" })
    }

    @Test(arguments: [
        ("none", "", false), ("default-on", "dtparam=pwr_led_activelow=off", false),
        ("default-on", "dtparam=pwr_led_activelow=on", true), ("default-on", "", true),
        ("input", "dtparam=pwr_led_activelow=off", true),
    ])
    func `the power light is off without a trigger, and when the always-on trigger is inverted`(
        trigger: String, level: String, isOn: Bool
    ) {
        var system = System.fourB
        system.tree[configuration] = System.configuration("dtparam=pwr_led_trigger=\(trigger)", level)
        #expect(advice(system).savings.contains { $0.name == "pwr-led" } == isOn)
    }

    /// A system on which everything is on that is looked for.
    private var wasteful: System {
        var system = System.threeBPlus
        system.tree[configuration] = System.configuration("enable_uart=1", "dtoverlay=miniuart-bt")
        system.tree["/sys/bus/usb/devices/usb1/bDeviceClass"] = "09\n"
        system.tree["/sys/bus/usb/devices/usb1/driver"] = ""
        system.tree["/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"] = "performance\n"
        system.tree["/proc/swaps"] = "Filename Type Size Used Priority\n/dev/mmcblk0p3 partition 102396 0 -2\n"
        for unit in Self.services { system.enable(unit) }
        return system
    }

    private static let services = [
        "ModemManager.service", "avahi-daemon.service", "triggerhappy.service", "bluetooth.service",
        "hciuart.service", "cups.service", "apt-daily.timer", "apt-daily-upgrade.timer", "man-db.timer",
        "rpi-eeprom-update.service", "e2scrub_all.timer",
    ]

    @Test func `each saving has its measured gain or says it is unmeasured, an exact change, and what is lost`() {
        let savings = advice(wasteful).savings
        #expect(
            Set(savings.map(\.name)) == [
                "hdmi", "act-led", "pwr-led", "wifi", "bluetooth", "auto-detect", "audio", "cores", "governor", "usb",
                "service", "swap",
            ])
        for saving in savings {
            #expect(!saving.loss.isEmpty, "\(saving.what)")
            let change = saving.change.action
            #expect(
                saving.change.place != nil || change.hasPrefix("sudo "), "\(saving.what): \(saving.change)")
            guard let measurement = saving.measurement else { continue }
            #expect(measurement.milliwatts > 0 && !measurement.source.isEmpty)
        }
        let measured = savings.count { $0.measurement != nil }
        #expect(measured > 0 && measured < savings.count)
    }

    @Test func `each unneeded service has one command that stops it, and says what is lost`() {
        let advice = advice(wasteful)
        let services = advice.savings.filter { $0.name == "service" }
        #expect(services.map(\.change.action) == Self.services.map { "sudo systemctl disable --now \($0)" })
        let losses = Dictionary(uniqueKeysWithValues: zip(Self.services, services.map(\.loss)))
        #expect(losses["bluetooth.service"] == "no Bluetooth")
        #expect(
            losses["apt-daily-upgrade.timer"]
                == "security updates come only by hand: sudo apt-get update && sudo apt-get upgrade")
    }

    @Test func `swap on the card is suggested for removal, and compressed swap in memory is not`() {
        var system = System.zero2W
        let head = "Filename Type Size Used Priority\n"
        system.tree["/proc/swaps"] = head + "/dev/zram0 partition 102396 0 100\n"
        #expect(!advice(system).savings.contains { $0.name == "swap" })
        system.tree["/proc/swaps"] = head + "/dev/zram0 partition 102396 0 100\n/var/swap file 102396 0 -2\n"
        #expect(
            advice(system).savings.filter { $0.name == "swap" }.map(\.change.action) == [
                "sudo swapoff /var/swap, and take its line out"
            ])
        system.enable("dphys-swapfile.service")
        #expect(!advice(system).savings.contains { $0.name == "swap" })
    }

    @Test func `without boot files the advice says what it cannot know`() {
        let advice = advice(.emulated)
        #expect(advice.unknown.first?.hasPrefix("there is no config.txt") ?? false)
        #expect(!advice.savings.contains { $0.name == "hdmi" })
    }

    @Test func `for a host without measurements the figures come from the board file`() {
        let advice = advice(.computeModule4)
        #expect(advice.source == "the board's file")
        #expect(advice.idleNow == 600)
    }
}
