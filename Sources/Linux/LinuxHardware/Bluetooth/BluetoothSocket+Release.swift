internal import Beacons
internal import CSextantLinux
internal import SextantReactor
internal import SextantUnits

extension BluetoothSocket {
    /// Removes the advertisement monitors that a crashed daemon has left behind, so that the radio stops scanning.
    ///
    /// A daemon that was killed cannot remove its own monitors, and the kernel scans until they are removed. The kernel
    /// does not say which program owns a monitor, so monitors of other programs are removed too. Call this only after a
    /// crash.
    ///
    /// - Parameter limit: The time limit in seconds; monitors that are not removed by then stay.
    public borrowing func removeMonitors(within limit: Double) throws(BluetoothSocketError) {
        let end = Clock.now().advanced(byNanoseconds: Int64(limit * 1e9))
        var radio = BeaconRadio(clearsMonitors: true)
        var buffer = [UInt8](repeating: 0, count: 4096)
        radio.opened(at: Clock.now())
        while true {
            for command in radio.takeCommands() { try write(command) }
            // The radio's state machine has a deadline as long as it waits for an answer of the kernel; if it has none,
            // everything is removed.
            guard radio.deadline != nil else { return }
            let left = end.nanoseconds(since: Clock.now()) / 1_000_000
            let isReady = descriptor.withRawValue { clinux_wait_readable($0, Int32(clamping: max(0, left))) }
            guard isReady > 0 else { return }
            while case .bytes(let count) = read(into: &buffer) {
                _ = radio.heard(buffer.span.extracting(first: count), at: Clock.now())
            }
        }
    }

    /// Removes the advertisement that a crashed daemon has left behind, whose number is in the file `note`.
    ///
    /// Advertisements of other programs have other numbers: the daemon deletes the file as soon as it gives the number
    /// up, and a program that started after the crash takes this number only if all lower ones are in use.
    public borrowing func removeAdvertisement(noted note: AdvertisingNote) throws(BluetoothSocketError) {
        guard let left = note.read() else { return }
        try write(left.removal)
        note.keep(nil)
    }
}
