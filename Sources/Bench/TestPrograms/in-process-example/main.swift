// A tracker in one program, without a daemon: it prints the first three locations from the device on the command line.

internal import Configuration
internal import CoreLocation
internal import Tracker

final class Printer: NSObject, CLLocationManagerDelegate {
    private var count = 0

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for location in locations {
            print(location.coordinate.latitude, location.coordinate.longitude, location.horizontalAccuracy)
            count += 1
        }
        if count >= 3 { exit(0) }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        FileHandle.standardError.write(Data("\(error.localizedDescription)\n".utf8))
    }
}

guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: in-process-example DEVICE\n".utf8))
    exit(64)
}
let tracker = try InProcessTracker(TrackerSettings(device: CommandLine.arguments[1], baud: nil))
let printer = Printer()
let manager = CLLocationManager()
manager.delegate = printer
manager.startUpdatingLocation()
withExtendedLifetime(tracker) { RunLoop.main.run() }
