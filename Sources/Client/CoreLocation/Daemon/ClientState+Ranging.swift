internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

extension ClientState {
    /// Requests the ranging of beacons for a session (one manager or loop) and returns the request's name; nil if the
    /// session ranges these beacons already.
    mutating func range(_ number: Int, _ identity: BeaconIdentity) -> String? {
        guard let session = sessions[number], session.rangings[identity] == nil else { return nil }
        let ranging = SessionRecord.Ranging(name: newName("ranging"))
        sessions[number]?.rangings[identity] = ranging
        send(rangeLine(number, identity, ranging))
        return ranging.name
    }

    func rangeLine(_ number: Int, _ identity: BeaconIdentity, _ ranging: SessionRecord.Ranging) -> DaemonRequest {
        DaemonRequest(.rangeBeacons).with(.id, ranging.name).with(.session, Self.member(number)).with(identity)
    }

    mutating func endRanging(_ number: Int, _ identity: BeaconIdentity) {
        guard let ranging = sessions[number]?.rangings.removeValue(forKey: identity) else { return }
        waitingBeacons[ranging.name] = nil
        send(DaemonRequest(.stopRangingBeacons).with(.session, Self.member(number)).with(identity))
    }

    /// Handles a line from the daemon about ranging; until the daemon has confirmed the request, reports belong to an
    /// earlier request and are ignored.
    mutating func takeRanging(_ line: DaemonLine) -> [EventDelivery] {
        let number = line.session ?? 0
        guard let identity = BeaconIdentity(line), let ranging = sessions[number]?.rangings[identity],
            let sink = sessions[number]?.sink
        else { return [] }
        if line.event == .ranging {
            guard line.isEnabled, line.id == ranging.name else { return [] }
            sessions[number]?.rangings[identity]?.isConfirmed = true
            // If the manifest has no purpose text, so that the user cannot be asked, the ranging fails here; a denied
            // program's failure comes from the daemon.
            let denial = ClientEvent.rangingFailed(.denied, of: ranging.name, reason: .noPurpose)
            return isUnasked ? [EventDelivery(event: denial, sinks: [sink])] : []
        }
        guard ranging.isConfirmed else { return [] }
        guard line.event == .beacons else {
            let code = line.errorCode.flatMap(CLError.Code.init) ?? .rangingFailure
            let reason: CLError.Reason? = code == .denied ? authorization.denialReason : nil
            let event = ClientEvent.rangingFailed(code, of: ranging.name, reason: reason)
            return takeBeacons() + [EventDelivery(event: event, sinks: [sink])]
        }
        let timestamp = line.date(.time) ?? Date()
        let beacons = line.objects(.beacons).compactMap { CLBeacon(reported: $0, timestamp) }
        waitingBeacons[ranging.name] = EventDelivery(event: .beacons(beacons, of: ranging.name), sinks: [sink])
        return []
    }

    /// Removes and returns the newest beacon report of each ranging request, once all lines that the daemon has sent
    /// are read.
    ///
    /// A program that did not run for a minute thus gets only the beacons of the last second.
    mutating func takeBeacons() -> [EventDelivery] {
        defer { waitingBeacons = [:] }
        return waitingBeacons.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The failure event of a ranging request that the daemon refused; nil if no ranging request has this name.
    mutating func refuseRanging(
        _ name: String, of number: Int, isDenied: Bool, because reason: CLError.Reason
    ) -> ClientEvent? {
        guard let identity = sessions[number]?.rangings.first(where: { $0.value.name == name })?.key else {
            return nil
        }
        // A request that was refused because no manifest names the program, or the board lacks required hardware, is
        // kept, and is sent again after the daemon's next `hello` line.
        if !isDenied { sessions[number]?.rangings[identity] = nil }
        return .rangingFailed(isDenied ? .denied : .rangingFailure, of: name, reason: reason)
    }
}

extension CLBeacon {
    /// The beacon that an object in a line of the daemon describes; nil if the UUID, major or minor number is missing.
    ///
    /// - Parameter timestamp: The time of the line, used if the object does not say when the beacon was last received.
    convenience init?(reported object: DaemonLine, _ timestamp: Date) {
        guard let identity = BeaconIdentity(object), let major = identity.major, let minor = identity.minor else {
            return nil
        }
        let proximity: CLProximity =
            switch object.word(.proximity, as: ProximityName.self) {
            case .immediate: .immediate
            case .near: .near
            case .far: .far
            case .unknown, nil: .unknown
            }
        // A beacon without a proximity has no accuracy either.
        let accuracy = proximity == .unknown ? nil : object.number(.accuracy)
        var heard = BeaconMeasurement(
            uuid: identity.uuid, major: major, minor: minor, proximity: accuracy == nil ? .unknown : proximity,
            accuracy: accuracy ?? -1, rssi: object.integer(.rssi) ?? 0, timestamp: object.date(.lastSeen) ?? timestamp)
        heard.name = object.text(.name)
        self.init(heard)
    }
}
