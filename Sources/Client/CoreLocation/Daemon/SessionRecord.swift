internal import Foundation

/// What one session has asked for that stands, to be said again when the connection comes back.
struct SessionRecord: Sendable {
    weak var sink: (any EventSink)?
    var watch: Watch?
    var locate: Locate?
    var deferral: Deferral?
    var heading: Heading?
    /// Questions to the user whose answer has not been heard of.
    var authorizations: [String] = []
    /// The purpose keys of what was asked for, by the request's name.
    var fullAccuracy: [String: String] = [:]
    /// The beginning of an array whose end has not come.
    var batch: [CLLocation] = []

    struct Watch: Sendable {
        var name: String
        var settings: WatchSettings
        /// Whether it began in the foreground, and so may go on in the background.
        var beganInForeground: Bool
        /// Whether the daemon has said that it watches; what comes before belongs to an earlier watch.
        var isConfirmed = false
        var isPaused = false
        var lastTimestamp: Date?
        /// After a reconnection the first report may be one that was delivered before.
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
        /// Whether the daemon has said that it watches.
        var isConfirmed = false
    }

    struct Deferral: Sendable {
        var name: String
        /// Unit: metre.
        var distance: CLLocationDistance?
        /// Unit: second.
        var timeout: TimeInterval?
    }

    init(sink: any EventSink) {
        self.sink = sink
    }
}
