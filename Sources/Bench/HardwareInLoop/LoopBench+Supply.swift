internal import Emulation
internal import SextantReactor

/// Counts of the starts of a guest whose board has a switch.
struct GuestStarts {
    /// How many starts by the switch the bench has carried out on the guest.
    var bySwitch = 0
    /// How often the guest restarted itself.
    var byItself = 0
    /// How often the guest switched itself off although its board's switch held no alarm.
    var offWithoutAlarm = 0
}

/// A guest whose board has a switch: the switch cuts its supply, and starts it again with the same disk.
extension LoopBench {
    /// Whether the guest has a supply and its system runs.
    var isGuestUp: Bool { machine != nil }

    /// Applies the state of the board's switch to the guest; a guest that switched itself off stays off until the
    /// switch starts it.
    func followSwitch() throws(LoopFailure) {
        guard let chip = board?.hostSwitch, case .guest(let guest) = place else { return }
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
