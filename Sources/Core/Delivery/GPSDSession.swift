internal import GPSDProtocol

/// What one gpsd client has asked for with WATCH.
struct GPSDSession: Sendable, Equatable {
    private(set) var policy = GPSDPolicy()

    init() {}

    var isWatching: Bool { policy.enable == true }
    var wantsReports: Bool { policy.enable == true && policy.json == true }
    var wantsNMEA: Bool { policy.enable == true && policy.nmea == true }
    /// The form of raw data, as in gpsd's member `raw`: 0 none, 1 hexadecimal, 2 as received.
    var raw: Int { policy.enable == true ? policy.raw ?? 0 : 0 }

    /// Applies the members that a WATCH request contains.
    ///
    /// As in gpsd, `enable` is true where the request omits it; a client that enables no particular form gets JSON.
    mutating func watch(_ request: GPSDPolicy) {
        guard request.enable != false else {
            policy = GPSDPolicy()
            return
        }
        policy.enable = true
        policy.json = request.json ?? policy.json
        policy.nmea = request.nmea ?? policy.nmea
        policy.raw = request.raw ?? policy.raw
        policy.scaled = request.scaled ?? policy.scaled
        policy.timing = request.timing ?? policy.timing
        policy.split24 = request.split24 ?? policy.split24
        policy.pps = request.pps ?? policy.pps
        policy.device = request.device ?? policy.device
        if policy.json == nil, policy.nmea == nil, policy.raw == nil { policy.json = true }
    }

    /// Whether the client wants JSON reports about the device `path`.
    func reports(_ path: String) -> Bool { wantsReports && concerns(path) }

    /// Whether the client wants the offset of the host's clock from the time of the device `path`.
    ///
    /// As in gpsd, `pps` is enough: gpsmon asks for it together with raw data and without JSON.
    func reportsTime(_ path: String) -> Bool { isWatching && policy.pps == true && concerns(path) }

    /// Whether the client's WATCH covers the device `path`: it names this device or none.
    func concerns(_ path: String) -> Bool { policy.device == nil || policy.device == path }
}
