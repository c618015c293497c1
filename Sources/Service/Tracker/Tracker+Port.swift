internal import Configuration
internal import Engine
internal import Logging
internal import Receivers
internal import SextantReactor
internal import SextantUnits

/// The receiver's port: opening, reading, and carrying out the Engine's orders for it.
extension Tracker {
    func openPort(baud: Int?) {
        closePort()
        do throws(HardwareFailure) {
            let opened = try hardware.openPort(baud: baud ?? Tracker.defaultBaud)
            let time = reactor.utcIsSynchronized ? reactor.utc : nil
            try opened.start { [unowned self] in readPort() }
            port = opened
            orders = PortOrders(device: settings.device, baud: baud ?? Tracker.defaultBaud) { [unowned self] in
                complain($0.description, about: "port")
            }
            pending.append(.deviceOpened(opened.link, time: time))
        } catch {
            pending.append(.deviceFailed(error.isMissing ? .missing : .refused, detail: error.description))
        }
    }

    private func closePort() {
        port?.close()
        port = nil
        orders = nil
        restUntil = nil
    }

    /// Reads the waiting bytes once; the reactor calls again while there are more.
    func readPort() {
        guard let port else { return }
        switch port.read(into: &readBuffer) {
        // Bytes at a rate that is about to change are skipped: the Engine counts on hearing only the new rate.
        case .bytes where orders?.changesRate == true: break
        case .bytes(let count): feed(bytes: count)
        case .wouldBlock: break
        case .disconnected:
            lostPort(
                HardwareFailure("\(settings.device): the device went away; waiting for it to return", isMissing: true))
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
        let instant = reactor.now
        useOrders { orders throws(HardwareFailure) in try orders.give(order, to: port, at: instant) }
    }

    func carryOnOrders() {
        guard let port else { return }
        let instant = reactor.now
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

    func rearmPort() {
        guard let port, restUntil == nil else { return }
        do {
            try port.listen()
        } catch {
            logger.error("\(error.description)")
        }
    }

    func watchDevice() {
        do {
            try hardware.watchDevice { [unowned self] in feed(.deviceAppeared) }
        } catch {
            logger.warning("\(error.description)")
        }
    }
}
