/// The device nodes of the GPIO chips.
struct GPIONodes: Sendable {
    let all: [NodeFacts]
    /// The chip that has the header's lines, at the device name that Sextant's udev rules give it; nil if there is no
    /// such name.
    let header: NodeFacts?

    init(_ files: some SystemFiles) {
        all = files.list("/dev").filter { $0.hasPrefix("gpiochip") }.map { NodeFacts("/dev/\($0)", files) }
        header = files.exists("/dev/sextant/gpio") ? NodeFacts("/dev/sextant/gpio", files) : nil
    }
}
