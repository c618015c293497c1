/// Searches a host for parts that draw power without need.
struct SavingSearch {
    private let facts: HostFacts
    private(set) var found: [Saving] = []
    private(set) var unknown: [String] = []

    init(_ facts: HostFacts) { self.facts = facts }

    // MARK: config.txt

    mutating func lookAtBootFiles() {
        guard let boot = facts.boot else {
            let reason = facts.lackOfBootFile.reason
            unknown.append("\(reason): display, lights, wireless and Bluetooth are not looked at")
            return
        }
        lookAtDisplay(boot)
        lookAtLights(boot)
        if facts.model?.hasWireless ?? false { lookAtRadios(boot) }
        for (name, what, one) in [
            ("camera_auto_detect", "cameras", "a camera"), ("display_auto_detect", "touch displays", "a touch display"),
        ] {
            guard let setting = boot.setting(name), setting.value == "1" else { continue }
            let change = Mend("change the line to \(name)=0", at: setting.place)
            found.append(
                Saving(
                    "auto-detect", "the firmware looks for \(what) at the start", change,
                    loss: "\(one) needs a dtoverlay line of its own"))
        }
        if let audio = boot.parameter("audio"), audio.isOn {
            let change = boot.adding("dtparam=audio=off", insteadOf: audio.place)
            found.append(Saving("audio", "sound is on", change, loss: "no sound"))
        }
    }

    /// Checks whether the kernel's display driver keeps HDMI on; its parameter `nohdmi` switches HDMI off.
    private mutating func lookAtDisplay(_ boot: BootConfiguration) {
        let drivers = ["vc4-kms-v3d", "vc4-fkms-v3d", "vc4-kms-v3d-pi4"]
        if let driver = boot.overlays.last(where: { drivers.contains($0.name) }) {
            guard driver.value("nohdmi") == nil else { return }
            let line = "dtoverlay=\(driver.name)"
            let change =
                driver.name == "vc4-fkms-v3d"
                ? Mend("put a # before \(line)", at: driver.place)
                : Mend("add ,nohdmi at the end of the line", at: driver.place)
            found.append(Saving("hdmi", "HDMI is on", change, .display, loss: "no monitor at HDMI"))
        } else if boot.setting("hdmi_blanking")?.value != "2", boot.setting("hdmi_ignore_hotplug")?.value != "1" {
            let change = boot.adding("hdmi_ignore_hotplug=1")
            found.append(Saving("hdmi", "HDMI is on", change, .display, loss: "no monitor at HDMI"))
        }
    }

    private mutating func lookAtLights(_ boot: BootConfiguration) {
        for (name, what, parameter, loss) in [
            ("act-led", "the activity light is on", "act_led_trigger", "no light shows that the card is in use"),
            ("pwr-led", "the power light is on", "pwr_led_trigger", "no light shows that the supply is too low"),
        ] {
            // A Raspberry Pi Zero has only the activity light, no power light.
            if name == "pwr-led", facts.model?.filters.contains("pi0") ?? false { continue }
            let setting = boot.parameter(parameter)
            if setting?.value == "none" || name == "pwr-led" && SavingSearch.isDark(boot) { continue }
            let change = boot.adding("dtparam=\(parameter)=none", insteadOf: setting?.place)
            found.append(Saving(name, what, change, .light, loss: loss))
        }
    }

    /// Whether the power light is set to always on and then inverted, so that it is always dark.
    ///
    /// Source: Jeff Geerling, "Controlling PWR and ACT LEDs on the Raspberry Pi", 2015.
    private static func isDark(_ boot: BootConfiguration) -> Bool {
        boot.parameter("pwr_led_trigger")?.value == "default-on" && boot.parameter("pwr_led_activelow")?.isOn == false
    }

