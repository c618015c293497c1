internal import ClientVocabulary
internal import SextantUnits

enum OperatorRequestDecoder {
    /// - Returns: Nil if no request of an operator has this name.
    static func kind(_ name: RequestName, _ request: inout RequestMembers) throws(ClientRequestError)
        -> OperatorRequest?
    {
        switch name {
        case .clients: .clients
        case .answer:
            .answer(
                client: try client(&request),
                try request.word(.answer, of: OperatorAnswer.allCases),
                reducesAccuracy: try request.word(.accuracy, of: AccuracyAuthorization.allCases).map { $0 == .reduced },
                mayBeWoken: try request.bool(.wake))
        case .services: .services(isEnabled: try request.bool(.enabled))
        case .agent: .agent(isEnabled: try request.bool(.enabled) ?? true)
        case .privacy:
            .privacy(client: try request.text(.client, maximumBytes: ClientRequest.maximumIdentifierBytes))
        case .history: .track(try track(&request))
        case .eraseHistory: .track(.erase)
        case .visits:
            .visits(
                .list(
                    before: try request.integer(.before, in: 0...(1 << 53)),
                    limit: try request.integer(.limit, in: 0...UInt64(VisitRequest.maximumVisits)).map { Int($0) }
                        ?? VisitRequest.maximumVisits))
        case .eraseVisits: .visits(.erase)
        case .regions:
            .regions(
                isEnabled: try request.bool(.enabled) ?? true,
                offset: try request.integer(.offset, in: 0...(1 << 31)).map { Int(clamping: $0) } ?? 0)
        case .compassStatus: .compass(.status)
        case .watchCompass: .compass(.watch(isEnabled: try request.bool(.enabled) ?? true))
        case .setCompassCalibration:
            .compass(
                .calibrate(
                    try HeadingRequestDecoder.calibration(&request),
                    magnetometer: try request.text(.magnetometer, maximumBytes: ClientRequest.maximumIdentifierBytes)))
        case .eraseCompassCalibration: .compass(.eraseCalibration)
        case .keepHostAwake:
            .host(
                .keepAwake(
                    seconds: try request.number(.seconds, in: ClientRequest.intervalRange, "seconds")
                        ?? ClientRequest.intervalRange.upperBound))
        case .allowHostSleep: .host(.allowSleep)
        case .tryHostSleep: .host(.trySleep)
        case .erase:
            .erase(
                client: try client(&request),
                try request.word(.what, of: OperatorRequest.Stored.allCases) ?? .all)
        default: nil
        }
    }

    private static func track(_ request: inout RequestMembers) throws(ClientRequestError) -> TrackRequest {
        // The accepted Unix times in seconds, which are those that fit into a 64-bit count of nanoseconds.
        let times = -9_000_000_000.0...9_000_000_000.0
        let from = try request.number(.from, in: times, "Unix seconds")
        let to = try request.number(.to, in: times, "Unix seconds")
        let limit = try request.integer(.limit, in: 0...UInt64(TrackRequest.maximumPoints))
        return .read(
            from: UTCInstant(nanoseconds: from.map { Int64(saturating: $0 * 1e9) } ?? .min),
            to: UTCInstant(nanoseconds: to.map { Int64(saturating: $0 * 1e9) } ?? .max),
            limit: limit.map { Int($0) } ?? TrackRequest.maximumPoints, newest: try request.bool(.newest) ?? false)
    }

    private static func client(_ request: inout RequestMembers) throws(ClientRequestError) -> String {
        try request.needed(.client, maximumBytes: ClientRequest.maximumIdentifierBytes)
    }
}
