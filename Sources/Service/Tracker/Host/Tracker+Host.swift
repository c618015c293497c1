internal import Configuration
internal import Engine
internal import HostSleep
internal import Logging
internal import Parts
internal import SextantReactor
internal import SextantUnits

/// The sleep of the host.
extension Tracker {
    /// Opens what switches the host, where the configuration speaks of it; without it nothing of this runs.
    func openHost() {
        guard settings.hostSleep != nil else { return }
        do throws(HardwareFailure) {
            host = try hardware.openHost { [unowned self] reports in for report in reports { feed(.host(report)) } }
        } catch {
            complain(error.description, about: "host")
        }
        guard host?.order(.begin) != true else { return }
        feed(.host(.woke(HostWake(.unknown, isRead: false), clock: nil, fingerprint: 0)))
    }

    /// Gives an order of the Engine; one that cannot be given is answered as failed.
    func order(_ order: HostOrder) {
        if host?.order(.carryOut(order)) == true { return }
        switch order {
        case .inspect: feed(.host(.inspected(HostInspection())))
        case .arm: feed(.host(.armed(nil, wall: reactor.utc)))
        case .powerOff: feed(.host(.powerOffAnswered(isAccepted: false)))
        case .disarm: break
        }
    }
}
