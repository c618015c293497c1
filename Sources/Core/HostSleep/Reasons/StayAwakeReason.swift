/// Why the host does not sleep now, by the name with which `sextant status` lists it.
public enum StayAwakeReason: String, CaseIterable, Sendable {
    // What the owner set.
    /// The configuration does not allow it.
    case notAllowed
    /// The board's file names no switch.
    case noSwitch
    /// No trial of the switch has gone well, or the board, the kernel or the switch changed since.
    case notTried
    /// The switch has no second way back, and the owner did not do without one.
    case noBackstop
    /// The owner said so, by a command or by the file on the boot partition.
    case stayAwake

    // What clients need.
    case gpsdClient
    case everyEpoch
    case heading
    /// A command or an agent is connected and asks.
    case `operator`
    case foreground
    case singleRequest
    /// A program in the background did not allow it.
    case background
    /// A manifest forbids it.
    case veto
    /// Nobody asks for anything, and the configuration wants it only when somebody does.
    case nobodyAsks

    // What the board does.
    case moving
    /// Something is due before a sleep would pay.
    case tooSoon
    /// Somebody switched the board on by hand, and may want to work on it.
    case maintenance
    case externalPower

    // What the system does.
    case inhibitor
    case session
    /// Another program or a kernel driver works on the switch.
    case secondMaster
    case packageManager
    /// The store cannot be written.
    case storeFails
    /// The wall clock is not known, or differs from the switch's.
    case clock
    /// One of the above could not be found out.
    case unanswered

    // What went wrong before.
    /// The board booted again and again without serving.
    case bootLoop
    /// The record of boots cannot be read or written.
    case bootsUnknown
    /// Alarms did not wake the host, twice in a row; the owner must allow it again.
    case missedAlarms
    /// The switch did not hold what it was told.
    case alarmUnverified
    /// The system refused to power off.
    case refused
}
