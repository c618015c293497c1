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
        guard let allowed = settings.hostSleep else { return }
        do throws(HardwareFailure) {
            host = try hardware.openHost(allowed) { [unowned self] in told($0) }
        } catch {
            complain(error.description, about: "host")
        }
        guard host?.order(.begin) != true else { return }
        feed(.host(.woke(HostWake(.unknown, isRead: false), clock: nil, fingerprint: 0)))
    }

    /// Gives an order of the Engine; one that cannot be given is answered as failed.
    func order(_ order: HostOrder) {
        // Without its sensor, motion would not wake the host.
        if case .arm(let wake) = order, wake.byMotion, !motion.isWatching { return refuse(order) }
        if host?.order(.carryOut(order)) != true { refuse(order) }
    }

    private func refuse(_ order: HostOrder) {
        switch order {
        case .inspect: feed(.host(.inspected(HostInspection())))
        case .arm: feed(.host(.armed(nil, wall: reactor.utc)))
        case .powerOff: feed(.host(.powerOffAnswered(isAccepted: false)))
        case .disarm: break
        }
    }

    private func told(_ answer: HostPortAnswer) {
        complain(answer.problem, about: "host")
        for report in answer.reports {
            guard case .inspected(var inspection) = report else {
                feed(.host(report))
                continue
            }
            inspection.isStoreSound = stateStore.trouble == nil && stateStore.unsettled(.everything) == nil
            feed(.host(.inspected(inspection)))
        }
    }
}
