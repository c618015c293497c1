import Boards
import Configuration
import Foundation
import Glibc
import Testing

/// A device, as udev's rules look at it.
private struct UdevDevice {
    var subsystem: String
    var kernel: String
    /// From the device itself upwards.
    var parents: [Parent] = []
    var attributes: [String: String] = [:]
    /// Paths below the device's own that are there.
    var files: Set<String> = []
    var environment: [String: String] = [:]
    /// Whether it is there below /dev.
    var hasNode = true

    struct Parent {
        var kernel: String
        var driver = ""
        var subsystem = ""
        var attributes: [String: String] = [:]
    }
}

/// What rules make of a device.
private struct UdevOutcome: Equatable {
    var links: Set<String> = []
    var environment: [String: String] = [:]
    var tags: Set<String> = []
    var programs: [String] = []
    var linkPriority = 0
}

/// A file of udev rules, so far as `60-sextant.rules` and its examples need.
///
/// Source: udev(7).
private struct UdevRules {
    private struct Token {
        var key: String
        var argument: String
        var sign: String
        var value: String
    }

    private let rules: [[Token]]

    init(_ text: String) throws {
        rules = try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            try UdevRules.tokens(in: String(line))
        }
    }

    private static func tokens(in line: String) throws -> [Token] {
        let pattern = #/([A-Z]+)(?:\{([^}]+)\})?(==|!=|\+=|=)"([^"]*)"/#
        let tokens = line.matches(of: pattern).map {
            Token(key: "\($0.1)", argument: "\($0.2 ?? "")", sign: "\($0.3)", value: "\($0.4)")
        }
        // Nothing but commas between them.
        let rest = line.replacing(pattern, with: "").filter { $0 != "," && $0 != " " }
        try #require(rest.isEmpty, "\(line)")
        return tokens
    }

    func outcome(for device: UdevDevice, action: String = "add") throws -> UdevOutcome {
        var outcome = UdevOutcome(environment: device.environment)
        var target: String?
        for rule in rules {
            if let label = target {
                if rule.contains(where: { $0.key == "LABEL" && $0.value == label }) { target = nil }
                continue
            }
            guard try rule.allSatisfy({ try matches($0, device, outcome, action) }), parentMatches(rule, device) else {
                continue
            }
            for token in rule { try apply(token, to: &outcome, &target) }
        }
        try #require(target == nil, "a label is missing")
        return outcome
    }

    private func matches(
        _ token: Token, _ device: UdevDevice, _ outcome: UdevOutcome, _ action: String
    ) throws -> Bool {
        guard ["==", "!="].contains(token.sign) else { return true }
        let isAlike: Bool
        switch token.key {
        case "ACTION": isAlike = alike(action, token.value)
        case "SUBSYSTEM": isAlike = alike(device.subsystem, token.value)
        case "KERNEL": isAlike = alike(device.kernel, token.value)
        case "ATTR": isAlike = device.attributes[token.argument].map { alike($0, token.value) } ?? false
        case "ENV" where token.argument == "DEVNAME":
            isAlike = alike(device.hasNode ? "/dev/" + device.kernel : "", token.value)
        case "ENV": isAlike = alike(outcome.environment[token.argument] ?? "", token.value)
        case "TEST": isAlike = device.files.contains(token.value)
        case "KERNELS", "DRIVERS", "SUBSYSTEMS", "ATTRS": return true
        default:
            Issue.record("\(token.key) is no match that this reads")
            return false
        }
        return isAlike == (token.sign == "==")
    }

    /// All matches of parents are of one of them.
    private func parentMatches(_ rule: [Token], _ device: UdevDevice) -> Bool {
        let tokens = rule.filter { ["KERNELS", "DRIVERS", "SUBSYSTEMS", "ATTRS"].contains($0.key) }
        return tokens.isEmpty
            || device.parents.contains { parent in
                tokens.allSatisfy { token in
                    switch token.key {
                    case "KERNELS": alike(parent.kernel, token.value)
                    case "DRIVERS": alike(parent.driver, token.value)
                    case "SUBSYSTEMS": alike(parent.subsystem, token.value)
                    default: parent.attributes[token.argument].map { alike($0, token.value) } ?? false
                    }
                }
            }
    }

    private func apply(_ token: Token, to outcome: inout UdevOutcome, _ target: inout String?) throws {
        switch (token.key, token.sign) {
        case (_, "=="), (_, "!="), ("LABEL", "="): break
        case ("GOTO", "="): target = token.value
        case ("SYMLINK", "+="): outcome.links.insert(token.value)
        case ("TAG", "+="): outcome.tags.insert(token.value)
        case ("RUN", "+="): outcome.programs.append(token.value)
        case ("ENV", "="), ("ENV", "+="): outcome.environment[token.argument] = token.value
        case ("OPTIONS", "+="):
            outcome.linkPriority = try #require(Int(token.value.replacing("link_priority=", with: "")))
        default: Issue.record("\(token.key)\(token.sign) is nothing that this does")
        }
    }

    private func alike(_ text: String, _ pattern: String) -> Bool {
        pattern.split(separator: "|").contains { unsafe fnmatch(String($0), text, 0) == 0 }
    }
}

