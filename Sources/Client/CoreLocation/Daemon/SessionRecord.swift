internal import ClientVocabulary
internal import Foundation

/// The requests of one session that still hold, to be sent again when the connection comes back.
struct SessionRecord: Sendable {
    weak var sink: (any EventSink)?
    var watch: Watch?
    var locate: Locate?
    var deferral: Deferral?
    var heading: Heading?
    /// The ranging requests, by the identity of their beacons.
    var rangings: [BeaconIdentity: Ranging] = [:]
    /// The authorizations that were requested but have not been answered.
    var authorizations: [AuthorizationRequest] = []
    /// The purpose that the program states for its use of locations.
    var purpose: String?
    /// The purpose keys of the requests for full accuracy, by the requests' names.
    var fullAccuracy: [String: String] = [:]
    /// The locations of an array that has not come completely.
    var batch: [CLLocation] = []

    struct Watch: Sendable {
        var name: String
        var settings: WatchSettings
        /// Whether the updates began in the foreground, which allows them to go on in the background.
        var beganInForeground: Bool
        /// Whether the daemon has confirmed the updates; locations before that belong to an earlier request.
        var isConfirmed = false
        var isPaused = false
        var lastTimestamp: Date?
        /// Whether the next location may repeat one that was delivered already, as after a reconnection.
        var skipsRepeat = false

        var goesOnInBackground: Bool { beganInForeground && settings.continuesInBackground }
    }

    struct Locate: Sendable {
        var name: String
        var accuracy: CLLocationAccuracy
    }

    struct Heading: Sendable {
        var name: String
        var settings: HeadingSettings
        /// Whether the daemon has confirmed the request for headings.
        var isConfirmed = false
    }

    struct Ranging: Sendable {
        var name: String
        /// Whether the daemon has confirmed the ranging request.
        var isConfirmed = false
    }

    struct Deferral: Sendable {
        var name: String
        /// The distance after which the deferral ends.
        ///
        /// Unit: metre.
        var distance: CLLocationDistance?
        /// The time after which the deferral ends.
        ///
        /// Unit: second.
        var timeout: TimeInterval?
        /// When the deferral began.
        var beginning = ContinuousClock.now
        /// The location from which the deferral's distance counts: the last known one at its start, or the next one.
        ///
        /// The distance is measured from here in a straight line, even if the connection is lost in between.
        var origin: CLLocation?

        /// Unit: second; nil for no limit.
        var timeLeft: TimeInterval? {
            timeout.map { max(0, $0 - (ContinuousClock.now - beginning) / .seconds(1)) }
        }
    }

    init(sink: any EventSink) {
        self.sink = sink
    }
}
