internal import Emulation
internal import SextantReactor

/// How often a guest whose board has a switch was started.
struct GuestStarts {
    /// How many starts of the switch's were followed.
    var bySwitch = 0
    /// How often the guest restarted itself.
    var byItself = 0
    /// How often the guest switched itself off while no alarm stood in its board's switch.
    var offWithoutAlarm = 0
}

/// A guest whose board has a switch: the switch ends it, and starts it again with the same disk.
extension LoopBench {
    /// Whether the guest has a supply and a system that runs.
    var isGuestUp: Bool { machine != nil }

    /// Does to the guest what the board's switch has done to its supply; a guest that switched itself off waits for that.
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
