/// Pins of the header that a line of config.txt takes.
///
/// The pins are those of the overlay's own defaults where the line names no others.
/// Source: Raspberry Pi firmware, `boot/overlays/README`, "gpiopin" and the like of each overlay.
struct PinClaim: Sendable, Equatable {
    var what: String
    var pins: Set<Int>
    /// How to give them back.
    var mend: Mend
    /// Whether it only listens to the pulse a second.
    var isPulse = false

    /// The pin of a line that is called after it, such as `GPIO17`.
    static func pin(ofLine name: String) -> Int? {
        guard name.hasPrefix("GPIO"), let pin = Int(name.dropFirst(4)), (0...53).contains(pin) else { return nil }
        return pin
    }

    static func all(in boot: BootConfiguration, of model: RaspberryPi?) -> [PinClaim] {
        boot.overlays.compactMap { PinClaim($0, hasRP1: model?.hasRP1 ?? false) } + parameters(boot)
    }

    private init(what: String, pins: Set<Int>, mend: Mend) {
        self.what = what
        self.pins = pins
        self.mend = mend
    }

    // MARK: Overlays

    private init?(_ overlay: BootConfiguration.Overlay, hasRP1: Bool) {
        let plainName = overlay.name.hasSuffix("-pi5") ? String(overlay.name.dropLast(4)) : overlay.name
        let ofRP1 = hasRP1 ? PinClaim.rulesOfRP1[plainName] : nil
        guard let rule = ofRP1 ?? PinClaim.rules[plainName] else { return nil }
        var pins = rule.fixed
        for (name, usual) in rule.parameters {
            pins.insert(overlay.value(name).flatMap { Int($0) } ?? usual)
        }
        let name = "dtoverlay=\(overlay.name)"
        let movable = rule.parameters.first.map { ", or give it another pin with \($0.name)=" } ?? ""
        self.init(what: name, pins: pins, mend: Mend("remove \(name)\(movable)", at: overlay.place))
        isPulse = overlay.name == "pps-gpio"
    }

    private struct Rule {
        /// Parameters that name a pin, with the pin where they are left out.
        var parameters: [(name: String, usual: Int)] = []
        var fixed: Set<Int> = []

        static func at(_ parameter: String, _ usual: Int) -> Rule { Rule(parameters: [(parameter, usual)]) }
        static func taking(_ pins: Int...) -> Rule { Rule(fixed: Set(pins)) }
    }

    private static let digitalAudio = Rule.taking(18, 19, 20, 21)

    /// The UARTs of a Raspberry Pi 5 that have the names of others on a Raspberry Pi 4.
    private static let rulesOfRP1: [String: Rule] = [
        "uart1": .taking(0, 1), "uart2": .taking(4, 5), "uart3": .taking(8, 9), "uart4": .taking(12, 13),
    ]

    private static let rules: [String: Rule] = [
        "pps-gpio": .at("gpiopin", 18), "w1-gpio": .at("gpiopin", 4),
        "w1-gpio-pullup": Rule(parameters: [("gpiopin", 4), ("extpullup", 5)]),
        "dht11": .at("gpiopin", 4), "gpio-fan": .at("gpiopin", 12), "gpio-poweroff": .at("gpiopin", 26),
        "gpio-ir": .at("gpio_pin", 18), "gpio-ir-tx": .at("gpio_pin", 18), "gpio-shutdown": .at("gpio_pin", 3),
        "gpio-key": .at("gpio", 3), "gpio-hog": .at("gpio", 26), "gpio-led": .at("gpio", 19),
        "rotary-encoder": Rule(parameters: [("pin_a", 4), ("pin_b", 17)]),
        "pwm": .at("pin", 18), "pwm-2chan": Rule(parameters: [("pin", 18), ("pin2", 19)]),
        "pwm-ir-tx": .at("gpio_pin", 18), "i2c-gpio": Rule(parameters: [("i2c_gpio_sda", 23), ("i2c_gpio_scl", 24)]),
        "i2c3": .taking(4, 5), "i2c4": .taking(8, 9), "i2c5": .taking(12, 13), "i2c6": .taking(22, 23),
        "uart2": .taking(0, 1), "uart3": .taking(4, 5), "uart4": .taking(8, 9), "uart5": .taking(12, 13),
        "spi1-1cs": .taking(18, 19, 20, 21), "spi1-2cs": .taking(17, 18, 19, 20, 21),
        "spi1-3cs": .taking(16, 17, 18, 19, 20, 21),
        "mcp2515-can0": Rule(parameters: [("interrupt", 25)], fixed: [8, 9, 10, 11]),
        "mcp2515-can1": Rule(parameters: [("interrupt", 25)], fixed: [7, 9, 10, 11]),
        "enc28j60": Rule(parameters: [("int_pin", 25)], fixed: [8, 9, 10, 11]),
        "sdio": .taking(22, 23, 24, 25, 26, 27),
        "dpi24": Rule(fixed: Set(0...27)), "vga666": Rule(fixed: Set(2...21)),
        "hifiberry-dac": digitalAudio, "hifiberry-dacplus": digitalAudio, "hifiberry-amp": digitalAudio,
        "hifiberry-digi": digitalAudio, "iqaudio-dac": digitalAudio, "iqaudio-dacplus": digitalAudio,
        "i2s-dac": digitalAudio, "i2s-mmap": digitalAudio, "googlevoicehat-soundcard": digitalAudio,
    ]

    // MARK: Parameters

    private static func parameters(_ boot: BootConfiguration) -> [PinClaim] {
        let switches: [(name: String, pins: Set<Int>)] = [("spi", [7, 8, 9, 10, 11]), ("i2s", [18, 19, 20, 21])]
        return switches.compactMap { parameter in
            guard let setting = boot.parameter(parameter.name), setting.isOn else { return nil }
            let mend = boot.adding("dtparam=\(parameter.name)=off", insteadOf: setting.place)
            return PinClaim(what: "dtparam=\(parameter.name)=on", pins: parameter.pins, mend: mend)
        }
    }
}
