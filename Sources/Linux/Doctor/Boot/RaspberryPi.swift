internal import Boards

/// The models of Raspberry Pi; models that neither the checks nor the power draw distinguish share a case.
public enum RaspberryPi: String, Sendable, Hashable, CaseIterable {
    case one = "Raspberry Pi 1"
    case zero = "Raspberry Pi Zero"
    case zeroW = "Raspberry Pi Zero W"
    case zero2W = "Raspberry Pi Zero 2 W"
    case twoB = "Raspberry Pi 2 Model B"
    case threeAPlus = "Raspberry Pi 3 Model A+"
    case threeB = "Raspberry Pi 3 Model B"
    case threeBPlus = "Raspberry Pi 3 Model B+"
    case computeModule3 = "Raspberry Pi Compute Module 3"
    case fourB = "Raspberry Pi 4 Model B"
    case fourHundred = "Raspberry Pi 400"
    case computeModule4 = "Raspberry Pi Compute Module 4"
    case computeModule4S = "Raspberry Pi Compute Module 4S"
    case fiveB = "Raspberry Pi 5 Model B"
    case fiveHundred = "Raspberry Pi 500"
    case computeModule5 = "Raspberry Pi Compute Module 5"

    /// Finds the model by the text of `/proc/device-tree/model`, such as "Raspberry Pi 3 Model B Plus Rev 1.3".
    ///
    /// The device trees that come with the kernel leave out the revision and have "+" instead of "Plus".
    public init?(deviceTreeModel text: String) {
        let model = RaspberryPi.prefixes.first { text == $0.text || text.hasPrefix($0.text + " ") }
        guard let model else { return nil }
        self = model.model
    }

    /// The beginnings of the models' names in device trees; of two that begin alike, the longer one comes first,
    /// because the first match counts.
    private static let prefixes: [(text: String, model: RaspberryPi)] = [
        ("Raspberry Pi Zero 2 W", .zero2W), ("Raspberry Pi Zero 2", .zero2W), ("Raspberry Pi Zero W", .zeroW),
        ("Raspberry Pi Zero", .zero),
        ("Raspberry Pi Model", .one), ("Raspberry Pi Compute Module Rev", .one),
        ("Raspberry Pi 2 Model B", .twoB),
        ("Raspberry Pi 3 Model A Plus", .threeAPlus), ("Raspberry Pi 3 Model A+", .threeAPlus),
        ("Raspberry Pi 3 Model B Plus", .threeBPlus), ("Raspberry Pi 3 Model B+", .threeBPlus),
        ("Raspberry Pi 3 Model B", .threeB), ("Raspberry Pi Compute Module 3", .computeModule3),
        ("Raspberry Pi 4 Model B", .fourB), ("Raspberry Pi 400", .fourHundred),
        ("Raspberry Pi Compute Module 4S", .computeModule4S), ("Raspberry Pi Compute Module 4", .computeModule4),
        ("Raspberry Pi 5 Model B", .fiveB), ("Raspberry Pi 5", .fiveB), ("Raspberry Pi 500", .fiveHundred),
        ("Raspberry Pi Compute Module 5", .computeModule5),
    ]

    /// The hosts, as board files name them, that are this model or are wired as it is.
    var hosts: [HostModel] {
        switch self {
        case .zero2W: [.zero2W, .zero2WTrimmed]
        case .threeAPlus: [.threeAPlus]
        case .threeB, .threeBPlus: [.threeBPlus]
        case .fourB: [.fourB]
        case .fiveB: [.five]
        case .computeModule4: [.computeModule4]
        case .one, .zero, .zeroW, .twoB, .computeModule3, .fourHundred, .computeModule4S, .fiveHundred,
            .computeModule5:
            []
        }
    }

