import Doctor
import Testing

/// On a Raspberry Pi 5 the header's UART is that of the chip RP1, which newer boot loaders may make `serial0`.
struct RP1SerialTrapTests {
    private let configuration = "/boot/firmware/config.txt"
    private let commandLine = "/boot/firmware/cmdline.txt"
    private let off = "uart: the UART at GPIO14 and GPIO15 is off; "

    @Test func `uart0 is what switches GPIO14 and GPIO15 on`() {
        var system = System.fiveB
        system.tree.replace("dtparam=uart0=on", with: "", in: configuration)
        #expect(system.troubles == [])
        system.tree.remove("/dev/ttyAMA0")
        let troubles = system.troubles
        #expect(troubles.first == off + "\(configuration): add under [all], after line 39: dtparam=uart0=on")
        #expect(troubles.dropFirst().allSatisfy { $0.hasPrefix("device: ") })
    }

    @Test func `where enable_uart did not switch it on, uart0 does`() {
        var system = System.fiveB
        system.tree.replace("dtparam=uart0=on", with: "enable_uart=1", in: configuration)
        #expect(system.troubles == [])
        system.tree.remove("/dev/ttyAMA0")
        #expect(system.troubles.first == off + "\(configuration):40: change the line to dtparam=uart0=on")
    }

    @Test func `one that is on is not off for want of the link that udev's rules make`() {
        var system = System.fiveB
        system.tree.replace("dtparam=uart0=on", with: "enable_uart=1", in: configuration)
        system.tree.link("/dev/serial0", to: "ttyAMA0")
        system.installation.device = "/dev/sextant/uart"
        #expect(!system.troubles.contains { $0.hasPrefix("uart: ") })
    }

    @Test func `on a card in another machine enable_uart may switch it on, by the board's boot loader`() {
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

    @Test func `serial0 is the debug connector`() {
        var system = System.fiveB
        system.installation.device = "/dev/serial0"
        #expect(
            system.troubles == [
                "uart: /dev/serial0 is the debug connector's UART on this model, not that of GPIO14 and GPIO15; "
                    + "/etc/sextant/sextant.json5: device: \"/dev/ttyAMA0\""
            ])
    }

    @Test func `the console on serial0 is not the receiver's`() {
        var system = System.fiveB
        system.tree[commandLine] = "console=serial0,115200 console=tty1 root=PARTUUID=4e639091-02 rootwait\n"
        #expect(system.troubles == [])
    }

    @Test func `a console on serial0 beside enable_uart comes to the receiver's UART with a newer boot loader`() {
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
