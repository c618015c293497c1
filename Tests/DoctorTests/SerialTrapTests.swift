import Doctor
import Testing

/// Each trap between a receiver and its UART is found, with file and line.
struct SerialTrapTests {
    private let configuration = "/boot/firmware/config.txt"
    private let commandLine = "/boot/firmware/cmdline.txt"

    // MARK: The UART is off

    @Test func `a UART that nobody switched on`() {
        var system = System.zero2W
        system.tree.replace("enable_uart=1", with: "", in: configuration)
        #expect(
            system.troubles == [
                "uart: the UART at GPIO14 and GPIO15 is off; \(configuration): add under [all], after line 39: enable_uart=1"
            ])
    }

    @Test func `a UART that is switched off`() {
        var system = System.fourB
        system.tree.replace("enable_uart=1", with: "enable_uart=0", in: configuration)
        #expect(
            system.troubles == [
                "uart: the UART at GPIO14 and GPIO15 is off; \(configuration):40: change the line to enable_uart=1"
            ])
    }

    @Test func `a UART that is switched on for another model alone`() {
        var system = System.threeBPlus
        system.tree.replace("enable_uart=1", with: "[pi4]\nenable_uart=1\n[all]", in: configuration)
        system.tree.replace("dtoverlay=disable-bt", with: "", in: configuration)
        system.tree.remove("/dev/ttyAMA0")
        system.tree.device("/dev/ttyS0", 4, 64, group: 20)
        system.tree.link("/dev/serial0", to: "ttyS0")
        #expect(
            system.troubles == [
                "uart: the UART at GPIO14 and GPIO15 is off; \(configuration): add under [all], after line 42: enable_uart=1"
            ])
    }

    @Test func `where the file ends in a section for another model, all models' section is begun anew`() {
        var system = System.zero2W
        system.tree[configuration] = "dtparam=i2c_arm=on\n[pi4]\narm_boost=1\n"
        #expect(
            system.troubles == [
                "uart: the UART at GPIO14 and GPIO15 is off; \(configuration): "
                    + "add after line 3, [all] and below it: enable_uart=1"
            ])
    }

    @Test func `on a Raspberry Pi 5 uart0 is what switches GPIO14 and GPIO15 on`() {
        var system = System.fiveB
        system.tree.replace("dtparam=uart0=on", with: "enable_uart=1", in: configuration)
        #expect(
            system.troubles == [
                "uart: the UART at GPIO14 and GPIO15 is off; \(configuration): add under [all], after line 40: dtparam=uart0=on"
            ])
    }

    @Test func `on a Raspberry Pi 5 serial0 is the debug connector`() {
        var system = System.fiveB
        system.installation.device = "/dev/serial0"
        #expect(
            system.troubles == [
                "uart: /dev/serial0 is the debug connector's UART on this model, not that of GPIO14 and GPIO15; "
                    + "/etc/sextant/sextant.json5: device: \"/dev/ttyAMA0\""
            ])
    }

    @Test(arguments: [System.zero2W, .threeBPlus, .fourB, .fiveB, .computeModule4])
    func `the name that the rules give the header's UART is that UART`(system: System) {
        var system = system
        system.installation.device = "/dev/sextant/uart"
        #expect(system.troubles.map { $0.prefix { $0 != ";" } } == ["device: /dev/sextant/uart is not there"])
        system.tree.link(
            "/dev/sextant/uart", to: system.tree.entry(at: "/dev/ttyAMA0") == nil ? "../ttyS0" : "../ttyAMA0")
        #expect(system.troubles == [])
        system.tree[configuration] = System.shippedConfiguration
        system.tree.remove("/dev/sextant/uart")
        system.tree.remove("/dev/serial0")
        #expect(system.troubles.contains { $0.hasPrefix("uart: the UART at GPIO14 and GPIO15 is off") })
    }

    // MARK: Somebody else is on it

    @Test(arguments: [System.zero2W, .threeBPlus, .fourB, .computeModule4])
    func `the kernel's console on the UART`(system: System) {
        var system = system
        system.tree[commandLine] = "console=serial0,115200 console=tty1 root=PARTUUID=4e639091-02 rootwait\n"
        #expect(
            system.troubles == [
                "serial-console: the kernel's console is on the receiver's UART; "
                    + "\(commandLine):1: remove console=serial0,115200"
            ])
    }

    @Test func `the kernel's console by the UART's own name, on an older system`() {
        var system = System.olderThreeBPlus
        system.tree["/boot/cmdline.txt"] = "dwc_otg.lpm_enable=0 console=ttyAMA0,115200 root=/dev/mmcblk0p2\n"
        #expect(
            system.troubles == [
                "serial-console: the kernel's console is on the receiver's UART; "
                    + "/boot/cmdline.txt:1: remove console=ttyAMA0,115200"
            ])
    }

    @Test func `on a Raspberry Pi 5 the console on serial0 is not the receiver's`() {
        var system = System.fiveB
        system.tree[commandLine] = "console=serial0,115200 console=tty1 root=PARTUUID=4e639091-02 rootwait\n"
        #expect(system.troubles == [])
    }

    @Test func `the console of a kernel whose boot loader is not known`() {
        var system = System.emulated
        system.tree["/proc/cmdline"] = "console=ttyAMA0,115200 quiet\n"
        #expect(
            system.troubles == [
                "serial-console: the kernel's console is on the receiver's UART; "
                    + "remove console=ttyAMA0,115200 from the kernel's command line, in your boot loader's settings"
            ])
    }

    @Test func `a login prompt on the UART`() {
        var system = System.zero2W
        system.enable("serial-getty@ttyS0.service", in: "getty.target")
        let link = "/etc/systemd/system/getty.target.wants/serial-getty@ttyS0.service"
        #expect(
            system.troubles == [
                "serial-login: a login prompt is on the receiver's UART; "
                    + "\(link): sudo systemctl disable --now serial-getty@ttyS0.service"
            ])
    }

    @Test func `a login prompt that is masked is none`() {
        var system = System.zero2W
        system.enable("serial-getty@ttyS0.service", in: "getty.target")
        system.tree.link("/etc/systemd/system/serial-getty@ttyS0.service", to: "/dev/null")
        #expect(system.troubles == [])
    }

    @Test func `a login prompt that runs, though nobody may see what it has open`() {
        var system = System.zero2W
        system.process(501, "agetty", terminal: 4 << 8 | 64)
        #expect(
            system.troubles == [
                "serial-login: the receiver's UART is the terminal of agetty (process 501); "
                    + "sudo systemctl disable --now serial-getty@ttyS0.service, or stop it"
            ])
    }

    @Test(arguments: [System.zero2W, .threeBPlus, .computeModule4])
    func `Bluetooth has the PL011`(system: System) {
        var system = system
        system.installation.device = "/dev/ttyAMA0"
        system.tree[configuration] = System.configuration("enable_uart=1")
        system.tree.device("/dev/ttyAMA0", 204, 64, group: 20)
        #expect(
            system.troubles == [
                "bluetooth: Bluetooth has /dev/ttyAMA0; "
                    + "\(configuration): add under [all], after line 40: dtoverlay=disable-bt"
            ])
    }

    @Test func `what starts Bluetooth's modem though Bluetooth is off`() {
        var system = System.threeBPlus
        system.enable("hciuart.service")
        #expect(
            system.troubles == [
                "bluetooth: hciuart.service is started though Bluetooth is off; "
                    + "/etc/systemd/system/multi-user.target.wants/hciuart.service: sudo systemctl disable hciuart"
            ])
    }

    @Test func `a mini UART is named, and is no trouble`() {
        let notes = System.zero2W.examination.findings.filter { $0.check == .miniUART }
        #expect(notes.map(\.severity) == [.note])
        #expect(notes.map(\.mend.action) == ["add under [all], after line 40: dtoverlay=disable-bt"])
    }

    @Test func `a core clock that moves the mini UART's rate`() {
        var system = System.zero2W
        system.tree[configuration] = System.configuration("enable_uart=1", "core_freq=400")
        #expect(
            system.troubles == [
                "mini-uart: the receiver's rate follows the core's clock, which core_freq changes; "
                    + "\(configuration):41: remove core_freq=400"
            ])
    }

    // MARK: The device

    @Test func `a device that is absent while a receiver is at USB`() {
        var system = System.zero2W
        system.installation.device = "/dev/ttyACM1"
        system.tree["/sys/devices/usb1/1-1/idVendor"] = "1546\n"
        system.tree["/sys/devices/usb1/1-1/1-1:1.0/tty/ttyACM0/dev"] = "166:0\n"
        system.tree.link("/sys/devices/usb1/1-1/1-1:1.0/tty/ttyACM0/device", to: "../..")
        system.tree.link("/sys/class/tty/ttyACM0", to: "/sys/devices/usb1/1-1/1-1:1.0/tty/ttyACM0")
        #expect(
            system.troubles == [
                "device: /dev/ttyACM1 is not there; "
                    + "/etc/sextant/sextant.json5: a u-blox receiver is at USB: device: \"/dev/ttyACM0\""
            ])
    }

    @Test func `a further UART of a Raspberry Pi 4 whose overlay is missing`() {
        var system = System.fourB
        system.installation.device = "/dev/ttyAMA3"
        #expect(
            system.troubles == [
                "device: /dev/ttyAMA3 is not there; \(configuration): add under [all], after line 41: dtoverlay=uart3"
            ])
    }

    @Test func `a device's group that the daemon's user is not in`() {
        var system = System.zero2W
        system.tree.replace("SupplementaryGroups=dialout", with: "", in: "/lib/systemd/system/sextantd.service")
        #expect(
            system.troubles == [
                "device-permission: sextant is not in the group dialout, which /dev/serial0 has; "
                    + "sudo usermod -aG dialout sextant, and restart sextantd"
            ])
        system.tree.replace("dialout:x:20:pi", with: "dialout:x:20:pi,sextant", in: "/etc/group")
        #expect(system.troubles == [])
    }

    @Test func `a device that a rule gives to the daemon's group besides its own`() {
        var system = System.zero2W
        system.tree.replace("SupplementaryGroups=dialout", with: "", in: "/lib/systemd/system/sextantd.service")
        system.tree.grant("/dev/ttyS0", group: 994)
        #expect(system.troubles == [])
        system.tree.grant("/dev/ttyS0", group: 1000)
        #expect(system.troubles.count == 1)
    }

    @Test func `a device that belongs to root alone`() {
        var system = System.zero2W
        system.tree.device("/dev/ttyS0", 4, 64, group: 0, mode: 0o600)
        #expect(
            system.troubles == [
                "device-permission: /dev/serial0 belongs to root alone; "
                    + "install Sextant's udev rules, /lib/udev/rules.d/60-sextant.rules, and restart"
            ])
    }

    @Test func `gpsd has the device, and is started again with the system`() {
        var system = System.zero2W
        system.enable("gpsd.socket", in: "sockets.target")
        system.process(733, "gpsd", terminal: 0, open: ["/dev/ttyS0"])
        #expect(
            system.troubles == [
                "device-holder: gpsd (process 733) has /dev/serial0 open; "
                    + "sudo systemctl disable --now gpsd.socket gpsd.service",
                "gpsd: gpsd is started too, and takes the receiver and port 2947, both of which sextantd serves; "
                    + "/etc/systemd/system/sockets.target.wants/gpsd.socket: "
                    + "sudo systemctl disable --now gpsd.socket gpsd.service",
            ])
    }

    @Test func `another program has the device`() {
        var system = System.fourB
        system.process(2211, "minicom", terminal: 0x8802, open: ["/dev/pts/2", "/dev/ttyAMA0"])
        #expect(
            system.troubles == [
                "device-holder: minicom (process 2211) has /dev/ttyAMA0 open; stop it: sudo kill 2211"
            ])
    }

    @Test func `ModemManager speaks to receivers at USB unless a rule forbids it`() {
        var system = System.zero2W
        system.installation.device = "/dev/ttyACM0"
        system.tree.device("/dev/ttyACM0", 166, 0, group: 20)
        system.enable("ModemManager.service")
        #expect(
            system.troubles == [
                "modem-manager: ModemManager takes a receiver at USB for a modem, and speaks to it; "
                    + "/etc/systemd/system/multi-user.target.wants/ModemManager.service: "
                    + "sudo systemctl disable --now ModemManager.service"
            ])
        system.tree["/lib/udev/rules.d/60-sextant.rules"] =
            "ATTRS{idVendor}==\"1546\", ENV{ID_MM_DEVICE_IGNORE}=\"1\"\n"
        #expect(system.troubles == [])
    }
}
