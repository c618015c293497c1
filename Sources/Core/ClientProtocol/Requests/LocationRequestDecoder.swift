internal import ClientVocabulary
internal import Power

enum LocationRequestDecoder {
    /// - Returns: Nil if no request for positions has this name.
    static func kind(
        _ name: RequestName, _ request: inout RequestMembers
    ) throws(ClientRequestError) -> ClientRequest.Kind? {
        switch name {
        case .watch: try watch(&request)
        case .change:
            .change(try LocationSettingsDecoder.settings(&request), try LocationSettingsDecoder.options(&request))
        case .defer:
            .defer(
                try LocationSettingsDecoder.deferral(&request),
                onlyInBackground: try request.word(.hold, of: ["always", "inBackground"]) == "inBackground")
        case .undefer: .undefer
        case .unwatch: .unwatch
        case .flush: .flush
        case .locate:
            .locate(
                timeoutSeconds: try request.number(.timeout, in: ClientRequest.timeoutRange, "seconds")
                    ?? ClientRequest.defaultTimeout,
                accuracy: try request.number(.accuracy, in: ClientRequest.accuracyRange, "metres"))
        case .locateOnce: .locateOnce(try LocationSettingsDecoder.accuracy(&request) ?? .best)
        case .release: .release
        case .status: .status
        case .watchStatus: .watchStatus(isEnabled: try request.bool(.enabled) ?? true)
        case .energy: .energy
        case .energyHistory: .energyHistory(try window(&request))
        case .ping: .ping
        default: nil
        }
    }

    private static func window(
        _ request: inout RequestMembers
    ) throws(ClientRequestError) -> EnergyLedger.HistoryWindow {
        try request.word(.window, of: EnergyLedger.HistoryWindow.allCases) ?? .hour
    }

    private static func watch(_ request: inout RequestMembers) throws(ClientRequestError) -> ClientRequest.Kind {
        guard try request.bool(.passive) != true else { return try passiveWatch(&request) }
        guard LocationSettingsDecoder.asksForLocations(request) else {
            return .watch(satellites: try request.bool(.satellites) ?? false)
        }
        var settings = try LocationSettingsDecoder.settings(&request)
        if var members = try request.object(.deferral, holding: "\"distance\" and \"timeout\", or one of them") {
            settings.deferral = try LocationSettingsDecoder.deferral(&members)
            try members.finish()
        }
        let label = try request.text(.label, maximumBytes: ClientRequest.maximumLabelBytes)
        return .watchLocations(settings, try LocationSettingsDecoder.options(&request), label: label ?? "")
    }

    /// Decodes a passive `watch` request, which never switches the receiver on; members for an accuracy or a filter are
    /// refused.
    private static func passiveWatch(
        _ request: inout RequestMembers
    ) throws(ClientRequestError) -> ClientRequest.Kind {
        let interval = try request.number(.interval, in: ClientRequest.intervalRange, "seconds")
        if let satellites = try request.bool(.satellites) {
            return .watchPassively(satellites: satellites, minimumInterval: interval)
        }
        return .watchLocations(
            LocationSettings(accuracy: .best, minimumInterval: interval, pausesAutomatically: false),
            WatchOptions(isPassive: true),
            label: "")
    }
}
