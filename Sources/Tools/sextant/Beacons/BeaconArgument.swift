internal import ArgumentParser
internal import Beacons
internal import ClientVocabulary
internal import DaemonClient

/// A command-line argument that names one iBeacon or several: `UUID`, `UUID,MAJOR` or `UUID,MAJOR,MINOR`.
struct BeaconArgument: ExpressibleByArgument {
    let constraint: BeaconConstraint
    /// The argument as the user typed it.
    let text: String

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().map { UInt16($0) }
        guard (1...3).contains(parts.count), let uuid = BeaconUUID(parts[0]), !numbers.contains(nil),
            let constraint = BeaconConstraint(
                uuid: uuid, major: numbers.first ?? nil, minor: numbers.count == 2 ? numbers[1] : nil)
        else { return nil }
        self.constraint = constraint
        text = argument
    }
}

extension DaemonRequest {
    /// Adds to the request the UUID, major and minor number of the wanted beacons; nil adds nothing.
    func with(_ beacons: BeaconConstraint?) -> DaemonRequest {
        guard let beacons else { return self }
        return with(.uuid, beacons.uuid.description).with(.major, beacons.major.map { Int($0) })
            .with(.minor, beacons.minor.map { Int($0) })
    }
}
