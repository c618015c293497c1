internal import Engine
internal import Logging
internal import Receivers
internal import SextantReactor
internal import SextantUnits

/// The receiver's port: opening, reading, and carrying out the Engine's orders for it.
///
/// A class, because the port calls back.
final class ReceiverSide {
    private let device: String
    private let hardware: any TrackerHardware
    private let feed: Feed
    private let journal: Journal
    private var port: (any ReceiverPort)?
    private var orders: PortOrders?
    private var restUntil: MonotonicInstant?
    private var readBuffer = [UInt8](repeating: 0, count: 4096)

    /// Bits per second where no rate is configured: the usual rate of NMEA receivers.
    private static let defaultBaud = 9600

    init(_ device: String, _ hardware: any TrackerHardware, _ feed: Feed, _ journal: Journal) {
        self.device = device
        self.hardware = hardware
        self.feed = feed
        self.journal = journal
    }

    /// When the port is to be worked on again.
    var wake: MonotonicInstant? { .earlier(restUntil, orders?.wake) }

    /// Does what is due with the port.
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

    /// Reads the waiting bytes once; the reactor calls again while there are more.
    private func readPort() {
        guard let port else { return }
        switch port.read(into: &readBuffer) {
        // Bytes at a rate that is about to change are skipped: the Engine counts on hearing only the new rate.
        case .bytes where orders?.changesRate == true: break
        case .bytes(let count): feed(bytes: count, of: readBuffer)
        case .wouldBlock: break
        case .disconnected:
            lostPort(
                HardwareFailure("\(device): the device went away; waiting for it to return", isMissing: true))
        }
    }

    /// Closes the port of a device that has gone, or that cannot be used.
    ///
    /// A receiver that was pulled out and put in again before its end was noticed is at its path already, and will not
    /// appear once more: it is opened after a wait, as a device is that could not be opened.
    private func lostPort(_ failure: HardwareFailure) {
        closePort()
        let isMissing = failure.isMissing && !hardware.isDevicePresent
        feed(.deviceFailed(isMissing ? .missing : .refused, detail: failure.description))
    }

    /// Gives the port an order of the Engine, to be carried out in its turn.
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

    /// Works on the port's orders; a port that does not take its bytes is closed, and all waiting orders are lost.
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