    /// The model of Raspberry Pi that a board's JSON5 file names as its host.
    init(host: HostModel) {
        switch host {
        case .zero2W, .zero2WTrimmed: self = .zero2W
        case .threeAPlus: self = .threeAPlus
        case .threeBPlus: self = .threeBPlus
        case .fourB: self = .fourB
        case .five: self = .fiveB
        case .computeModule4: self = .computeModule4
        }
    }

    /// The section headings of config.txt that apply to this model, without brackets.
    ///
    /// Source: Raspberry Pi documentation, config.txt, "Conditional filters", the table of model filters.
    var filters: Set<String> {
        switch self {
        case .one: ["pi1"]
        case .zero: ["pi0"]
        case .zeroW: ["pi0", "pi0w"]
        case .zero2W: ["pi0", "pi0w", "pi02"]
        case .twoB: ["pi2"]
        case .threeAPlus, .threeBPlus: ["pi3", "pi3+"]
        case .threeB, .computeModule3: ["pi3"]
        case .fourB: ["pi4"]
        case .fourHundred: ["pi4", "pi400"]
        case .computeModule4: ["pi4", "cm4"]
        case .computeModule4S: ["pi4", "cm4s"]
        case .fiveB: ["pi5"]
        case .fiveHundred: ["pi5", "pi500"]
        case .computeModule5: ["pi5", "cm5"]
        }
    }

    /// The processor families between which overlays differ.
    ///
    /// Source: Raspberry Pi's Linux, `arch/arm/boot/dts/overlays/overlay_map.dts`. With this map the firmware refuses
    /// overlays that are for another processor.
    enum Processor {
        /// BCM2835, and BCM2836 and BCM2837, which have the same peripherals.
        case bcm2835
        case bcm2711
        case bcm2712
    }

    var processor: Processor {
        switch self {
        case .one, .zero, .zeroW, .zero2W, .twoB, .threeAPlus, .threeB, .threeBPlus, .computeModule3: .bcm2835
        case .fourB, .fourHundred, .computeModule4, .computeModule4S: .bcm2711
        case .fiveB, .fiveHundred, .computeModule5: .bcm2712
        }
    }

    /// Whether the UARTs and GPIO lines of the 40-pin header belong to the RP1 chip, as on a Raspberry Pi 5.
    public var hasRP1: Bool { processor == .bcm2712 }

    /// The overlay that switches on the additional PL011 UART whose tty is `ttyAMA` with this number; nil if the model
    /// has no such UART.
    ///
    /// Source: Raspberry Pi firmware, `boot/overlays/README`, uart2 to uart5 ("BCM2711 only"), uart1-pi5 to uart4-pi5.
    func overlay(ofUART number: Int) -> String? {
        switch processor {
        case .bcm2711 where (2...5).contains(number): "uart\(number)"
        case .bcm2712 where (1...4).contains(number): "uart\(number)-pi5"
        default: nil
        }
    }

    /// The overlay that switches on an additional I2C bus, by the bus's number; nil if the model has no such bus, or if
    /// the bus needs no overlay.
    ///
    /// Source: Raspberry Pi firmware, `boot/overlays/README`, i2c3 to i2c6 ("BCM2711 only"), i2c2-pi5 and i2c3-pi5.
    func overlay(ofBus number: Int) -> String? {
        switch processor {
        case .bcm2711 where (3...6).contains(number): "i2c\(number)"
        case .bcm2712 where (2...3).contains(number): "i2c\(number)-pi5"
        default: nil
        }
    }

    /// Whether the model has a Bluetooth chip that uses the first PL011 UART unless config.txt says otherwise.
    ///
    /// Source: Raspberry Pi documentation, configuration, "Primary and secondary UART". A Compute Module 4 is assumed
    /// to have the wireless chip.
    public var givesBluetoothItsUART: Bool {
        switch self {
        case .zeroW, .zero2W, .threeAPlus, .threeB, .threeBPlus, .fourB, .fourHundred, .computeModule4: true
        default: false
        }
    }

    public var hasWireless: Bool { givesBluetoothItsUART || hasRP1 }
}
