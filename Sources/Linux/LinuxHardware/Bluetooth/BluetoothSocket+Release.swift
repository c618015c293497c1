internal import Beacons
internal import CSextantLinux
internal import SextantReactor
internal import SextantUnits

extension BluetoothSocket {
    /// Removes the monitors that a daemon has left behind, so that the radio listens no more.
    ///
    /// A daemon that was killed cannot remove its own, and the kernel scans for it until they are gone. It does not say
    /// whose a monitor is, so that other programs' go too: this is for after a crash alone.
    ///
    /// - Parameter limit: Seconds after which the rest is left to the next start.
    public borrowing func removeMonitors(within limit: Double) throws(BluetoothSocketError) {
        let end = Clock.now().advanced(byNanoseconds: Int64(limit * 1e9))
        var radio = BeaconRadio(clearsMonitors: true)
        var buffer = [UInt8](repeating: 0, count: 4096)
        radio.opened(at: Clock.now())
        while true {
            for command in radio.takeCommands() { try write(command) }
            // The radio has a deadline as long as it waits for the kernel's answer.
            guard radio.deadline != nil else { return }
            let left = end.nanoseconds(since: Clock.now()) / 1_000_000
            let isReady = descriptor.withRawValue { clinux_wait_readable($0, Int32(clamping: max(0, left))) }
            guard isReady > 0 else { return }
            while case .bytes(let count) = read(into: &buffer) {
                _ = radio.heard(buffer.span.extracting(first: count), at: Clock.now())
            }
        }
    }

    /// Removes the advertisement that a daemon has left behind, of which it kept the number.
    ///
    /// Another program's is not removed: the number is forgotten as soon as it is free, and a program that took it in the
    /// instant since the crash would have had all lower ones before.
    public borrowing func removeAdvertisement(noted note: AdvertisingNote) throws(BluetoothSocketError) {
        guard let left = note.read() else { return }
        try write(left.removal)
        note.keep(nil)
    }
}
