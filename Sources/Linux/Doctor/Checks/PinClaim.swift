/// Header pins that an overlay or a parameter in config.txt uses.
///
/// If the line in config.txt names no pins, the overlay's default pins apply. Source: Raspberry Pi firmware,
/// `boot/overlays/README`: "gpiopin" and similar parameters of each overlay, `pins_2_3` and similar for the pins of an
/// I2C bus, `ctsrts` for a UART's flow control pins.
struct PinClaim: Sendable, Equatable {
    var what: String
    var pins: Set<Int>
    var mend: Mend
    /// Whether the line in config.txt only makes the kernel timestamp the receiver's pulse per second.
    var isPulse = false
    /// Whether the line in config.txt loads the overlay of the I2C bus at GPIO2 and GPIO3.
    var isHeaderBus = false

    /// What stands before a pin's number in the names of GPIO lines: `GPIO` in the header's own names, or the chip's
    /// name.
    ///
    /// Source: Raspberry Pi's Linux, the labels of `pinctrl-bcm2835.c` and `pinctrl-rp1.c`.
    private static let namesOfPins = ["GPIO", "pinctrl-bcm2835:", "pinctrl-bcm2711:", "pinctrl-rp1:"]

    /// The pin number in a GPIO line's name such as `GPIO17` or `pinctrl-rp1:17`; nil for names of another form.
    static func pin(ofLine name: String) -> Int? {
        guard let before = namesOfPins.first(where: { name.hasPrefix($0) }),
            let pin = Int(name.dropFirst(before.count)), (0...53).contains(pin)
        else { return nil }
        return pin
    }

    static func all(in boot: BootConfiguration, of model: RaspberryPi?) -> [PinClaim] {
        boot.overlays.compactMap { PinClaim($0, model?.processor) } + parameters(boot)
    }

    private init(what: String, pins: Set<Int>, mend: Mend) {
        self.what = what
        self.pins = pins
        self.mend = mend
    }

    // MARK: Overlays

    /// - Parameter processor: The host's processor; the firmware ignores overlays for other processors.
    private init?(_ overlay: BootConfiguration.Overlay, _ processor: RaspberryPi.Processor?) {
        let isOfRP1 = overlay.name.hasSuffix("-pi5")
        guard !isOfRP1 || processor == .bcm2712 else { return nil }
        let plainName = isOfRP1 ? String(overlay.name.dropLast(4)) : overlay.name
        guard let rule = PinClaim.rules(of: processor)[plainName] ?? PinClaim.rules[plainName] else { return nil }
        let name = "dtoverlay=\(overlay.name)"
        self.init(
            what: name, pins: rule.pins(overlay),
            mend: Mend("remove \(name)\(rule.alternative(overlay))", at: overlay.place))
        isPulse = overlay.name == "pps-gpio"
        isHeaderBus = plainName == "i2c1"
    }

    private struct Rule {
        /// The overlay's parameters that name a pin, each with the pin that is used if the parameter is missing.
        var parameters: [(name: String, usual: Int)] = []
        var fixed: Set<Int> = []
        /// Pairs of pins, of which the overlay uses one pair: the pair that a parameter chooses, or else the first
        /// pair.
        var pairs: [Pair] = []
        /// Further pins that the overlay uses if it has the parameter `ctsrts` (flow control).
        var flowControl: Set<Int> = []

        struct Pair {
            var first: Int
            var second: Int

            init(_ first: Int, _ second: Int) { (self.first, self.second) = (first, second) }

            var parameter: String { "pins_\(first)_\(second)" }
        }

        static func at(_ parameter: String, _ usual: Int) -> Rule { Rule(parameters: [(parameter, usual)]) }
        static func taking(_ pins: Int...) -> Rule { Rule(fixed: Set(pins)) }
        static func bus(_ pairs: Pair...) -> Rule { Rule(pairs: pairs) }

        /// The pins of a UART, which have consecutive numbers: transmit, receive, and two for flow control.
        ///
        /// - Parameter first: The number of the transmit pin.
        static func uart(_ first: Int) -> Rule {
            Rule(fixed: [first, first + 1], flowControl: [first + 2, first + 3])
        }

        private func pair(_ overlay: BootConfiguration.Overlay) -> Pair? {
            let named = overlay.parameters.compactMap { given in pairs.first { $0.parameter == given.name } }
            return named.last ?? pairs.first
        }

        func pins(_ overlay: BootConfiguration.Overlay) -> Set<Int> {
            var pins = fixed.union(parameters.map { overlay.value($0.name).flatMap { Int($0) } ?? $0.usual })
            if overlay.value("ctsrts") != nil { pins.formUnion(flowControl) }
            if let pair = pair(overlay) { pins.formUnion([pair.first, pair.second]) }
            return pins
        }

        /// The words that a remedy adds to offer other pins, instead of removing the overlay; empty if the overlay has
        /// no other pins.
        func alternative(_ overlay: BootConfiguration.Overlay) -> String {
            if let parameter = parameters.first { return ", or give it another pin with \(parameter.name)=" }
            let present = pair(overlay)?.parameter
            let others = pairs.map(\.parameter).filter { $0 != present }
            return others.isEmpty ? "" : ", or give it other pins with \(others.joined(separator: " or "))"
        }
    }

    private static let digitalAudio = Rule.taking(18, 19, 20, 21)

    /// The pins of the overlays for UARTs and I2C buses on one processor; RP1 and BCM2711 use the same names for
    /// different pins.
    private static func rules(of processor: RaspberryPi.Processor?) -> [String: Rule] {
        switch processor {
        case .bcm2835?, nil: [:]
        case .bcm2711?: rulesOfBCM2711
        case .bcm2712?: rulesOfRP1
        }
    }

    private static let rulesOfBCM2711: [String: Rule] = [
        "uart2": .uart(0), "uart3": .uart(4), "uart4": .uart(8), "uart5": .uart(12),
        "i2c3": .bus(.init(4, 5), .init(2, 3)), "i2c4": .bus(.init(8, 9), .init(6, 7)),
        "i2c5": .bus(.init(12, 13), .init(10, 11)), "i2c6": .bus(.init(22, 23), .init(0, 1)),
    ]

    private static let rulesOfRP1: [String: Rule] = [
        "uart1": .uart(0), "uart2": .uart(4), "uart3": .uart(8), "uart4": .uart(12),
        "i2c0": .bus(.init(0, 1), .init(8, 9)), "i2c1": .bus(.init(2, 3), .init(10, 11)),
        "i2c2": .bus(.init(4, 5), .init(12, 13)), "i2c3": .bus(.init(6, 7), .init(14, 15), .init(22, 23)),
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
        "i2c0": .bus(.init(0, 1), .init(28, 29), .init(44, 45), .init(46, 47)),
        "i2c1": .bus(.init(2, 3), .init(44, 45)),
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
