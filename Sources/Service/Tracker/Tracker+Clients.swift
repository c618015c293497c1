internal import Access
internal import ClientProtocol
internal import Configuration
internal import Engine
internal import Logging
internal import Parts
internal import SextantJSON
internal import SextantSockets
internal import SextantUnits

/// The decision which clients are served, from the operator's files, and the requests to systemd.
extension Tracker {
    /// The clients that are served now; a client whose file has become invalid keeps its last valid manifest.
    func admission(after old: Admission?) -> Admission {
        guard let manifests else { return settings.clients == .nobody ? Tracker.nobodyKnown : .everyone }
        let read = manifests.configuration
        complain(ofManifests: Set(read.problems.map(\.error.description)))
        var known = read.clients.manifests
        for manifest in old?.manifests.manifests ?? [] where !known.contains(where: { $0.name == manifest.name }) {
            if !read.hasLost(manifest.name) { known.append(manifest) }
        }
        var admission = Admission(manifests: ClientManifests(known), policy: read.policy)
        (admission.isComplete, admission.policySource) = (read.folderWasRead, read.policySource)
        admission.unreadable = read.problems.compactMap(\.client).sorted()
        return admission
    }

    /// The most problems of the operator's files that are logged at a time.
    private static let toldProblems = 20

    /// Logs the problems of the operator's files that are new; one that was mended and comes back is logged again.
    private func complain(ofManifests problems: Set<String>) {
        let new = problems.subtracting(manifestProblems).sorted()
        for problem in new.prefix(Tracker.toldProblems) { logger.error("\(problem)") }
        if new.count > Tracker.toldProblems {
            let rest = new.count - Tracker.toldProblems
            logger.error("\(rest) more problems of manifests are not listed; mend these first")
        }
        manifestProblems = problems
    }

    /// The admission that serves no client, and keeps the stored data of all.
    private static var nobodyKnown: Admission {
        var admission = Admission.nobody
        admission.isComplete = false
        return admission
    }

    func watchManifests() {
        do {
            try manifests?.watch(in: reactor) { [unowned self] _ in
                admitted = admission(after: admitted)
                feed(.admission(admitted))
            }
        } catch {
            logger.warning("changed manifests are read only at the next start: \(error)")
        }
    }

    // MARK: Waking

    func prepareWaking() {
        do throws(WakeFileError) {
            try wakeFiles?.prepare()
        } catch {
            logger.error("no client can be started for an event: \(error)")
            wakeFiles = nil
        }
    }

    func wake(_ client: String, unit: String, _ service: MonitoredService) {
        guard let wakeFiles else { return failWake(client, "sextantd cannot start units here") }
        do throws(WakeFileError) {
            _ = try wakeFiles.withdraw(.stop, of: unit)
            try wakeFiles.ask(
                .start, of: unit, because: WakeFiles.Reason(client: client, service: service.name.description))
            logger.info("\(client): \(unit) is started for an event")
        } catch {
            failWake(client, error.description)
        }
    }

    private func failWake(_ client: String, _ problem: String) {
        logger.error("\(client) has an event, and its unit was not started: \(problem)")
        feed(.wakeFailed(client: client))
    }

    /// Starts a unit that a manifest names for a region's event.
    func startUnit(_ start: BorderStart) {
        let event = "\(start.event.name) of region \(start.region)"
        guard let wakeFiles else {
            return logger.error("\(start.unit) was not started for \(event): sextantd cannot start units here")
        }
        do throws(WakeFileError) {
            try wakeFiles.ask(.start, of: start.unit, because: WakeFiles.Reason(start))
            logger.info("\(start.client): \(start.unit) is started for \(event)")
        } catch {
            logger.error("\(start.client): \(start.unit) was not started for \(event): \(error)")
        }
    }

    /// Withdraws a request for a start that no path unit answered, and says how to mend that.
    func expireStart(_ start: BorderStart) {
        guard let wakeFiles else { return }
        do throws(WakeFileError) {
            guard try wakeFiles.withdraw(.start, of: start.unit) == .unanswered else { return }
            complain(WakeFiles.mend(.start, of: start.unit), about: "wake \(start.unit)")
        } catch {
            logger.error("\(error)")
        }
    }

    func endWake(_ client: String, unit: String) {
        guard let wakeFiles else { return }
        do throws(WakeFileError) {
            if try wakeFiles.withdraw(.start, of: unit) == .unanswered {
                complain(WakeFiles.mend(.start, of: unit), about: "wake \(unit)")
            }
            try wakeFiles.ask(.stop, of: unit, because: WakeFiles.Reason(client: client, service: "lease"))
        } catch {
            logger.error("\(client) stayed past its lease, and its unit was not stopped: \(error)")
        }
    }

    func wakeDone(unit: String) {
        guard let wakeFiles else { return }
        do throws(WakeFileError) {
            _ = try wakeFiles.withdraw(.start, of: unit)
        } catch {
            logger.error("\(error)")
        }
    }
}

extension WakeFiles.Reason {
    /// The reason to start a manifest's unit.
    fileprivate init(_ start: BorderStart) {
        let crossing = Crossing(region: start.region, event: start.event.name.description)
        self.init(client: start.client, service: MonitoredService.regions.name.description, crossing: crossing)
    }
}

extension String {
    /// The text with control characters replaced, since a client has chosen it and a terminal or log would obey them.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }))
    }
}
