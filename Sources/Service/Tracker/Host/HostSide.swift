internal import Engine
internal import HostSleep
internal import SextantReactor

/// The part of the tracker that handles the sleep of the host (its powering off until an alarm or motion).
///
/// A class, because the port to the host switch calls it back.
final class HostSide {
    private let settings: HostSleepSettings
    private let hardware: any TrackerHardware
    private let feed: Feed
    private let journal: Journal
    private let store: StateStore
    /// The port to the host switch (the chip that cuts the board's supply); nil if the board has none.
    private var host: (any HostPort)?

    init(
        _ settings: HostSleepSettings, _ hardware: any TrackerHardware, _ feed: Feed, _ journal: Journal,
        _ store: StateStore
    ) {
        self.settings = settings
        self.hardware = hardware
        self.feed = feed
        self.journal = journal
        self.store = store
    }

    func close() { host?.close() }

    /// Opens the port to the host switch (the chip that cuts the board's supply).
    func open() {
        do throws(HardwareFailure) {
            host = try hardware.openHost(settings) { [unowned self] in handle($0) }
        } catch {
            journal.complain(error.description, about: "host")
        }
        guard host?.order(.begin) != true else { return }
        feed(.host(.woke(HostWake(.unknown, isRead: false), clock: nil, fingerprint: 0)))
    }

    /// Passes on an order of the Engine (the daemon's logic), or tells the Engine that this is not possible.
    func order(_ order: HostOrder) {
        if host?.order(.carryOut(order)) != true { refuse(order) }
    }

    private func refuse(_ order: HostOrder) {
        switch order {
        case .inspect: feed(.host(.inspected(HostInspection())))
        case .arm: feed(.host(.armed(nil, wall: feed.reactor.utc)))
        case .powerOff: feed(.host(.powerOffAnswered(isAccepted: false)))
        case .disarm: break
        }
    }

    private func handle(_ answer: HostPortAnswer) {
        journal.complain(answer.problem, about: "host")
        for report in answer.reports {
            guard case .inspected(var inspection) = report else {
                feed(.host(report))
                continue
            }
            inspection.isStoreSound = store.trouble == nil && store.unsettled(.everything) == nil
            feed(.host(.inspected(inspection)))
        }
    }
}
