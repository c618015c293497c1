internal import ClientVocabulary
internal import Foundation

/// The requests of one manager or loop that have not ended; they are sent again when the connection to the daemon comes
/// back.
struct SessionRecord: Sendable {
    weak var sink: (any EventSink)?
    var watch: Watch?
    var locate: Locate?
    var deferral: Deferral?
    var heading: Heading?
    /// The ranging requests, by the UUID, major and minor number that their beacons must have.
    var rangings: [BeaconIdentity: Ranging] = [:]
    /// The requests for authorization that have not been answered.
    var authorizations: [AuthorizationRequest] = []
    /// The text in which the program says what it uses locations for.
    var purpose: String?
    /// The manifest's purpose key of each open request for full accuracy, by the request's name.
    var fullAccuracy: [String: String] = [:]
    /// The locations received so far of an array of deferred locations that is not complete yet.
    var batch: [CLLocation] = []

    struct Watch: Sendable {
        var name: String
        var settings: WatchSettings
        /// Whether the updates began in the foreground, which allows them to go on in the background.
        var beganInForeground: Bool
        /// Whether the daemon has confirmed the request for updates; locations that come earlier belong to an older
        /// request.
        var isConfirmed = false
        var isPaused = false
        var lastTimestamp: Date?
        /// Whether to skip the next location if the program has it already; after a reconnection the daemon can send
        /// the newest location again.
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
        var isConfirmed = false
    }

    struct Ranging: Sendable {
        var name: String
        var isConfirmed = false
    }

    struct Deferral: Sendable {
        var name: String
        /// The distance after which the deferral of updates ends; nil for no limit.
        ///
        /// Unit: metre.
        var distance: CLLocationDistance?
        /// The time after which the deferral of updates ends; nil for no limit.
        ///
        /// Unit: second.
        var timeout: TimeInterval?
        var beginning = ContinuousClock.now
        /// The location from which the deferral's distance counts: the newest one known when the deferral began, or
        /// else the first that came later.
        ///
        /// The distance is measured from here in a straight line, even if the connection is lost in between.
        var origin: CLLocation?
        /// Whether the program has ended the deferral, and only the daemon's answer is missing; such a deferral is not
        /// requested again.
        var isEnding = false

        /// The time from now until the deferral of updates ends, in seconds; nil for no limit.
        var timeLeft: TimeInterval? {
            timeout.map { max(0, $0 - (ContinuousClock.now - beginning) / .seconds(1)) }
        }
    }

    init(sink: any EventSink) {
        self.sink = sink
    }
}
