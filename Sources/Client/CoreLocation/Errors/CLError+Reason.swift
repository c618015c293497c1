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
