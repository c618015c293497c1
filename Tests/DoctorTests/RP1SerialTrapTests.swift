import Doctor
import Testing

/// On a Raspberry Pi 5 the header's UART is that of the chip RP1, which newer boot loaders may make `serial0`.
struct RP1SerialTrapTests {
    private let configuration = "/boot/firmware/config.txt"
    private let commandLine = "/boot/firmware/cmdline.txt"
    private let off = "uart: the UART at GPIO14 and GPIO15 is off; "

    @Test func `dtparam=uart0 switches on the UART at GPIO14 and GPIO15`() {
        var system = System.fiveB
        system.tree.replace("dtparam=uart0=on", with: "", in: configuration)
        #expect(system.troubles == [])
        system.tree.remove("/dev/ttyAMA0")
        let troubles = system.troubles
        #expect(troubles.first == off + "\(configuration): add under [all], after line 39: dtparam=uart0=on")
        #expect(troubles.dropFirst().allSatisfy { $0.hasPrefix("device: ") })
    }

    @Test func `dtparam=uart0 is suggested when enable_uart did not switch the UART on`() {
        var system = System.fiveB
        system.tree.replace("dtparam=uart0=on", with: "enable_uart=1", in: configuration)
        #expect(system.troubles == [])
        system.tree.remove("/dev/ttyAMA0")
        #expect(system.troubles.first == off + "\(configuration):40: change the line to dtparam=uart0=on")
    }

    @Test func `a UART that is on is not reported as off when only its udev link is missing`() {
        var system = System.fiveB
        system.tree.replace("dtparam=uart0=on", with: "enable_uart=1", in: configuration)
        system.tree.link("/dev/serial0", to: "ttyAMA0")
        system.installation.device = "/dev/sextant/uart"
        #expect(!system.troubles.contains { $0.hasPrefix("uart: ") })
    }

    @Test func `for a card in another machine, enable_uart is said to depend on the boot loader's version`() {
        var system = System.fiveB
        system.tree.replace("dtparam=uart0=on", with: "enable_uart=1", in: configuration)
        for path in ["/proc", "/sys", "/dev"] { system.tree.remove(path) }
        system.live = LiveFacts()
        #expect(
            system.troubles == [
                "uart: enable_uart=1 switches the UART at GPIO14 and GPIO15 on with newer boot loaders alone; "
                    + "\(configuration):40: change the line to dtparam=uart0=on"
            ])
        #expect(system.examination.findings.first?.severity == .warning)
    }

    @Test func `serial0 is reported as the debug connector's UART`() {
        var system = System.fiveB
        system.installation.device = "/dev/serial0"
        #expect(
            system.troubles == [
                "uart: /dev/serial0 is the debug connector's UART on this model, not that of GPIO14 and GPIO15; "
                    + "/etc/sextant/sextant.json5: device: \"/dev/ttyAMA0\""
            ])
    }

    @Test func `a console on serial0 does not affect the receiver's UART`() {
        var system = System.fiveB
        system.tree[commandLine] = "console=serial0,115200 console=tty1 root=PARTUUID=4e639091-02 rootwait\n"
        #expect(system.troubles == [])
    }

    @Test func `a console on serial0 together with enable_uart is reported for newer boot loaders`() {
        var system = System.fiveB
        system.tree[configuration] = System.configuration("dtparam=uart0=on", "enable_uart=1")
        #expect(system.troubles == [])
        system.tree[commandLine] = "console=serial0,115200 console=tty1 root=PARTUUID=4e639091-02 rootwait\n"
        #expect(
            system.troubles == [
                "serial-console: enable_uart=1 has newer boot loaders move the console on serial0 to the receiver's UART; "
                    + "\(configuration):41: remove enable_uart=1"
            ])
        #expect(system.examination.findings.first?.severity == .warning)
        system.tree.link("/dev/serial0", to: "ttyAMA0")
        #expect(
            system.troubles == [
                "serial-console: the kernel's console is on the receiver's UART; "
                    + "\(commandLine):1: remove console=serial0,115200"
            ])
    }
}
