/// Finds out which UART a device name such as `serial0` means on a Raspberry Pi, from the links of a running system or,
/// without them, from config.txt.
///
/// Source: Raspberry Pi documentation, configuration, "Configuring UARTs".
struct SerialWiring: Sendable, Equatable {
    private let model: RaspberryPi?
    /// The tty to which `/dev/serial0` leads; nil if there is no such link.
    private let link: String?
    /// Whether Bluetooth does not use the first PL011 UART, so that the header has it.
    let freesPL011: Bool
    private let hasHeaderConsole: Bool

    init(model: RaspberryPi?, boot: BootConfiguration?, files: some SystemFiles) {
        self.model = model
        link = files.resolved("/dev/serial0")?.split(separator: "/").last.map(String.init)
        freesPL011 =
            !(model?.givesBluetoothItsUART ?? false)
            || ["disable-bt", "miniuart-bt"].contains { boot?.overlay($0) != nil }
            // A Compute Module 4 can lack the radio, which only the running system shows.
            || model == .computeModule4 && link == "ttyAMA0"
        hasHeaderConsole = boot?.parameter("uart0_console")?.isOn ?? false
    }

    /// The tty that `serial0` means: the UART of GPIO14 and GPIO15, or, on a Raspberry Pi 5, usually that of the debug
    /// connector.
    var primary: String {
        if let link { return link }
        guard let model else { return "serial0" }
        if model.hasRP1 { return hasHeaderConsole ? "ttyAMA0" : "ttyAMA10" }
        return freesPL011 ? "ttyAMA0" : "ttyS0"
    }

    /// The tty of the UART at GPIO14 and GPIO15, which Sextant's udev rules name `/dev/sextant/uart`.
    var header: String { model?.hasRP1 ?? false ? "ttyAMA0" : primary }

    /// The tty that a device's path or the name of a kernel console means.
    func tty(_ name: String) -> String {
        switch name.split(separator: "/").last {
        case "serial0"?: primary
        case "uart"? where name == "/dev/sextant/uart": header
        case let last: last.map(String.init) ?? name
        }
    }
}
