internal import ClientVocabulary
internal import Foundation

extension CLError {
    /// The cause of an error in one sentence, which says more than the error's code does and in most cases names the
    /// remedy.
    struct Reason: Sendable, Hashable {
        let sentence: String

        private init(_ sentence: String) { self.sentence = sentence }

        /// The GNSS receiver searches for satellites and finds none.
        static let noSky = Reason("The receiver finds no satellites; it needs a clearer view of the sky.")
        /// The GNSS receiver does not answer, or its serial port is gone.
        static let receiverUnreachable = Reason("The receiver cannot be reached.")
        /// An operator has forbidden the daemon to start the program and to send it events.
        static let wakeOff = Reason("An operator has switched off starts and events for this program.")
        /// No manifest (the owner's file about a program's rights) names the program.
        static let noManifest = Reason("No manifest names this program; an operator can write one.")
        /// The program's manifest requires hardware that the board does not have.
        static let unmetRequirement = Reason(
            "The program's manifest requires what this board does not have; see sextant clients.")
        /// The program's manifest has no purpose text, so the user cannot be asked for authorization.
        static let noPurpose = Reason(
            "The program's manifest has no purpose.whenInUse, so nobody is asked; an operator can add it.")
        /// The program's authorization is not determined, and nobody was asked for it.
        static let notAsked = Reason(
            "Nobody was asked whether this program may know; it can request authorization.")
        /// Nobody answered the request to authorize the program.
        static let noAnswer = Reason(
            "Nobody has answered whether this program may know; an operator can: sextant clients allow.")
        /// An operator or the board's policy has denied the program its authorization.
        static let denied = Reason(
            "This program is denied locations; an operator can allow them: sextant clients allow.")
        /// Location services are switched off for all programs.
        static let servicesOff = Reason(
            "Location services are off; an operator can switch them on: sextant services on.")
        /// The daemon cannot write to the SD card now.
        static let notStored = Reason("The daemon cannot store it now; see sextant status.")
        /// So many requests wait for the daemon to read them that there is no room for another.
        static let noRoom = Reason(
            "The daemon has read nothing for long, so the request had no room; see that sextantd runs.")
        /// 64 managers and loops of the program ask for something at once, the largest number allowed.
        static let tooManySessions = Reason(
            "64 managers and loops of this program ask for something at once; let go of some.")
        /// The region is neither a `CLCircularRegion` nor a `CLBeaconRegion`, so the daemon cannot monitor it.
        static let unknownRegion = Reason("Only a CLCircularRegion or a CLBeaconRegion can be monitored.")
        /// The program has as many regions as its manifest allows.
        static let limit = Reason("The program has as many regions as its manifest's maximumRegions allows.")
        /// The region's radius is 0, or larger than the largest radius that can be monitored.
        static let impossible = Reason("The radius must be above 0 and at most maximumRegionMonitoringDistance.")
        /// The region's radius is smaller than the error of the positions, so crossings of its border come late.
        static let smallRadius = Reason(
            "The region is smaller than positions are exact; the alternate region is large enough.")
        /// The board has no Bluetooth radio that can receive beacons.
        static let noRadio = Reason("The board has no radio that hears beacons; see sextant doctor --beacons.")

        /// The daemon refused the request; the reason is the message that it sent.
        static func refused(_ message: String?) -> Reason {
            Reason("The daemon refused the request\(message.map { ": \($0)" } ?? ".")")
        }

        /// Translates a reason that the daemon gives for a failure into one of the reasons above.
        init(_ reason: FailureReason) {
            self =
                switch reason {
                case .noSky: .noSky
                case .receiverUnreachable: .receiverUnreachable
                case .noPurpose: .noPurpose
                case .notAsked: .notAsked
                case .noAnswer: .noAnswer
                case .wakeOff: .wakeOff
                case .limit: .limit
                case .impossible: .impossible
                case .smallRadius: .smallRadius
                case .noRadio: .noRadio
                }
        }
    }

    /// Makes an error that says in a sentence why it happened.
    ///
    /// - Parameters:
    ///   - reason: The cause; nil for the general meaning of the code on a board, with the remedy.
    ///   - alternate: A larger region that can be monitored better, if one is known.
    init(_ code: Code, because reason: Reason?, alternate: CLRegion? = nil) {
        var userInfo: [String: Any] = [NSLocalizedFailureReasonErrorKey: reason?.sentence ?? code.sentence]
        userInfo[kCLErrorUserInfoAlternateRegionKey] = alternate
        self.init(code, userInfo: userInfo)
    }
}

extension CLError.Code {
    /// What this error code means on a board, for an error whose reason is not known.
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
