/// Checks of what beacons need: a kernel that supports them, a Bluetooth controller that is on, and a socket for the
/// daemon.
///
/// The checks are skipped unless something on this system needs beacons.
enum BeaconChecks {
    private static func need(_ facts: HostFacts) throws(Skipped) -> BluetoothFacts {
        guard facts.needsBeacons else {
            throw Skipped("nobody looks for beacons; sextant doctor --beacons checks what that would need")
        }
        return facts.bluetooth
    }

    static func kernel(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let bluetooth = try need(facts)
        try facts.needRunning()
        guard let version = bluetooth.version, let release = bluetooth.release else {
            throw Skipped("the kernel's release is not known")
        }
        // Source: BlueZ, `doc/mgmt-api.txt`: advertisement monitors came with Linux 5.10.
        guard version < (5, 10) else { return [] }
        return [
            Finding(
                .beaconKernel, "the kernel is Linux \(release), and beacons need 5.10 or later",
                Mend("upgrade the system, such as to Debian 12"))
        ]
    }

    static func controller(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let bluetooth = try need(facts)
        guard bluetooth.controllers.isEmpty else { return [] }
        let overlay = ["disable-bt", "pi3-disable-bt"].lazy.compactMap { facts.boot?.overlay($0) }.first
        if let overlay, facts.model?.givesBluetoothItsUART ?? true {
            let mend = Mend(
                "put dtoverlay=miniuart-bt in the place of \(overlay.name), which leaves the receiver its UART; or plug in "
                    + "a controller at USB", at: overlay.place)
            return [Finding(.beaconController, "the Bluetooth that beacons need is off", mend)]
        }
        try facts.needRunning()
        guard bluetooth.isLoaded else {
            let mend = Mend("sudo modprobe bluetooth; where it is not found, install the kernel's modules")
            let what = "the kernel's module bluetooth, which beacons need, is not loaded"
            return [Finding(.beaconController, what, mend)]
        }
        let isOnBoard = facts.model?.hasWireless ?? false
        let mend =
            isOnBoard
            ? "see why, with: sudo dmesg | grep -i bluetooth; its firmware is in the package bluez-firmware"
            : "plug in one of version 4.0 or later"
        return [Finding(.beaconController, "there is no Bluetooth controller, which beacons need", Mend(mend))]
    }

    static func block(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let bluetooth = try need(facts)
        try facts.needRunning()
        return bluetooth.blocks.sorted { $0.key < $1.key }.map { name, block in
            switch block {
            case .soft:
                Finding(
                    .beaconBlock, "rfkill keeps Bluetooth off, which beacons need",
                    Mend("sudo rfkill unblock bluetooth"))
            case .hard:
                Finding(
                    .beaconBlock, "a switch of the device keeps Bluetooth off, which beacons need (\(name))",
                    Mend("turn that switch on"))
            }
        }
    }

    static func socket(_ facts: HostFacts) throws(Skipped) -> [Finding] {
        let bluetooth = try need(facts)
        guard let daemon = facts.units.daemon else { throw .noUser }
        // The command is split into words, because searching for a substring would link regular expressions into the
        // daemon.
        let opening = daemon["ExecStartPre"].map { $0.split(separator: " ") } ?? []
        guard opening.contains("--open-bluetooth") else {
            let mend = Mend("install the package sextant anew, or remove the drop-in that changes ExecStartPre=")
            return [Finding(.beaconSocket, "sextantd.service opens no Bluetooth socket for the daemon", mend)]
        }
        let usesNsenter = opening.contains { $0.hasSuffix("/usr/bin/nsenter") }
        guard usesNsenter, !bluetooth.hasNsenter else { return [] }
        let mend = Mend("sudo apt install util-linux")
        let what = "/usr/bin/nsenter, which opens the daemon's Bluetooth socket, is not there"
        return [Finding(.beaconSocket, what, mend)]
    }
}
