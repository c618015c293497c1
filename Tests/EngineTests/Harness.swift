import ClientProtocol
import GPSDProtocol
import HostSleep
import NMEA0183
import Parts
import PartsTestSupport
import Receivers
import SextantJSON
import SextantUnits
import Testing

@testable import Access
@testable import Engine

/// An Engine with a line and clients, driven by literal times.
struct Harness: ~Copyable {
    let engine: Engine
    var outputs = Turn()
    var now = MonotonicInstant(nanoseconds: 0)
    /// Where the board is: minutes of latitude beyond 47 degrees.
    var place = 22.61335

    init(
        device: String = "/dev/gnss", fixedBaud: Int? = nil, hasCompass: Bool = false,
        board: String = "bench", hostSleep: HostSleepConfiguration? = nil
    ) {
        let date = CivilDate(iso8601: "2026-11-20") ?? CivilDate(daysSince1970: 0)
        var configuration = EngineConfiguration(
            device: device, fixedBaud: fixedBaud, lastBaud: nil, now: UTCInstant(date: date, timeOfDay: 0))
        configuration.hasCompass = hasCompass
        configuration.board = board
        configuration.hostSleep = hostSleep
        engine = Engine(configuration)
        give(.started(configuration))
        give(.admission(.everyone))
        give(.deviceOpened(.uart, time: nil))
    }

    mutating func give(_ input: Input, at seconds: Double? = nil) {
        if let seconds { now = MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }
        engine.handle(input, at: now, into: &outputs)
        checkSettled()
    }

    /// A client asks something, at once or at an instant.
    mutating func give(_ request: ClientRequest, from client: ClientID, at seconds: Double? = nil) {
        if let seconds { now = MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }
        engine.handle(.success(request), of: client, at: now, into: &outputs)
        checkSettled()
    }

    /// A client of the gpsd port asks something.
    mutating func give(gpsd request: Result<GPSDRequest, GPSDRequestError>, from client: ClientID) {
        engine.handle(request, of: client, at: now, into: &outputs)
        checkSettled()
    }

    mutating func give(bytes: [UInt8], at seconds: Double) {
        now = MonotonicInstant(nanoseconds: Int64(seconds * 1e9))
        engine.handle(bytes: bytes.span, at: now, into: &outputs)
        checkSettled()
    }

    /// What parts told one another is acted on before an input ends.
    private func checkSettled() {
        if !outputs.isSettled { Issue.record("left over: \(outputs.changes), \(outputs.news)") }
    }

    /// When the Engine wants to be told that time has passed, in nanoseconds.
    var wake: Int64? { outputs.wake?.nanoseconds }

    /// What the last input sent to a client.
    func sent(to client: UInt32) -> String {
        var text = ""
        for case .send(ClientID(rawValue: client), let range) in outputs.actions {
            text += outputs.text.string(range)
        }
        return text
    }

    /// What the last input wants done but for texts.
    var deeds: [Action] {
        outputs.actions.filter { action in
            switch action {
            case .send, .hold: false
            default: true
            }
        }
    }

    /// The bytes of one epoch: RMC and GGA of so many seconds after noon.
    ///
    /// - Parameter motion: Knots, and degrees from true north.
    static func epoch(
        _ second: Int, latitude: String = "4722.61335", motion: String = "1.0,90.0", valid: Bool = true
    ) -> [UInt8] {
        let parts = [12 + second / 3600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let time = parts.joined() + ".00"
        var bytes: [UInt8] = []
        if valid {
            NMEAEncoder.append("GNRMC,\(time),A,\(latitude),N,00832.50181,E,\(motion),201126,,,A", to: &bytes)
            NMEAEncoder.append("GNGGA,\(time),\(latitude),N,00832.50181,E,1,12,0.56,409.0,M,47.0,M,,", to: &bytes)
        } else {
            NMEAEncoder.append("GNRMC,\(time),V,,,,,,,201126,,,N", to: &bytes)
            NMEAEncoder.append("GNGGA,\(time),,,,,0,00,,,M,,M,,", to: &bytes)
        }
        return bytes
    }

    /// Gives epochs until their order is learned.
    mutating func warmUp() {
        for second in 0...3 { give(bytes: Harness.epoch(second), at: Double(second)) }
    }
}
