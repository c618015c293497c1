internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

/// Whether a program is in the foreground or the background; the program must say so itself, because a board has no
/// screen.
public enum SextantApplicationState: String, Sendable {
    case foreground
    case background
}

extension CLLocationManager {
    /// Whether this program is in the foreground, which decides whether it is in use and whether its updates go on.
    ///
    /// A program sets this property to report its state. Until then it counts as in the foreground, unless the
    /// environment variable `SEXTANT_APPLICATION_STATE` is `background` or the daemon started the program for an event.
    public class var sextantApplicationState: SextantApplicationState {
        get {
            LocationClient.shared.awaitGreeting()
            return LocationClient.shared.read { $0.isForeground } ? .foreground : .background
        }
        set { LocationClient.shared.setForeground(newValue == .foreground) }
    }

    /// Why the daemon started this program: `location` means to deliver an event; nil if the daemon did not start the
    /// program.
    public class var sextantLaunchReason: String? {
        LocationClient.shared.awaitGreeting()
        return LocationClient.shared.read { $0.greeting?.launchReason }
    }

    /// Asks for this much more time to run, for a program that the daemon started for an event and that runs at most 60
    /// s in total.
    ///
    /// Unit: second, 1 to 30.
    public class func sextantExtendWake(seconds: Int) {
        LocationClient.shared.update { state in
            state.send(DaemonRequest(.extendWake).with(.seconds, min(max(seconds, 1), 30)))
            return ((), [])
        }
    }
}

extension LocationClient {
    func setForeground(_ isForeground: Bool) {
        update { state in
            state.hasSaidState = true
            guard state.isForeground != isForeground else { return ((), []) }
            state.isForeground = isForeground
            state.sayState()
            return ((), [])
        }
    }
}

extension ClientState {
    mutating func sayState() {
        send(DaemonRequest(.state).with(.state, isForeground ? "foreground" : "background"))
    }
}
