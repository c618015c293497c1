/// The receiver's serial port and those that could be meant in its place.
struct SerialFacts: Sendable {
    let wiring: SerialWiring
    /// The receiver's device, as the configuration names it; nil if it names none.
    let device: NodeFacts?
    /// The USB device that has the receiver's serial port; nil if the port is not on USB or not plugged in.
    let usbDevice: USBDevice?
    /// The device nodes of USB receivers by u-blox, which are known from their vendor and product numbers.
    let usbReceivers: [String]

    init(device path: String?, model: RaspberryPi?, boot: BootConfiguration?, _ files: some SystemFiles) {
        wiring = SerialWiring(model: model, boot: boot, files: files)
        let device = path.map { NodeFacts($0, files) }
        self.device = device
        usbDevice = (device?.resolved?.split(separator: "/").last).flatMap { USBDevice(ofTTY: String($0), files) }
        usbReceivers = files.list("/sys/class/tty").filter { USBDevice(ofTTY: $0, files)?.isKnownReceiver ?? false }
            .map { "/dev/\($0)" }
    }
}
