internal import Emulation
internal import SextantReactor

/// The numbers of starts and stops of a guest whose board has a host switch, since that switch was put on the board.
struct GuestStarts {
    /// The number of times that the bench has started the guest because the host switch switched the supply on.
    var bySwitch = 0
    /// The number of times that the guest restarted itself.
    var byItself = 0
    /// The number of times that the guest switched itself off although no alarm was set in the host switch to wake it.
    var offWithoutAlarm = 0
}

/// A guest whose board has a host switch: the switch cuts the guest's supply, and later starts the guest with the disk
/// as it was.
extension LoopBench {
    /// Whether the guest has a supply and QEMU runs.
    var isGuestUp: Bool { machine != nil }

    /// Starts or ends the guest as the board's host switch says; a guest that switched itself off stays off until the
    /// switch starts it.
    func followSwitch() throws(LoopFailure) {
        guard let chip = board?.hostSwitch, case .guest(let guest) = target else { return }
        if chip.starts > starts.bySwitch {
            starts.bySwitch = chip.starts
            try startAgain(guest)
        } else if !chip.isHostOn {
            if isGuestUp { cutSupply() }
        } else if let machine, machine.status != nil {
            guard !guest.hasPoweredDown else {
                if !chip.holdsAlarm { starts.offWithoutAlarm += 1 }
                cutSupply()
                (chip as? EmulatedLatch)?.halt()
                return
            }
            starts.byItself += 1
            try startAgain(guest)
        }
    }

    private func startAgain(_ guest: GuestMachine) throws(LoopFailure) {
        cutSupply()
        try boot(guest)
    }
}
