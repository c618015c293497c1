internal import ArgumentParser
internal import ClientProtocol
internal import ClientVocabulary
internal import DaemonClient
internal import Power
internal import SextantJSON

/// The options of `sextant watch` that make it request locations, as Core Location reports them, instead of the
/// receiver's epochs.
struct LocationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Accuracy: metres, best, bestForNavigation or reduced.", valueName: "metres"))
    var accuracy: String?

    @Option(help: ArgumentHelp("Report only after moving this far from the last report.", valueName: "metres"))
    var distanceFilter: Double?

    @Option(help: ArgumentHelp("Report at most this often.", valueName: "seconds"))
    var minimumInterval: Double?

    @Option(
        help: ArgumentHelp(
            "When to pause: other, automotiveNavigation, fitness, otherNavigation or airborne.", valueName: "activity"))
    var activity: String?

    @Flag(help: "Never pause.")
    var noPause = false

    @Option(help: ArgumentHelp("Hold reports back until the board has moved this far.", valueName: "metres"))
    var deferDistance: Double?

    @Option(help: ArgumentHelp("Hold reports back for this time.", valueName: "seconds"))
    var deferTimeout: Double?

    @Option(help: ArgumentHelp("The name under which a later command finds reports held back.", valueName: "name"))
    var label: String?

    func validate() throws {
        if let accuracy, !LocationOptions.isAccuracy(accuracy) {
            throw ValidationError("--accuracy must be metres from 1 to 100000, best, bestForNavigation or reduced")
        }
        try check(distanceFilter, ClientRequest.distanceRange, "--distance-filter", "metres")
        try check(minimumInterval, ClientRequest.intervalRange, "--minimum-interval", "seconds")
        try check(deferDistance, ClientRequest.distanceRange, "--defer-distance", "metres")
        try check(deferTimeout, ClientRequest.intervalRange, "--defer-timeout", "seconds")
        if let activity, ActivityType(name: activity) == nil {
            let names = ActivityType.allCases.map { "\($0.name)" }.joined(separator: ", ")
            throw ValidationError("--activity must be one of \(names)")
        }
        if let label, !LocationOptions.isPlain(label) {
            throw ValidationError("--label must be at most \(ClientRequest.maximumLabelBytes) plain characters")
        }
    }

    private func check(_ value: Double?, _ range: ClosedRange<Double>, _ name: String, _ unit: String) throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError("\(name) must be \(unit) from 0 to \(Int(range.upperBound))")
    }

    private static func isAccuracy(_ text: String) -> Bool {
        ["best", "bestForNavigation", "reduced"].contains(text)
            || Double(text).map(ClientRequest.accuracyRange.contains) == true
    }

    /// Whether a label for the request is short enough and needs no escapes in a JSON string.
    private static func isPlain(_ label: String) -> Bool {
        label.utf8.count <= ClientRequest.maximumLabelBytes
            && label.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
    }

    /// The request for locations; nil if the user gave none of these options, so that epochs are requested instead.
    var request: DaemonRequest? {
        let metres = accuracy.flatMap { Double($0) }
        let request = DaemonRequest(.watch).with(.accuracy, metres).with(.accuracy, metres == nil ? accuracy : nil)
            .with(.distanceFilter, distanceFilter).with(.minimumInterval, minimumInterval)
            .with(.activityType, activity).with(.pausesAutomatically, noPause ? false : nil)
            .with(.deferral, json: deferral).with(.label, label)
        return request == DaemonRequest(.watch) ? nil : request
    }

    private var deferral: JSONValue? {
        let bounds = ["distance": deferDistance, "timeout": deferTimeout].compactMapValues { $0.map(JSONValue.number) }
        return bounds.isEmpty ? nil : .object(bounds)
    }
}
