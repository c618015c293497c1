internal import Foundation

extension CLLocationManager {
    func range(_ identity: BeaconIdentity) {
        guard rangingNames[identity] == nil, let session = openSession() else { return }
        askAtStart()
        rangingNames[identity] = client.update { state in (state.range(session, identity), []) }
    }

    /// Stops ranging the beacons with these numbers (UUID, major, minor), unless this manager still ranges a constraint
    /// or a region with the same numbers.
    func endRanging(_ identity: BeaconIdentity) {
        let isNeeded =
            rangedConstraints.contains(CLBeaconIdentityConstraint(identity))
            || rangedBeaconRegions.contains { $0.beaconIdentityConstraint.identity == identity }
        guard !isNeeded, rangingNames.removeValue(forKey: identity) != nil, let session else { return }
        client.update { state in
            state.endRanging(session, identity)
            return ((), [])
        }
    }

    func beginRanging(in region: CLBeaconRegion) {
        // As in region monitoring, this region replaces one that was ranged with the same identifier.
        let replaced = rangedBeaconRegions.update(with: region)
        if let replaced { endRanging(replaced.beaconIdentityConstraint.identity) }
        range(region.beaconIdentityConstraint.identity)
    }

    func endRanging(in region: CLBeaconRegion) {
        guard let ended = rangedBeaconRegions.remove(region) else { return }
        endRanging(ended.beaconIdentityConstraint.identity)
    }

    func deliver(_ beacons: [CLBeacon], ofRanging name: String) {
        tellRanging(name) { constraint in
            delegate?.locationManager(self, didRange: beacons, satisfying: constraint)
        } region: { region in
            delegate?.locationManager(self, didRangeBeacons: beacons, in: region)
        }
    }

    func failRanging(_ error: CLError, of name: String) {
        tellRanging(name) { constraint in
            delegate?.locationManager(self, didFailRangingFor: constraint, error: error)
        } region: { region in
            delegate?.locationManager(self, rangingBeaconsDidFailFor: region, withError: error)
        }
    }

    /// If this ranging request still runs, calls the delegate once for its constraint and once for each region that it
    /// serves.
    private func tellRanging(
        _ name: String, constraint tellConstraint: (CLBeaconIdentityConstraint) -> Void,
        region tellRegion: (CLBeaconRegion) -> Void
    ) {
        guard let identity = rangingNames.first(where: { $0.value == name })?.key else { return }
        let constraint = CLBeaconIdentityConstraint(identity)
        if rangedConstraints.contains(constraint) { tellConstraint(constraint) }
        let regions = rangedBeaconRegions.filter { $0.beaconIdentityConstraint.identity == identity }
        // The delegate can end the ranging of a region in an earlier call, so each region is checked again just before
        // the delegate is called for it.
        for region in regions.sorted(by: { $0.identifier < $1.identifier })
        where rangedBeaconRegions.contains(region) {
            tellRegion(region)
        }
    }
}
