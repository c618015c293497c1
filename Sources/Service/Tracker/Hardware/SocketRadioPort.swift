internal import Beacons
internal import LinuxHardware
internal import SextantReactor

/// The Bluetooth management socket on a reactor.
final class SocketRadioPort: RadioPort {
    private let socket: BluetoothSocket
    private let note: AdvertisingNote
    /// The daemon's own advertisement, as it is recorded in a file for a later run that must remove it.
    private var advertisement: SentAdvertisement?
    private let reactor: Reactor
    private let onEvent: (RadioEvent) -> Void
    private var registration: Registration?
    /// Room for one event of the socket; advertisements (at most 251 bytes) and lists of controllers are far shorter.
    private var buffer = [UInt8](repeating: 0, count: 4096)

    init(
        _ socket: consuming BluetoothSocket, _ note: AdvertisingNote, reactor: Reactor,
        onEvent: @escaping (RadioEvent) -> Void
    ) throws(HardwareFailure) {
        self.socket = socket
        self.note = note
        self.reactor = reactor
        self.onEvent = onEvent
        do {
            registration = try reactor.register(self.socket.descriptor, for: .read) { [unowned self] _ in drain() }
        } catch {
            throw HardwareFailure("\(error)")
        }
    }

    deinit { close() }

    func write(_ command: [UInt8]) throws(HardwareFailure) {
        let next = advertisement.after(command: command)
        // The advertisement is recorded in its file before the command is sent, so that even after a crash in between a
        // later run knows what to remove.
        if next != nil { keep(next) }
        do throws(BluetoothSocketError) { try socket.write(command) } catch { throw HardwareFailure(error.description) }
        keep(next)
    }

    private func keep(_ next: SentAdvertisement?) {
        guard next != advertisement else { return }
        advertisement = next
        note.keep(next)
    }

    /// Passes on all waiting events; the kernel silently drops events that no longer fit into its queue.
    private func drain() {
        // If a write fails while an event is handled, the daemon releases this port, which must live until all waiting
        // events are passed on.
        withExtendedLifetime(self) {
            while registration != nil {
                switch socket.read(into: &buffer) {
                case .bytes(let count):
                    keep(advertisement.after(event: buffer.span.extracting(first: count)))
                    onEvent(.event(Array(buffer[..<count])))
                case .wouldBlock: return
                case .disconnected(let errno):
                    close()
                    let error = SystemError("the Bluetooth management socket", errno: errno)
                    return onEvent(.failed(HardwareFailure(error.description)))
                }
            }
        }
    }

    private func close() {
        if let registration { reactor.remove(registration) }
        registration = nil
    }
}
