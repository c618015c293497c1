internal import Parts

/// One client's connection to the gpsd port.
struct GPSDClient {
    let id: ClientID
    var session = GPSDSession()
    /// Which locations the connection is allowed now: none, reduced or full accuracy.
    var grant = LocationGrant.none

    /// The form in which the connection gets the GNSS receiver's raw messages; nil where it gets none.
    var form: PassthroughReader.Form? {
        guard grant == .full else { return nil }
        switch session.raw {
        case 1: return .hexadecimal
        case 2: return .verbatim
        default: return session.wantsNMEA ? .sentences : nil
        }
    }
}