@Suite("udev/60-sextant.rules")
struct UdevRulesTests {
    private static let folder = URL(fileURLWithPath: BoardFolders.path).deletingLastPathComponent()
        .appendingPathComponent("udev").path
    private static let access = "/usr/bin/setfacl -m u:sextant:rw- $devnode"

    private static func text(_ file: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    }

    private func outcome(_ device: UdevDevice, after local: String = "", action: String = "add") throws -> UdevOutcome {
        try UdevRules(local + "\n" + Self.text("60-sextant.rules")).outcome(for: device, action: action)
    }

    private static func uart(_ kernel: String, _ address: String, bluetooth: Bool = false) -> UdevDevice {
        UdevDevice(
            subsystem: "tty", kernel: kernel,
            parents: [
                .init(kernel: kernel), .init(kernel: "\(address).serial:0.0", driver: "port"),
                .init(kernel: "\(address).serial", driver: "uart-pl011"),
            ], files: bluetooth ? ["device/of_node/bluetooth"] : [])
    }

    private static func usb(_ kernel: String, _ vendor: String, _ product: String, serial: String = "1") -> UdevDevice {
        UdevDevice(
            subsystem: "tty", kernel: kernel,
            parents: [
                .init(kernel: kernel), .init(kernel: "1-1:1.0", driver: "cdc_acm", subsystem: "usb"),
                .init(
                    kernel: "1-1", driver: "usb", subsystem: "usb",
                    attributes: ["idVendor": vendor, "idProduct": product, "serial": serial]),
            ])
    }

    @Test(arguments: [
        ("ttyAMA0", "3f201000", 10), ("ttyAMA0", "20201000", 10), ("ttyAMA0", "fe201000", 10),
        ("ttyAMA0", "1f00030000", 10), ("ttyS0", "3f215040", 0), ("ttyS1", "fe215040", 0),
    ])
    func `the header's UART gets its link on every Raspberry Pi model`(kernel: String, address: String, priority: Int)
        throws
    {
        let outcome = try outcome(Self.uart(kernel, address))
        #expect(outcome.links == ["sextant/uart"] && outcome.linkPriority == priority)
        #expect(outcome.programs == [Self.access])
        #expect(outcome.tags.isEmpty)
    }

    @Test(arguments: [
        ("ttyAMA0", "3f201000", true), ("ttyAMA10", "107d001000", false), ("ttyAMA1", "fe201400", false),
        ("ttyS0", "serial8250", false),
    ])
    func `a UART used by Bluetooth, the debug connector and other UARTs get no link`(
        kernel: String, address: String, bluetooth: Bool
    ) throws {
        #expect(try outcome(Self.uart(kernel, address, bluetooth: bluetooth)) == UdevOutcome())
    }

    /// On Linux 6.5 and later a port hangs below its chip's nodes `00:03:0` and `00:03:0.0`.
    @Test(arguments: [("N", "pnp", true), ("Y", "pnp", false), ("N", "platform", false)])
    func `the daemon gets access to a PC's serial port unless it is the console`(
        console: String, subsystem: String, isGiven: Bool
    ) throws {
        let device = UdevDevice(
            subsystem: "tty", kernel: "ttyS1",
            parents: [
                .init(kernel: "ttyS1", subsystem: "tty"),
                .init(kernel: "00:03:0.0", driver: "port", subsystem: "serial-base"),
                .init(kernel: "00:03", driver: "serial", subsystem: subsystem),
            ], attributes: ["console": console])
        let outcome = try outcome(device)
        #expect(outcome.links.isEmpty && outcome.tags.isEmpty)
        #expect(outcome.programs == (isGiven ? [Self.access] : []))
    }

    @Test(arguments: [
        ("i2c-1", "3f804000.i2c", "i2c-bcm2835", true), ("i2c-1", "1f00074000.i2c", "i2c_designware", true),
        ("i2c-0", "3f205000.i2c", "i2c-bcm2835", false), ("i2c-20", "fef04500.i2c", "brcmstb-i2c", false),
    ])
    func `the I2C bus on pins 3 and 5 gets a link, and no other bus does`(
        kernel: String, parent: String, driver: String, isHeader: Bool
    ) throws {
        let device = UdevDevice(
            subsystem: "i2c-dev", kernel: kernel,
            parents: [.init(kernel: kernel), .init(kernel: parent, driver: driver)])
        let outcome = try outcome(device)
        #expect(outcome.links == (isHeader ? ["sextant/i2c"] : []))
        #expect(outcome.programs == (isHeader ? [Self.access] : []))
    }

