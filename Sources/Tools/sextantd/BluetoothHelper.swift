internal import Glibc
internal import LinuxHardware
internal import SextantSockets

/// Runs before and after the daemon, as root and outside of the daemon's sandbox, to prepare and clean up Bluetooth.
///
/// Bluetooth exists only in the machine's first network namespace, and binding its management socket needs a capability
/// that the daemon does not have. So the daemon's unit runs this step to open the socket before it starts the daemon,
/// and systemd passes the socket on. The step is part of the daemon's program, because a second program would take more
/// space.
enum BluetoothHelper {
    /// Opens the Bluetooth management socket and hands it to systemd, which keeps it for the daemon; returns the exit
    /// status.
    static func open() -> Int32 {
        do throws(BluetoothSocketError) {
            let socket = try BluetoothSocket()
            return pass(socket)
        } catch {
            // A kernel without Bluetooth is no failure, because the board may need no Bluetooth; if it needs Bluetooth,
            // `sextant doctor` reports that.
            if error == .notSupported { return 0 }
            return say(error.description, status: error == .notPermitted ? 77 : 69)
        }
    }

    private static func pass(_ socket: borrowing BluetoothSocket) -> Int32 {
        do {
            try ServiceManager().store(socket.descriptor, as: .bluetooth)
            return 0
        } catch {
            return say("\(error); --open-bluetooth is for the line ExecStartPre= of sextantd.service", status: 69)
        }
    }

    /// Removes the advertisement and the advertisement monitors that a crashed daemon left in the Bluetooth controller;
    /// returns the exit status.
    ///
    /// A daemon that ends normally removes them itself. Source: systemd.exec(5), `$SERVICE_RESULT`.
    static func release() -> Int32 {
        // Safety: the text is compared at once, and nothing changes the environment.
        if let result = unsafe getenv("SERVICE_RESULT"), unsafe String(cString: result) == "success" { return 0 }
        do throws(BluetoothSocketError) {
            let socket = try BluetoothSocket()
            try socket.removeAdvertisement(noted: AdvertisingNote(folder: WakeFiles.standardFolder))
            try socket.removeMonitors(within: 3)
            return 0
        } catch {
            return error == .notSupported ? 0 : say(error.description, status: 69)
        }
    }

    private static func say(_ text: String, status: Int32) -> Int32 {
        let bytes = Array("sextantd: \(text)\n".utf8)
        // Safety: the bytes live for the call.
        _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
        return status
    }
}
