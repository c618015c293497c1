internal import Access
internal import ClientProtocol
internal import ClientVocabulary
internal import Configuration
internal import Engine
internal import Logging
internal import Parts
internal import SextantSockets

/// The operator's files, which say which clients are served, and the requests to systemd to start the clients' units.
///
/// A class, because the watch of the folders calls it back.
final class OperatorFiles {
    private let feed: Feed
    private let journal: Journal
    /// Which clients are admitted: those that the operator's files name, or, by a setting, every client or none.
    private let clients: TrackerSettings.Clients
    /// The operator's manifests and policy; nil if a setting admits all clients or none.
    private let manifests: ManifestFolder?
    private var wakeFiles: WakeFiles?
    /// The clients that are admitted now.
    private var admitted: Admission?
    /// The problems of the operator's files that were logged and are not corrected yet.
    private var problems: Set<String> = []
    /// Called with the admitted clients, at the start and whenever the operator's files have changed.
    var onAdmission: (Admission) -> Void = { _ in }

    init(_ settings: TrackerSettings, _ feed: Feed, _ journal: Journal) {
        self.feed = feed
        self.journal = journal
        clients = settings.clients
        manifests = settings.clients.files.map { ManifestFolder(folder: $0.manifests, policy: $0.policy) }
        wakeFiles = manifests == nil ? nil : WakeFiles(folder: settings.wakeFolder)
    }

    /// Reads the files.
    func read() {
        let admission = admission(after: admitted)
        admitted = admission
        onAdmission(admission)
    }

    /// The clients that are admitted now; a client whose manifest has become invalid keeps its last valid manifest.
    private func admission(after old: Admission?) -> Admission {
        guard let manifests else { return clients == .nobody ? OperatorFiles.nobodyKnown : .everyone }
        let read = manifests.configuration
        complain(ofManifests: Set(read.problems.map(\.error.description)))
        var known = Array(read.clients)
        for manifest in old?.manifests ?? ClientManifests([]) where read.clients[manifest.name] == nil {
            if !read.hasLost(manifest.name) { known.append(manifest) }
        }
        var admission = Admission(manifests: ClientManifests(known), policy: read.policy)
        (admission.isComplete, admission.policySource) = (read.folderWasRead, read.policySource)
        admission.unreadable = read.problems.compactMap(\.client).sorted()
        return admission
    }

    /// The largest number of problems with the operator's files that are logged at a time.
    private static let toldProblems = 20

    /// Logs new problems with the operator's files; a problem that was corrected and comes back is logged again.
    private func complain(ofManifests found: Set<String>) {
        let new = found.subtracting(problems).sorted()
        for problem in new.prefix(OperatorFiles.toldProblems) { journal.logger.error("\(problem)") }
        if new.count > OperatorFiles.toldProblems {
            let rest = new.count - OperatorFiles.toldProblems
            journal.logger.error("\(rest) more problems of manifests are not listed; mend these first")
        }
        problems = found
    }

    /// A list of admitted clients that is empty but does not count as complete, so that the stored data of all clients
    /// are kept.
    private static var nobodyKnown: Admission {
        var admission = Admission.nobody
        admission.isComplete = false
        return admission
    }

    func watch() {
        do {
            try manifests?.watch(in: feed.reactor) { [unowned self] _ in read() }
        } catch {
            journal.logger.warning("changed manifests are read only at the next start: \(error)")
        }
    }

    // MARK: Starting clients' units

    func prepareWaking() {
        do throws(WakeFileError) {
            try wakeFiles?.prepare()
        } catch {
            journal.logger.error("no client can be started for an event: \(error)")
            wakeFiles = nil
        }
    }

    func wake(_ client: String, unit: String, _ service: MonitoredService) {
        guard let wakeFiles else { return failWake(client, "sextantd cannot start units here") }
        do throws(WakeFileError) {
            _ = try wakeFiles.withdraw(.stop, of: unit)
            try wakeFiles.ask(
                .start, of: unit, because: WakeFiles.Reason(client: client, service: service.name.description))
            journal.logger.info("\(client): \(unit) is started for an event")
        } catch {
            failWake(client, error.description)
        }
    }

    private func failWake(_ client: String, _ problem: String) {
        journal.logger.error("\(client) has an event, and its unit was not started: \(problem)")
        feed(.wakeFailed(client: client))
    }

    /// Requests that systemd start the unit that a manifest names for an event of a region.
    func startUnit(_ start: BorderStart) {
        let event = "\(start.event.rawValue) of region \(start.region)"
        guard let wakeFiles else {
            return journal.logger.error("\(start.unit) was not started for \(event): sextantd cannot start units here")
        }
        do throws(WakeFileError) {
            try wakeFiles.ask(.start, of: start.unit, because: WakeFiles.Reason(start))
            journal.logger.info("\(start.client): \(start.unit) is started for \(event)")
        } catch {
            journal.logger.error("\(start.client): \(start.unit) was not started for \(event): \(error)")
        }
    }

    /// Withdraws a request to start a unit if no systemd path unit took it, and logs what the operator must do.
    func expireStart(_ start: BorderStart) {
        guard let wakeFiles else { return }
        do throws(WakeFileError) {
            guard try wakeFiles.withdraw(.start, of: start.unit) == .unanswered else { return }
            journal.complain(WakeFiles.mend(.start, of: start.unit), about: "wake \(start.unit)")
        } catch {
            journal.logger.error("\(error)")
        }
    }

    func endWake(_ client: String, unit: String) {
        guard let wakeFiles else { return }
        do throws(WakeFileError) {
            if try wakeFiles.withdraw(.start, of: unit) == .unanswered {
                journal.complain(WakeFiles.mend(.start, of: unit), about: "wake \(unit)")
            }
            try wakeFiles.ask(.stop, of: unit, because: WakeFiles.Reason(client: client, service: "lease"))
        } catch {
            journal.logger.error("\(client) stayed past its lease, and its unit was not stopped: \(error)")
        }
    }

    func wakeDone(unit: String) {
        guard let wakeFiles else { return }
        do throws(WakeFileError) {
            _ = try wakeFiles.withdraw(.start, of: unit)
        } catch {
            journal.logger.error("\(error)")
        }
    }
}

extension WakeFiles.Reason {
    /// Why a unit that a manifest names for an event of a region is started.
    fileprivate init(_ start: BorderStart) {
        let crossing = Crossing(region: start.region, event: start.event.rawValue)
        self.init(client: start.client, service: MonitoredService.regions.name.description, crossing: crossing)
    }
}
