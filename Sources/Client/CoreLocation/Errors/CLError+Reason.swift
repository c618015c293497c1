internal import Foundation

extension CLError {
    /// The reason why no location can be had or no region monitored, as the daemon tells it.
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
        /// The card takes no more changes now.
        case notStored
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
            case .notStored: "The daemon cannot store it now; see sextant status."
            case .limit: "The program has as many regions as its manifest's maximumRegions allows."
            case .impossible: "The radius must be above 0 and at most maximumRegionMonitoringDistance."
            case .smallRadius: "The region is smaller than positions are exact; the alternate region is large enough."
            case .noRadio: "The board has no radio that hears beacons; see sextant doctor --beacons."
            }
        }
    }

    /// An error with the reason for it, where that is known.
    ///
    /// - Parameter alternate: The region that would serve better, where one is known.
    init(_ code: Code, because reason: Reason?, alternate: CLRegion? = nil) {
        var userInfo: [String: Any] = [:]
        userInfo[NSLocalizedFailureReasonErrorKey] = reason?.sentence
        userInfo[kCLErrorUserInfoAlternateRegionKey] = alternate
        self.init(code, userInfo: userInfo)
    }
}
