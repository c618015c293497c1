internal import Foundation

/// The requests of one session that still hold, to be sent again when the connection comes back.
struct SessionRecord: Sendable {
    weak var sink: (any EventSink)?
    var watch: Watch?
    var locate: Locate?
    var deferral: Deferral?
    var heading: Heading?
    /// The beacons that are ranged.
    var rangings: [BeaconIdentity: Ranging] = [:]
    /// The authorizations that were asked for and whose answer has not come.
    var authorizations: [String] = []
    /// The purpose that the program states for its use of locations.
    var purpose: String?
    /// The purpose keys of the requests for full accuracy, by the requests' names.
    var fullAccuracy: [String: String] = [:]
    /// The first part of an array of locations whose last part has not come.
    var batch: [CLLocation] = []

    struct Watch: Sendable {
        var name: String
        var settings: WatchSettings
        /// Whether the watch began in the foreground, and so may go on in the background.
        var beganInForeground: Bool
        /// Whether the daemon has confirmed the watch; locations before that belong to an earlier watch.
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
        /// Whether the daemon has confirmed the headings.
        var isConfirmed = false
    }

    struct Ranging: Sendable {
        var name: String
        /// Whether the daemon has confirmed the ranging.
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
        /// Where the device was then, as far as the program knew, or where it was first after that.
        ///
        /// The distance is that from here, as the crow flies, however often the connection is lost on the way.
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
