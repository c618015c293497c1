/// Why the host does not sleep now, by the name with which `sextant status` lists it.
public enum StayAwakeReason: String, CaseIterable, Sendable {
    // What the owner set.
    /// The configuration does not allow the host to sleep.
    case notAllowed
    /// The board's file names no switch.
    case noSwitch
    /// The switch has not passed three test sleeps and a reboot yet, or the board, the kernel or the switch was changed
    /// later.
    case notTried
    /// The alarm is the switch's only way to wake the host, and the owner did not allow a sleep without a second way.
    case noBackstop
    /// The owner keeps the host on, by a command or by the file on the boot partition.
    case stayAwake

    // What clients need.
    case gpsdClient
    case everyEpoch
    case heading
    /// A person may be at work: a client follows the daemon's status, or the program that asks the user for
    /// authorizations is connected.
    case `operator`
    case foreground
    case singleRequest
    /// A client in the background has a request, and did not allow the host to sleep meanwhile.
    case background
    /// A client's manifest forbids the host to sleep.
    case veto
    /// No client has a request, and the configuration allows a sleep only while one has.
    case nobodyAsks

    // What the board does.
    case moving
    /// A client's need is due before a sleep would be worthwhile.
    case tooSoon
    /// Somebody switched the board on by hand, and may want to work on it.
    case maintenance
    case externalPower

    // What the system does.
    case inhibitor
    case session
    /// Another program or a kernel driver accesses the switch.
    case secondMaster
    case packageManager
    /// The store cannot be written.
    case storeFails
    /// The wall clock is not known, or differs from the switch's.
    case clock
    /// A fact that is checked before a sleep, such as whether anybody is logged in, could not be determined.
    case unanswered

    // What went wrong before.
    /// The board booted again and again without serving clients, or was woken again and again from sleeps of under 120
    /// s.
    case bootLoop
    /// The record of boots cannot be read or written.
    case bootsUnknown
    /// Alarms did not wake the host, twice in a row; the owner must allow a sleep again.
    case missedAlarms
    /// The switch did not keep the settings that were written to it.
    case alarmUnverified
    /// The system refused to power off.
    case refused
}