    private mutating func lookAtRadios(_ boot: BootConfiguration) {
        if boot.overlay("disable-wifi") == nil {
            let change = boot.adding("dtoverlay=disable-wifi")
            found.append(
                Saving("wifi", "Wi-Fi is on", change, .wireless, loss: "connections by Wi-Fi end"))
        }
        if boot.overlay("disable-bt") == nil, boot.overlay("miniuart-bt") == nil {
            let change = boot.adding("dtoverlay=disable-bt")
            found.append(Saving("bluetooth", "Bluetooth is on", change, loss: "no Bluetooth"))
        } else if let overlay = boot.overlay("miniuart-bt") {
            let change = Mend("change the line to dtoverlay=disable-bt", at: overlay.place)
            found.append(Saving("bluetooth", "Bluetooth is on, at the mini UART", change, loss: "no Bluetooth"))
        }
    }

    // MARK: The kernel

    mutating func lookAtCommandLine() {
        if let line = facts.bootFiles.commandLine ?? facts.runningCommandLine {
            if line.values("maxcpus").isEmpty, facts.idle.cores ?? 2 > 1, facts.model != .zero, facts.model != .zeroW,
                facts.model != .one
            {
                found.append(
                    Saving("cores", "all cores run", line.adding("maxcpus=1"), loss: "long work takes longer"))
            }
            if facts.idle.governor == "performance" {
                let change = line.adding("cpufreq.default_governor=powersave")
                found.append(
                    Saving(
                        "governor", "the processor always runs at its highest clock", change,
                        loss: "long work takes longer"))
            }
        }
        guard let hasDevice = facts.idle.hasUSBDevice else {
            return unknown.append("devices at USB can be seen only on a running system")
        }
        if !hasDevice, facts.idle.isUSBOn {
            let line = "w /sys/bus/usb/drivers/usb/unbind - - - - usb1"
            let change = Mend("add the line: \(line)", at: FilePosition("/etc/tmpfiles.d/usb-off.conf"))
            found.append(Saving("usb", "USB is on, with nothing plugged in", change, loss: "USB, until that file goes"))
        }
    }

    // MARK: Services

    mutating func lookAtServices() {
        for (unit, what, loss) in SavingSearch.needless {
            guard let link = facts.units.enabled[unit] else { continue }
            let change = Mend("sudo systemctl disable --now \(unit)", at: FilePosition(link))
            found.append(Saving("service", what, change, loss: loss))
        }
        guard facts.units.enabled["dphys-swapfile.service"] == nil else { return }
        for path in facts.idle.swaps {
            let change = Mend("sudo swapoff \(path), and take its line out", at: FilePosition("/etc/fstab"))
            found.append(Saving("swap", "the card is written to as memory", change, loss: SavingSearch.lossOfSwap))
        }
    }

    /// Systemd units of Raspberry Pi OS and Debian that wake the processor or the card, and that no tracker needs.
    private static let needless: [(unit: String, what: String, loss: String)] = [
        ("ModemManager.service", "ModemManager looks for modems", "no modem for mobile networks"),
        (
            "avahi-daemon.service", "Avahi announces the host in the local network",
            "the host is no longer found as NAME.local"
        ),
        ("triggerhappy.service", "triggerhappy listens for keys", "no keys that start commands"),
        ("bluetooth.service", "Bluetooth's daemon runs", "no Bluetooth"),
        ("hciuart.service", "Bluetooth's modem is started", "no Bluetooth"),
        ("cups.service", "a print server runs", "no printing"),
        (
            "apt-daily.timer", "package lists are fetched each day",
            "the lists are as old as the last sudo apt-get update"
        ),
        (
            "apt-daily-upgrade.timer", "packages are upgraded by themselves",
            "security updates come only by hand: sudo apt-get update && sudo apt-get upgrade"
        ),
        ("man-db.timer", "manual pages are indexed each day", "apropos does not find new pages"),
        ("dphys-swapfile.service", "the card is written to as memory", lossOfSwap),
        (
            "rpi-eeprom-update.service", "the boot loader's updates are looked for",
            "they come only by hand: sudo rpi-eeprom-update -a"
        ),
        (
            "e2scrub_all.timer", "file systems on LVM are checked each week",
            "they are checked only by hand: sudo e2scrub_all"
        ),
    ]

    private static let lossOfSwap = "programs that need more than the memory are ended"
}
