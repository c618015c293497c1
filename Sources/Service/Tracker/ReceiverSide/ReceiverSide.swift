internal import Engine
internal import Logging
internal import Receivers
internal import SextantReactor
internal import SextantUnits

/// The part of the tracker that opens and reads the receiver's port, and carries out the orders of the Engine (the
/// daemon's logic) for it.
///
/// A class, because the port calls it back.
final class ReceiverSide {
    private let device: String
    private let hardware: any TrackerHardware
    private let feed: Feed
    private let journal: Journal
    private var port: (any ReceiverPort)?
    private var orders: PortOrders?
    private var restUntil: MonotonicInstant?
    private var readBuffer = [UInt8](repeating: 0, count: 4096)

    /// The baud rate if none is configured: the usual rate of NMEA receivers.
    private static let defaultBaud = 9600

    init(_ device: String, _ hardware: any TrackerHardware, _ feed: Feed, _ journal: Journal) {
        self.device = device
        self.hardware = hardware
        self.feed = feed
        self.journal = journal
    }

    /// When `advance` must be called next for this port; nil for never.
    var wake: MonotonicInstant? { .earlier(restUntil, orders?.wake) }

    /// Reads the port again if the pause in reading is over, and carries out the waiting orders that are due.
    func advance(to instant: MonotonicInstant) {
        if let until = restUntil, until <= instant {
            restUntil = nil
            readPort()
            rearmPort()
        }
        if let due = orders?.wake, due <= instant { carryOnOrders() }
    }

    func openPort(baud: Int?) {
        closePort()
        do throws(HardwareFailure) {
            let opened = try hardware.openPort(baud: baud ?? ReceiverSide.defaultBaud)
            let time = feed.reactor.utcIsSynchronized ? feed.reactor.utc : nil
            try opened.start { [unowned self] in readPort() }
            port = opened
            orders = PortOrders(device: device, baud: baud ?? ReceiverSide.defaultBaud) { [unowned self] in
                journal.complain($0.description, about: "port")
            }
            feed.add(.deviceOpened(opened.link, time: time))
        } catch {
            feed.add(.deviceFailed(error.isMissing ? .missing : .refused, detail: error.description))
        }
    }

    private func closePort() {
        port?.close()
        port = nil
        orders = nil
        restUntil = nil
    }

    /// Reads the waiting bytes once; the reactor calls this again while there are more.
    private func readPort() {
        guard let port else { return }
        switch port.read(into: &readBuffer) {
        // Bytes are skipped while a change of the baud rate waits: the Engine (the daemon's logic) relies on getting
        // only bytes at the new rate.
        case .bytes where orders?.changesRate == true: break
        case .bytes(let count): feed(bytes: count, of: readBuffer)
        case .wouldBlock: break
        case .disconnected:
            lostPort(
                HardwareFailure("\(device): the device went away; waiting for it to return", isMissing: true))
        }
    }

    /// Closes the port of a device that is gone, or that cannot be used.
    ///
    /// If a receiver was unplugged and plugged in again before this was noticed, its path exists already, so that no
    /// event will report it. The port is then opened again after a wait, as after a failure to open it.
    private func lostPort(_ failure: HardwareFailure) {
        closePort()
        let isMissing = failure.isMissing && !hardware.isDevicePresent
        feed(.deviceFailed(isMissing ? .missing : .refused, detail: failure.description))
    }

    /// Passes an order of the Engine (the daemon's logic) to the port, which carries it out in its turn.
    func give(_ order: PortOrder) {
        guard let port else { return }
        let instant = feed.reactor.now
        useOrders { orders throws(HardwareFailure) in try orders.give(order, to: port, at: instant) }
    }

    private func carryOnOrders() {
        guard let port else { return }
        let instant = feed.reactor.now
        useOrders { orders throws(HardwareFailure) in try orders.carryOn(with: port, at: instant) }
    }

    /// Runs a closure on the queue of the port's orders; if the port fails, it is closed, and all waiting orders are
    /// lost.
    private func useOrders(_ work: (inout PortOrders) throws(HardwareFailure) -> Void) {
        guard var current = orders else { return }
        do throws(HardwareFailure) {
            try work(&current)
            orders = current
        } catch {
            lostPort(error)
        }
    }

    func rest(until: MonotonicInstant) {
        guard let port else { return }
        port.rest()
        restUntil = until
    }

    private func rearmPort() {
        guard let port, restUntil == nil else { return }
        do {
            try port.listen()
        } catch {
            journal.error(error.description)
        }
    }

    func watchDevice() {
        do {
            try hardware.watchDevice { [unowned self] in feed(.deviceAppeared) }
        } catch {
            journal.logger.warning("\(error.description)")
        }
    }
}
