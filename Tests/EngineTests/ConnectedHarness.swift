import ClientProtocol
import Engine
import NMEA0183
import Parts
import Power

@testable import Access

let one = ClientID(rawValue: 1)
let two = ClientID(rawValue: 2)

/// A harness with a client that has been greeted, and whose receiver's order is learned: the last epoch is of 3 s.
func connected() -> Harness {
    var harness = Harness()
    harness.give(.clientConnected(one, .local, PeerIdentity(userID: 1000)))
    harness.warmUp()
    return harness
}

extension Harness {
    mutating func ask(_ kind: ClientRequest.Kind, id: String? = nil, of client: ClientID = one) {
        give(ClientRequest(kind, id: id), from: client)
    }

    mutating func watch(_ settings: LocationSettings, label: String = "", id: String? = nil) {
        ask(.watchLocations(settings, label: label), id: id)
    }

    /// The events of the lines that the last input sent to client 1, in order.
    var events: [String] {
        sent(to: 1).split(separator: "\n").map { line in
            String(line.dropFirst("{\"event\":\"".count).prefix { $0 != "\"" })
        }
    }

    mutating func give(epoch second: Int) { give(bytes: Harness.epoch(second % 60), at: Double(second)) }

    /// One epoch of a way north that began in the third second: 9.26 m, 5 thousandths of a minute, each.
    mutating func ride(epoch second: Int) {
        let minutes = 22_613 + 5 * (second - 3)
        let latitude = "47\(minutes / 1000).\(padded(minutes % 1000))"
        give(bytes: Harness.epoch(second % 60, latitude: latitude, motion: "18.0,0.0"), at: Double(second))
    }

    static func epoch(secondsAfterNoon seconds: Int) -> [UInt8] {
        let time = "\(12 + seconds / 3600)\(two(seconds / 60 % 60))\(two(seconds % 60)).00"
        var bytes: [UInt8] = []
        NMEAEncoder.append("GNRMC,\(time),A,4722.61335,N,00832.50181,E,1.0,90.0,201126,,,A", to: &bytes)
        NMEAEncoder.append("GNGGA,\(time),4722.61335,N,00832.50181,E,1,12,0.56,409.0,M,47.0,M,,", to: &bytes)
        return bytes
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private func padded(_ number: Int) -> String { String(repeating: "0", count: 3 - "\(number)".count) + "\(number)" }

    var sends: Int {
        outputs.actions.count { if case .send = $0 { true } else { false } }
    }
}
