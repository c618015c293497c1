/// The result of a request that the radio send an advertisement.
public enum AdvertisingOutcome: Sendable, Hashable {
    /// The kernel sends the advertisement, either for the first time or again after an interruption.
    case sending
    /// The sending was interrupted; it resumes by itself once the radio is usable again.
    case interrupted(RadioTrouble)
    /// The advertisement is not sent, and sending it is not tried again.
    case refused(AdvertisingRefusal)
}

/// Why an advertisement is not sent.
public enum AdvertisingRefusal: Sendable, Hashable, CustomStringConvertible {
    /// Other programs use all the advertisements that the controller can send at a time.
    case noneFree(of: Int)
    /// The controller or the kernel refuses the advertisement.
    case refused(ManagementStatus)
    /// The radio cannot be used.
    case unusable(RadioTrouble)

    /// A sentence that says what is wrong and how to correct it; it begins with a small letter.
    public var description: String {
        switch self {
        case .noneFree(let most):
            "other programs send all \(most) advertisements that the controller can send; end one of theirs"
        case .refused(let status):
            "the Bluetooth controller refuses the advertisement with status \(status.rawValue); end other programs' "
                + "connections and advertisements, and ask again"
        case .unusable(let trouble): "\(trouble)"
        }
    }
}

/// Why the radio cannot listen for beacons.
public enum RadioTrouble: Sendable, Hashable, CustomStringConvertible {
    /// The daemon was given no Bluetooth management socket.
    case noSocket
    /// The management socket failed; the text is the system's error message.
    case socketFailed(String)
    case noController
    /// The controller does not support Bluetooth Low Energy.
    case noLowEnergy
    /// `rfkill` keeps the radio off.
    case blocked
    /// Another program switched the radio off, or the board's file does not let the daemon switch it on.
    case off
    /// The kernel does not support advertisement monitors, which came with Linux 5.10.
    case noMonitors
    /// The controller or the kernel refused a command.
    case refused(command: UInt16, ManagementStatus)
    /// A command was not answered within 5 s, and the attempt before that had failed too.
    case silent

    /// A sentence that says what is wrong and how to correct it; it begins with a small letter.
    public var description: String {
        switch self {
        case .noSocket:
            "the daemon has no Bluetooth socket; the unit sextantd.service opens one, where the kernel has Bluetooth"
        case .socketFailed(let detail): "the Bluetooth socket failed: \(detail); restart sextantd"
        case .noController:
            "there is no Bluetooth controller; see whether config.txt has dtoverlay=disable-bt, or plug one in"
        case .noLowEnergy:
            "the Bluetooth controller has no Low Energy, which beacons need; use one of version 4.0 or later"
        case .blocked: "rfkill keeps Bluetooth off; lift it with: sudo rfkill unblock bluetooth"
        case .off: "Bluetooth is switched off; switch it on with: sudo bluetoothctl power on"
        case .noMonitors: "the kernel has no advertisement monitors; it must be Linux 5.10 or later"
        case .refused(let command, let status):
            "the Bluetooth controller refuses command \(command) with status \(status.rawValue); the daemon tries again"
        case .silent: "the Bluetooth controller does not answer; the daemon tries again, and a reboot mends most"
        }
    }
}
