internal import Tracker

/// The daemon's end of the kernel's Bluetooth management socket; the harness plays the kernel at the other end.
final class BenchRadio: RadioPort {
    let onEvent: (RadioEvent) -> Void
    private let wrote: ([UInt8]) -> Void

    init(onEvent: @escaping (RadioEvent) -> Void, wrote: @escaping ([UInt8]) -> Void) {
        self.onEvent = onEvent
        self.wrote = wrote
    }

    func write(_ command: [UInt8]) throws(HardwareFailure) { wrote(command) }
}
