internal import Engine

/// The Bluetooth radio that receives beacons.
extension BoardSide {
    /// Opens the radio, if the daemon was given the radio's socket.
    func openRadio() {
        do throws(HardwareFailure) {
            radio = try hardware.openRadio { [unowned self] in handle($0) }
            if radio != nil { feed(.radioOpened) }
        } catch {
            feed(.radioFailed(detail: error.description))
        }
    }

    /// Writes a Bluetooth command of the Engine (the daemon's logic); if the radio refuses it, the radio is not used
    /// any more.
    func command(_ command: [UInt8]) {
        guard let radio else { return }
        do throws(HardwareFailure) {
            try radio.write(command)
        } catch {
            self.radio = nil
            feed(.radioFailed(detail: error.description))
        }
    }

    private func handle(_ event: RadioEvent) {
        switch event {
        case .event(let bytes): feed(.radioEvent(bytes))
        case .failed(let failure):
            radio = nil
            feed(.radioFailed(detail: failure.description))
        }
    }
}
