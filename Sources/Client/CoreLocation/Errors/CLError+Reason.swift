internal import Foundation

extension CLError {
    /// The cause of an error in more detail than its code gives, mostly as the daemon reports it.
    enum Reason: String, Sendable, Hashable {
        /// The receiver searches and finds no satellites.
        case noSky
        /// The receiver does not answer, or its serial line is gone.
        case receiverUnreachable
        /// An operator has switched off starts and events for the program.
        case wakeOff
        /// No manifest names the program.
        case noManifest
        /// The program's manifest requires hardware that the board does not have.
        case unmetRequirement
        /// The program's manifest does not say why the program asks, so nobody is asked about it.
        case noPurpose
        /// Nothing was decided about the program, and nobody was asked.
        case notAsked
        /// Nobody answered the question whether the program may know.
        case noAnswer
        /// An operator or the policy denied the program.
        case denied
        /// Location services are off for all programs.
        case servicesOff
        /// The daemon refused the request, with a message that standard error shows.
        case refused
        /// The card takes no more changes now.
        case notStored
        /// So many requests wait for the daemon that there is no room for another.
        case noRoom
        /// The program has opened as many sessions as it may have.
        case tooManySessions
        /// The region is neither a circle nor a kind of beacons, so that the daemon cannot monitor it.
        case unknownRegion
        /// The program has as many regions as it may have.
        case limit
        /// The region's radius is 0, or too large.
        case impossible
        /// The region is smaller than positions are exact.
        case smallRadius
        /// No radio hears beacons.
        case noRadio

        fileprivate var sentence: String {
            switch self {
            case .noSky: "The receiver finds no satellites; it needs a clearer view of the sky."
            case .receiverUnreachable: "The receiver cannot be reached."
            case .wakeOff: "An operator has switched off starts and events for this program."
            case .noManifest: "No manifest names this program; an operator can write one."
            case .unmetRequirement:
                "The program's manifest requires what this board does not have; see sextant clients."
            case .noPurpose:
                "The program's manifest has no purpose.whenInUse, so nobody is asked; an operator can add it."
            case .notAsked: "Nobody was asked whether this program may know; it can request authorization."
            case .noAnswer: "Nobody has answered whether this program may know; an operator can: sextant clients allow."
            case .denied: "This program is denied locations; an operator can allow them: sextant clients allow."
            case .servicesOff: "Location services are off; an operator can switch them on: sextant services on."
            case .refused: "The daemon refused the request; standard error has its message."
            case .notStored: "The daemon cannot store it now; see sextant status."
            case .noRoom: "The daemon has read nothing for long, so the request had no room; see that sextantd runs."
            case .tooManySessions: "64 managers and loops of this program ask for something at once; let go of some."
            case .unknownRegion: "Only a CLCircularRegion or a CLBeaconRegion can be monitored."
            case .limit: "The program has as many regions as its manifest's maximumRegions allows."
            case .impossible: "The radius must be above 0 and at most maximumRegionMonitoringDistance."
            case .smallRadius: "The region is smaller than positions are exact; the alternate region is large enough."
            case .noRadio: "The board has no radio that hears beacons; see sextant doctor --beacons."
            }
        }
    }

    /// An error with the reason for it.
    ///
    /// - Parameters:
    ///   - reason: Where it is nil, the error says what its code means on a board, and what mends it.
    ///   - alternate: The region that would serve better, where one is known.
    init(_ code: Code, because reason: Reason?, alternate: CLRegion? = nil) {
        var userInfo: [String: Any] = [NSLocalizedFailureReasonErrorKey: reason?.sentence ?? code.sentence]
        userInfo[kCLErrorUserInfoAlternateRegionKey] = alternate
        self.init(code, userInfo: userInfo)
    }
}

extension CLError.Code {
    /// The meaning of the code on a board, for an error without a known reason.
    fileprivate var sentence: String {
        switch self {
        case .locationUnknown: "The receiver gives no position now; see sextant status."
        case .denied, .regionMonitoringDenied: CLError.Reason.denied.sentence
        case .network: "No geocoder could answer; see sextant doctor."
        case .headingFailure: "The compass fails; see sextant doctor."
        case .regionMonitoringFailure: "The daemon does not monitor the region."
        case .regionMonitoringSetupDelayed: "The region's state becomes known with the next position."
        case .regionMonitoringResponseDelayed: "The region's events come late."
        case .geocodeFoundNoResult: "Nothing of this name, or no name for this place, is known."
        case .geocodeFoundPartialResult: "Only a part of the address is known."
        case .geocodeCanceled: "The program cancelled the request."
        case .deferredFailed: "There is no receiver, or too many locations are held back already; see sextant status."
        case .deferredNotUpdatingLocation:
            "No locations come that could be held back; call startUpdatingLocation, and see the authorization."
        case .deferredAccuracyTooLow:
            "Locations are held back only with full accuracy and a desiredAccuracy of kCLLocationAccuracyBest or better."
        case .deferredDistanceFiltered: "Locations are held back only where distanceFilter is kCLDistanceFilterNone."
        case .deferredCanceled: "A later call of allowDeferredLocationUpdates took its place."
        case .rangingUnavailable: CLError.Reason.noRadio.sentence
        case .rangingFailure:
            "The radio that hears beacons went away; beacons come again by themselves once it is back."
        case .promptDeclined:
            "Full accuracy was not granted, or nobody was asked: the manifest needs purpose.temporary with this key."
        case .historicalLocationError:
            "The daemon keeps no track, or not for this program, whose manifest must say operator: true."
        }
    }
}