    @Test(arguments: [
        ("pinctrl-bcm2835", true), ("pinctrl-rp1", true), ("rp1-pinctrl", true), ("raspberrypi-exp-gpio", false),
        ("brcmstb-gpio", false),
    ])
    func `the header's gpiochip gets a link, and the one for the host's own supplies gets no access`(
        driver: String, isHeader: Bool
    ) throws {
        let device = UdevDevice(
            subsystem: "gpio", kernel: "gpiochip0",
            parents: [.init(kernel: "gpiochip0"), .init(kernel: "fe200000.gpio", driver: driver)])
        let outcome = try outcome(device)
        #expect(outcome.links == (isHeader ? ["sextant/gpio"] : []))
        #expect(outcome.programs == (isHeader ? [Self.access] : []))
    }

    @Test func `a PPS device on a line gets a link, and a CP2112 bridge gives access to its lines and bus`() throws {
        let pulse = UdevDevice(subsystem: "pps", kernel: "pps0", attributes: ["name": "pps@12.-1"])
        #expect(try outcome(pulse).links == ["sextant/pps"])
        let network = UdevDevice(subsystem: "pps", kernel: "pps1", attributes: ["name": "ptp0"])
        #expect(try outcome(network) == UdevOutcome())
        for (subsystem, kernel) in [("gpio", "gpiochip1"), ("i2c-dev", "i2c-11")] {
            let parents = [UdevDevice.Parent(kernel: kernel), .init(kernel: "0003:10C4:EA90.0001", driver: "cp2112")]
            let outcome = try outcome(UdevDevice(subsystem: subsystem, kernel: kernel, parents: parents))
            #expect(outcome.programs == [Self.access] && outcome.links.isEmpty)
        }
    }

    @Test(arguments: ["01a7", "01a8", "01a9", "0502"])
    func `a u-blox receiver plugged in at USB gets a link and starts the daemon`(product: String) throws {
        let outcome = try outcome(Self.usb("ttyACM0", "1546", product))
        #expect(outcome.links == ["sextant/usb"])
        #expect(outcome.tags == ["systemd"] && outcome.environment["SYSTEMD_WANTS"] == "sextantd.service")
        #expect(outcome.environment["ID_MM_DEVICE_IGNORE"] == "1")
        #expect(outcome.programs == [Self.access])
    }

    @Test(arguments: [("1546", "1102"), ("1546", "1146"), ("10c4", "ea60"), ("1a86", "7523"), ("0403", "6001")])
    func `a modem or a USB serial bridge is not taken for a receiver by default`(vendor: String, product: String) throws
    {
        #expect(try outcome(Self.usb("ttyUSB0", vendor, product)) == UdevOutcome())
    }

    @Test func `the example rules in the README make receivers of bridges, and give access to other devices`() throws {
        let blocks = try Self.text("README.md").components(separatedBy: "```\n")
        let local = blocks.filter { $0.contains("SUBSYSTEM==") }.joined(separator: "\n")
        for (vendor, product, serial) in [("10c4", "ea60", "0001"), ("1a86", "7523", ""), ("0403", "6001", "A50285BI")]
        {
            let device = Self.usb("ttyUSB0", vendor, product, serial: serial)
            #expect(try outcome(device, after: local).links == ["sextant/usb"])
        }
        #expect(try outcome(Self.usb("ttyUSB0", "10c4", "ea60", serial: "2"), after: local) == UdevOutcome())
        let second = try outcome(Self.uart("ttyAMA1", "fe201400"), after: local)
        #expect(second.links.isEmpty && second.programs == [Self.access])
    }

    @Test func `a chip without a device node gets no access rule`() throws {
        var chip = Self.uart("ttyAMA0", "3f201000")
        chip.hasNode = false
        #expect(try outcome(chip).programs.isEmpty)
    }

    @Test func `the rules ignore a device that is removed`() throws {
        #expect(try outcome(Self.uart("ttyAMA0", "3f201000"), action: "remove") == UdevOutcome())
    }

    @Test func `the device names in the boards are the links that the rules create`() throws {
        let rules = try Self.text("60-sextant.rules")
        let page = try Self.text("README.md")
        for pair in BoardFolders.pairs {
            let device = try BoardFolders.board(pair).receiver.device
            #expect(rules.contains("SYMLINK+=\"\(device.dropFirst("/dev/".count))\""))
            #expect(page.contains("`\(device)`"))
        }
    }
}
