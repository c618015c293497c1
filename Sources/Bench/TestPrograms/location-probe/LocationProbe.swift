@_spi(Testing) import CoreLocation
import Glibc

/// A client that obeys commands on standard input and prints the callbacks that it receives.
///
/// Apart from the command `sync`, it uses only the library's public API. It has no clock of its own, so that a daemon
/// in virtual time can drive it.
@main
enum LocationProbe {
    static let help = """
        location-probe: a Core Location client that is driven by lines.

        Reads a command a line from standard input and runs one after another; prints a JSON object a line on standard
        output. Each command ends with {"done":"..."}, or {"error":"...","line":"..."}. What a delegate is called with,
        or a loop yields, is a line with "callback" and with "manager", "live", "monitor", "service" or "activity",
        the number N that the command gave it. SEXTANT_SOCKET names the daemon's socket.

        sync                                  until all that the daemon sent was told, and the daemon has what follows
                                              from that; "connected" says if there is one
        show                                  what the class methods say
        state foreground|background           sextantApplicationState
        extendWake SECONDS
        quit

        manager N new [thread] [legacy|both]  on the main thread, or on one of its own with a run loop; "legacy" gives a
                                              delegate with the oldest methods alone, "both" one with those and today's
        manager N drop                        lets go of the manager
        manager N delegate on|off
        manager N show                        what its properties say
        manager N set PROPERTY VALUE          desiredAccuracy (metres, best, bestForNavigation, reduced), distanceFilter
                                              (metres, none), activityType, pauses, background, indicator (true, false),
                                              headingFilter (degrees, none), headingOrientation
        manager N start|stop|request          startUpdatingLocation, stopUpdatingLocation, requestLocation
        manager N whenInUse|always            request…Authorization
        manager N fullAccuracy KEY            requestTemporaryFullAccuracyAuthorization
        manager N significant start|stop
        manager N visits start|stop
        manager N region start ID LAT LON RADIUS [entry|exit|both] [cushion METRES]
        manager N region stop ID
        manager N region state ID [LAT LON RADIUS]
        manager N defer DISTANCE TIMEOUT      metres and seconds, or "max"
        manager N undefer
        manager N beacon start ID UUID [MAJOR [MINOR]] [display]
        manager N beacon stop ID | state ID UUID
        manager N range UUID                  and unrange UUID
        manager N heading start|stop|dismiss  start/stopUpdatingHeading, dismissHeadingCalibrationDisplay
        manager N calibration yes|no          what locationManagerShouldDisplayHeadingCalibration answers (no)

        live N begin [default|automotiveNavigation|otherNavigation|fitness|airborne]
        live N end
        monitor N open NAME                   and close, begin (iterates events), end
        monitor N add ID LAT LON RADIUS [satisfied|unsatisfied]
        monitor N addBeacon ID UUID
        monitor N remove ID | record ID | identifiers
        service N hold none|whenInUse|always [PURPOSEKEY]
        service N invalidate | drop
        activity N hold | invalidate | drop
        geocode begin|cancel                  asks for the names of a place; its end is called back
        """

    static func main() {
        guard CommandLine.arguments.count == 1 else {
            print(help)
            exit(CommandLine.arguments.dropFirst() == ["--help"] ? 0 : 64)
        }
        let reader = Thread { read() }
        reader.name = "commands"
        reader.start()
        RunLoop.main.run()
    }

    /// Runs one command after another on the main queue, and reads on another thread so that callbacks are not blocked.
    private static func read() {
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            guard !words.isEmpty else { continue }
            let finished = DispatchSemaphore(value: 0)
            Task { @MainActor in
                await Probe.shared.run(words, line)
                finished.signal()
            }
            finished.wait()
        }
        exit(0)
    }
}
