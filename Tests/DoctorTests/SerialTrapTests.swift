import Doctor
import Testing

/// Each trap between a receiver and its UART is found, with file and line.
struct SerialTrapTests {
    private let configuration = "/boot/firmware/config.txt"
    private let commandLine = "/boot/firmware/cmdline.txt"

    // MARK: The UART is off

    @Test func `a UART that is not switched on is reported`() {
        var system = System.zero2W
        system.tree.replace("enable_uart=1", with: "", in: configuration)
        #expect(
            system.troubles == [
                "uart: the UART at GPIO14 and GPIO15 is off; \(configuration): add under [all], after line 39: enable_uart=1"
            ])
    }

    @Test func `a UART that is switched off is reported`() {
        var system = System.fourB
        system.tree.replace("enable_uart=1", with: "enable_uart=0", in: configuration)
        #expect(
            system.troubles == [
                "uart: the UART at GPIO14 and GPIO15 is off; \(configuration):40: change the line to enable_uart=1"
            ])
    }

    @Test func `a UART switched on only for another model is reported`() {
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

    @Test func `when config.txt ends in another model's section, the suggestion begins a new [all] section`() {
        var system = System.zero2W
        system.tree[configuration] = "dtparam=i2c_arm=on\n[pi4]\narm_boost=1\n"
        #expect(
            system.troubles == [
                "uart: the UART at GPIO14 and GPIO15 is off; \(configuration): "
                    + "add after line 3, [all] and below it: enable_uart=1"
            ])
    }

    @Test(arguments: [System.zero2W, .threeBPlus, .fourB, .fiveB, .computeModule4])
    func `the UART link that the udev rules create counts as the header's UART`(system: System) {
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
    func `a kernel console on the receiver's UART is reported`(system: System) {
        var system = system
        system.tree[commandLine] = "console=serial0,115200 console=tty1 root=PARTUUID=4e639091-02 rootwait\n"
        #expect(
            system.troubles == [
                "serial-console: the kernel's console is on the receiver's UART; "
                    + "\(commandLine):1: remove console=serial0,115200"
            ])
    }

    @Test func `a kernel console under the UART's own device name is reported on an older system`() {
        var system = System.olderThreeBPlus
        system.tree["/boot/cmdline.txt"] = "dwc_otg.lpm_enable=0 console=ttyAMA0,115200 root=/dev/mmcblk0p2\n"
        #expect(
            system.troubles == [
                "serial-console: the kernel's console is on the receiver's UART; "
                    + "/boot/cmdline.txt:1: remove console=ttyAMA0,115200"
            ])
    }

    @Test func `a console removed from cmdline.txt needs a restart`() {
        var system = System.zero2W
        system.tree["/proc/cmdline"] = "console=ttyS0,115200 console=tty1 root=PARTUUID=4e639091-02 rootwait\n"
        #expect(
            system.troubles == [
                "serial-console: the kernel's console is on the receiver's UART; "
                    + "restart, so that \(commandLine) takes effect"
            ])
    }

    @Test func `for a kernel with an unknown boot loader, the boot loader's settings are named`() {
        var system = System.emulated
        system.tree["/proc/cmdline"] = "console=ttyAMA0,115200 quiet\n"
        #expect(
            system.troubles == [
                "serial-console: the kernel's console is on the receiver's UART; "
                    + "remove console=ttyAMA0,115200 from the kernel's command line, in your boot loader's settings"
            ])
    }

    @Test func `a login prompt on the receiver's UART is reported`() {
        var system = System.zero2W
        system.enable("serial-getty@ttyS0.service", in: "getty.target")
        let link = "/etc/systemd/system/getty.target.wants/serial-getty@ttyS0.service"
        #expect(
            system.troubles == [
                "serial-login: a login prompt is on the receiver's UART; "
                    + "\(link): sudo systemctl disable --now serial-getty@ttyS0.service"
            ])
    }

    @Test func `a masked login prompt is not reported`() {
        var system = System.zero2W
        system.enable("serial-getty@ttyS0.service", in: "getty.target")
        system.tree.link("/etc/systemd/system/serial-getty@ttyS0.service", to: "/dev/null")
        #expect(system.troubles == [])
    }

    @Test func `a running login prompt is found by its terminal when its open files cannot be read`() {
        var system = System.zero2W
        system.process(501, "agetty", terminal: 4 << 8 | 64)
        #expect(
            system.troubles == [
                "serial-login: the receiver's UART is the terminal of agetty (process 501); "
                    + "sudo systemctl disable --now serial-getty@ttyS0.service, or stop it"
            ])
    }

    @Test func `a daemon's start finds a login prompt without a look at any process's open files`() {
        var system = System.zero2W
        system.process(501, "agetty", terminal: 4 << 8 | 64, open: ["/dev/ttyS0"])
        let (found, asked) = atStart(of: system)
        #expect(found == ["the receiver's UART is the terminal of agetty (process 501)"])
        #expect(asked.contains("/proc/501/stat"))
        #expect(!asked.contains { $0.hasPrefix("/proc/501/fd") })
    }

    @Test func `a daemon's start looks at no process where the receiver's device is not there`() {
        var system = System.zero2W
        system.process(501, "agetty", terminal: 4 << 8 | 64)
        system.tree.remove("/dev/ttyS0")
        let (found, asked) = atStart(of: system)
        #expect(found == [])
        #expect(!asked.contains { $0.hasPrefix("/proc/501") })
    }

    @Test func `a daemon's start opens no file of the store, whose locks it would lose`() {
        #expect(!atStart(of: .zero2W).asked.contains { $0.hasPrefix("/var/lib/sextant/") })
    }

    /// What the check of login prompts finds when a daemon starts, and the paths that were looked at for it.
    private func atStart(of system: System) -> (found: [String], asked: Set<String>) {
        let files = WatchedFiles(system.tree)
        let facts = HostFacts(files: files, installation: system.installation, isStart: true)
        return (Examination(facts, [.serialLogin]).findings.map(\.what), files.asked)
    }

    @Test func `a receiver that the daemon does not hear is reported, though its device is there`() {
        var system = System.zero2W
        system.live.receiverFault = "it has not answered at /dev/serial0 since 10:20 UTC"
        #expect(
            system.troubles == [
                "device: the daemon does not hear the receiver: it has not answered at /dev/serial0 since 10:20 UTC; "
                    + "check its supply, and its wires: TX to RX, RX to TX, ground to ground; at USB, its plug"
            ])
    }

    @Test(arguments: [System.zero2W, .threeBPlus, .computeModule4])
    func `Bluetooth on the PL011 is reported`(system: System) {
        var system = system
        system.installation.device = "/dev/ttyAMA0"
        system.tree[configuration] = System.configuration("enable_uart=1")
        system.tree.device("/dev/ttyAMA0", 204, 64, group: 20)
        system.tree.link("/dev/serial0", to: "ttyS0")
        #expect(
            system.troubles == [
                "bluetooth: Bluetooth has /dev/ttyAMA0; "
                    + "\(configuration): add under [all], after line 40: dtoverlay=disable-bt"
            ])
    }

    @Test func `a Compute Module 4 without radio has the PL011 on the header without any change`() {
        var system = System.computeModule4
        system.tree[configuration] = System.configuration()
        #expect(system.troubles == [])
        system.installation.device = "/dev/ttyAMA0"
        #expect(system.troubles == [])
    }

    @Test func `a Bluetooth modem service is reported when Bluetooth is off`() {
        var system = System.threeBPlus
        system.enable("hciuart.service")
        #expect(
            system.troubles == [
                "bluetooth: hciuart.service is started though Bluetooth is off; "
                    + "/etc/systemd/system/multi-user.target.wants/hciuart.service: sudo systemctl disable hciuart"
            ])
    }

    @Test func `a mini UART is a note, not a problem`() {
        let notes = System.zero2W.examination.findings.filter { $0.check == .miniUART }
        #expect(notes.map(\.severity) == [.note])
        #expect(notes.map(\.mend.action) == ["add under [all], after line 40: dtoverlay=disable-bt"])
    }

    @Test func `a core clock setting that changes the mini UART's rate is reported`() {
        var system = System.zero2W
        system.tree[configuration] = System.configuration("enable_uart=1", "core_freq=400")
        #expect(
            system.troubles == [
                "mini-uart: the receiver's rate follows the core's clock, which core_freq changes; "
                    + "\(configuration):41: remove core_freq=400"
            ])
    }

    // MARK: The device

    @Test func `for a missing device a receiver at USB is suggested`() {
        var system = System.zero2W
        system.installation.device = "/dev/ttyACM1"
        system.plugIn("ttyACM0", "1546", "01a8", serial: nil)
        #expect(
            system.troubles == [
                "device: /dev/ttyACM1 is not there; "
                    + "/etc/sextant/sextant.json5: a u-blox receiver is at USB: device: \"/dev/ttyACM0\""
            ])
    }

    @Test func `a u-blox modem is not suggested as a receiver`() {
        var system = System.zero2W
        system.installation.device = "/dev/ttyACM1"
        system.plugIn("ttyACM0", "1546", "1102", serial: nil)
        #expect(
            system.troubles == ["device: /dev/ttyACM1 is not there; plug the receiver in, and check its cable"])
    }

    @Test func `a missing overlay for a further UART of a Raspberry Pi 4 or 5 is reported`() {
        for (base, line, overlay) in [
            (System.fourB, 41, "uart3"), (.computeModule4, 41, "uart3"), (.fiveB, 40, "uart3-pi5"),
        ] {
            var system = base
            system.installation.device = "/dev/ttyAMA3"
            #expect(
                system.troubles == [
                    "device: /dev/ttyAMA3 is not there; "
                        + "\(configuration): add under [all], after line \(line): dtoverlay=\(overlay)"
                ])
            system.tree[configuration] = (system.tree[configuration] ?? "") + "dtoverlay=\(overlay)\n"
            system.tree["/boot/firmware/overlays/\(overlay).dtbo"] = ""
            #expect(
                system.troubles.filter { $0.hasPrefix("device: ") } == [
                    "device: /dev/ttyAMA3 is not there; restart, so that config.txt takes effect"
                ])
        }
    }

    @Test func `no overlay is suggested for a UART that the model does not have`() {
        for (base, name, header) in [
            (System.zero2W, "ttyAMA3", "ttyS0"), (.threeBPlus, "ttyAMA2", "ttyAMA0"), (.fourB, "ttyAMA6", "ttyAMA0"),
            (.fiveB, "ttyAMA5", "ttyAMA0"),
        ] {
            var system = base
            system.installation.device = "/dev/\(name)"
            #expect(
                system.troubles == [
                    "device: /dev/\(name) is not there; /etc/sextant/sextant.json5: "
                        + "this model has no such UART; the UART of GPIO14 and GPIO15 is device: \"/dev/\(header)\""
                ])
        }
    }

    @Test func `a device that no udev rule gives to the daemon is reported`() {
        var system = System.fourB
        system.installation.device = "/dev/ttyAMA3"
        system.tree.device("/dev/ttyAMA3", 204, 67, group: 20)
        let trouble =
            "device-permission: sextant may not open /dev/ttyAMA3; /etc/udev/rules.d/59-sextant-local.rules: "
            + "add: SUBSYSTEM==\"tty\", KERNEL==\"ttyAMA3\", ENV{SEXTANT_DEVICE}=\"1\"; "
            + "then: sudo udevadm control --reload && sudo udevadm trigger"
        #expect(system.troubles == [trouble])
        system.tree.grant("/dev/ttyAMA3", user: 1000)
        #expect(system.troubles == [trouble])
        system.tree.grant("/dev/ttyAMA3", user: 995)
        #expect(system.troubles == [])
        system.tree.grant("/dev/ttyAMA3", group: 994)
        #expect(system.troubles == [])
        system.tree.device("/dev/ttyAMA3", 204, 67, group: 20)
        system.tree.replace("dialout:x:20:pi", with: "dialout:x:20:pi,sextant", in: "/etc/group")
        #expect(system.troubles == [])
    }

    @Test func `for a USB serial bridge a udev rule with its vendor, product and serial number is suggested`() {
        var system = System.zero2W
        system.installation.device = "/dev/ttyUSB0"
        system.plugIn("ttyUSB0", "10c4", "ea60", serial: "0001")
        system.tree.device("/dev/ttyUSB0", 188, 0, group: 20)
        #expect(
            system.troubles == [
                "device-permission: sextant may not open /dev/ttyUSB0; /etc/udev/rules.d/59-sextant-local.rules: "
                    + "add: SUBSYSTEM==\"tty\", SUBSYSTEMS==\"usb\", ATTRS{idVendor}==\"10c4\", "
                    + "ATTRS{idProduct}==\"ea60\", ATTRS{serial}==\"0001\", ENV{SEXTANT_RECEIVER}=\"1\"; "
                    + "then: sudo udevadm control --reload && sudo udevadm trigger"
            ])
    }

    @Test func `missing udev rules are reported`() {
        var system = System.zero2W
        system.tree.device("/dev/ttyS0", 4, 64, group: 20)
        system.tree.remove("/lib/udev/rules.d/60-sextant.rules")
        #expect(
            system.troubles == [
                "device-permission: sextant may not open /dev/serial0; "
                    + "install Sextant's udev rules, /lib/udev/rules.d/60-sextant.rules, and restart",
                "udev-rules: the rules that give the daemon its devices are not installed; "
                    + "/lib/udev/rules.d/60-sextant.rules: install the package sextant anew",
            ])
    }

    @Test func `a daemon that runs as another user than the udev rules expect is reported`() {
        var system = System.zero2W
        system.tree.replace("User=sextant", with: "User=pi", in: "/lib/systemd/system/sextantd.service")
        system.tree.replace("dialout:x:20:pi", with: "dialout:x:20:", in: "/etc/group")
        #expect(
            system.troubles.first
                == "device-permission: pi may not open /dev/serial0; "
                + "the rules give the daemon's devices to sextant: User=sextant in sextantd.service")
    }

    @Test func `gpsd holding the device is reported, with the command that keeps it from starting again`() {
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

    @Test func `another program holding the device is reported`() {
        var system = System.fourB
        system.process(2211, "minicom", terminal: 0x8802, open: ["/dev/pts/2", "/dev/ttyAMA0"])
        #expect(
            system.troubles == [
                "device-holder: minicom (process 2211) has /dev/ttyAMA0 open; stop it: sudo kill 2211"
            ])
    }

    // MARK: ModemManager

    private func withBridge(udev: String = "") -> System {
        var system = System.zero2W
        system.installation.device = "/dev/ttyUSB0"
        system.plugIn("ttyUSB0", "10c4", "ea60", serial: "0001", udev: udev)
        return system
    }

    private let bridgeTrouble =
        "modem-manager: ModemManager may take the receiver at USB for a modem, and speak to it; "
        + "/etc/udev/rules.d/59-sextant-local.rules: "
        + "add: SUBSYSTEM==\"tty\", SUBSYSTEMS==\"usb\", ATTRS{idVendor}==\"10c4\", ATTRS{idProduct}==\"ea60\", "
        + "ATTRS{serial}==\"0001\", ENV{SEXTANT_RECEIVER}=\"1\"; "
        + "then: sudo udevadm control --reload && sudo udevadm trigger; "
        + "or: sudo systemctl disable --now ModemManager.service"

    @Test func `ModemManager is reported when udev does not tell it to ignore the receiver`() {
        var system = withBridge()
        #expect(system.troubles == [])
        system.enable("ModemManager.service")
        #expect(system.troubles == [bridgeTrouble])
    }

    @Test func `ModemManager is reported when it runs, even if it does not start with the system`() {
        var system = withBridge()
        system.process(611, "ModemManager", terminal: 0)
        #expect(system.troubles == [bridgeTrouble])
    }

    @Test(arguments: ["E:ID_MM_DEVICE_IGNORE=1\n", "E:SEXTANT_RECEIVER=1\nE:ID_MM_PORT_IGNORE=1\n"])
    func `ModemManager is not reported when udev tells it to ignore the port or its device`(property: String) {
        var system = withBridge(udev: property)
        system.enable("ModemManager.service")
        #expect(system.troubles == [])
        system = withBridge(udev: "E:ID_MM_CANDIDATE=1\nE:ID_MM_DEVICE_IGNORE=0\n")
        system.enable("ModemManager.service")
        #expect(system.troubles == [bridgeTrouble])
        system.tree["/run/udev/data/c189:2"] = property
        #expect(system.troubles == [])
    }

    @Test func `a u-blox receiver plugged in before the udev rules were installed is reported`() {
        var system = System.zero2W
        system.installation.device = "/dev/ttyACM0"
        system.plugIn("ttyACM0", "1546", "01a8", serial: nil)
        system.enable("ModemManager.service")
        let may = "modem-manager: ModemManager may take the receiver at USB for a modem, and speak to it; "
        #expect(
            system.troubles == [
                may + "sudo udevadm trigger; or: sudo systemctl disable --now ModemManager.service"
            ])
        system.tree.remove("/lib/udev/rules.d/60-sextant.rules")
        #expect(
            system.troubles.first == may
                + "install Sextant's udev rules, /lib/udev/rules.d/60-sextant.rules, and restart; "
                + "or: sudo systemctl disable --now ModemManager.service")
    }
}
