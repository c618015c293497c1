internal import Foundation

extension CLLocationManager {
    /// Delivers an event to the delegate; called on the manager's run loop or on the main queue.
    func deliver(_ event: ClientEvent) {
        switch event {
        case .authorization(let authorization): deliver(authorization)
        case .locations(let locations, let name, _): deliver(locations, of: name)
        case .failed(let code, let name, let reason): fail(code, of: name, reason)
        case .paused(let name, _) where name == watchName: delegate?.locationManagerDidPauseLocationUpdates(self)
        case .resumed(let name) where name == watchName: delegate?.locationManagerDidResumeLocationUpdates(self)
        case .deferralFinished(let code):
            delegate?.locationManager(self, didFinishDeferredUpdatesWithError: Self.error(code))
        case .heading(let heading, let name): deliver(heading, of: name)
        case .headingCalibrationWanted(let name): askForCalibration(of: name)
        case .fullAccuracy(let name, let code): completions.removeValue(forKey: name)?(Self.error(code))
        case .history(let locations, let name, let code):
            historyCompletions.removeValue(forKey: name)?(locations, Self.error(code))
        case .locationPushesRefused(let name):
            completions.removeValue(forKey: name)?(CLLocationPushServiceError(.unsupportedPlatform))
        case .significantChange(let location, let ticket):
            tell([location])
            if delegate != nil { ticket?.take() }
        case .visit(let visit, let ticket):
            delegate?.locationManager(self, didVisit: visit.visit)
            if delegate != nil { ticket?.take() }
        default: deliverRegion(event)
        }
    }

    private func deliverRegion(_ event: ClientEvent) {
        switch event {
        case .regionCrossed(let region, let isEntry, let ticket): cross(region, isEntry, ticket)
        case .monitoringStarted(let region): delegate?.locationManager(self, didStartMonitoringFor: region)
        case .monitoringFailed(let region, let error):
            delegate?.locationManager(self, monitoringDidFailFor: region, withError: error)
        case .regionState(let region, let state, let ticket):
            delegate?.locationManager(self, didDetermineState: state, for: region)
            if delegate != nil { ticket?.take() }
        case .beacons(let beacons, let name): deliver(beacons, ofRanging: name)
        case .rangingFailed(let code, let name, let reason):
            failRanging(CLError(code, because: reason), of: name)
        default: break
        }
    }

    private func deliver(_ authorization: Authorization) {
        // The first authorization can come before the manager has a delegate; it is then delivered when the program
        // sets a delegate.
        if core.isElsewhere {
            guard delegate != nil, authorization != announced else { return }
            announced = authorization
        }
        toldAuthorization = authorization
        delegate?.locationManagerDidChangeAuthorization(self)
        toldAuthorization = nil
    }

    private func deliver(_ locations: [CLLocation], of name: String) {
        if name == locateName {
            locateName = nil
        } else if name != watchName {
            return
        }
        tell(locations)
    }

    /// Delivers locations to the delegate; meanwhile the manager's `location` is the newest of them.
    private func tell(_ locations: [CLLocation]) {
        toldLocation = locations.last
        client.hold(locations.last)
        delegate?.locationManager(self, didUpdateLocations: locations)
        previousDelivered = locations.last
        toldLocation = nil
    }

    private func fail(_ code: CLError.Code, of name: String, _ reason: CLError.Reason?) {
        if name == locateName {
            locateName = nil
        } else if name != watchName, name != headingName, name != CLLocationManager.nobody {
            return
        }
        let denial = code == .denied ? client.authorization.denialReason : nil
        delegate?.locationManager(self, didFailWithError: CLError(code, because: reason ?? denial))
    }

    /// Makes an error with a sentence that says what the code means; nil if there is no code, because nothing failed.
    private static func error(_ code: CLError.Code?) -> CLError? { code.map { CLError($0, because: nil) } }

    private func cross(_ region: CLRegion, _ isEntry: Bool, _ ticket: DeliveryTicket?) {
        guard let delegate else { return }
        delegate.locationManager(self, didDetermineState: isEntry ? .inside : .outside, for: region)
        if isEntry, region.notifyOnEntry { delegate.locationManager(self, didEnterRegion: region) }
        if !isEntry, region.notifyOnExit { delegate.locationManager(self, didExitRegion: region) }
        ticket?.take()
    }
}

extension LocationClient {
    /// Keeps a delivered location as the program's newest, unless the program's authorization has been withdrawn
    /// meanwhile.
    func hold(_ location: CLLocation?) {
        update { state in
            if state.authorization.isGranted { state.newest = location }
            return ((), [])
        }
    }
}
