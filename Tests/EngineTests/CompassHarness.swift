import ClientProtocol
import Magnetism
import Parts
import SextantJSON
import SextantUnits

@testable import Access
@testable import Engine

/// An Engine with a compass that lies level in the Earth's field, and is turned and disturbed as told.
struct CompassHarness: ~Copyable {
    var harness: Harness
    /// From magnetic north; degrees.
    var heading = 0.0
    /// What a magnet adds, in the device's frame; microtesla.
    var disturbance = SIMD3<Double>()
    /// Whether the chips answer.
    var isThere = true
    /// Whether their samples fail.
    var fails = false
    /// Whether it hangs: nothing is answered at all.
    var hangs = false
    /// Lines to clients, in order.
    private(set) var lines: [(client: UInt32, text: String)] = []
    private(set) var sampleCount = 0
    private(set) var findCount = 0
    private(set) var stored: [DurableChange] = []
    private(set) var logged: [Notice] = []

    /// The accelerometer lies upside down, its x axis as the device's.
    static let chips = CompassChips(
        magnetometer: "lis3mdl", accelerometer: "lis3dh",
        accelerometerMounting: (try? Mounting(x: .right, y: .backward)) ?? .aligned, busAddress: "i2c-1 at 0x1C")
    static let calibration = CompassCalibration(
        reach: .spatial, offset: .zero, matrix: .identity, norm: 48.6, residual: 0.3, levelHeadingError: 0.5,
        tiltedHeadingError: 0.5)

    /// - Parameter hasCompass: Whether the board's file says so.
    init(hasCompass: Bool = true, isThere: Bool = true, isCalibrated: Bool = true, board: String = "bench") {
        harness = Harness(hasCompass: hasCompass, board: board)
        self.isThere = isThere
        give(.clientConnected(ClientID(rawValue: 9), .local, PeerIdentity(userID: 0)))
        if hasCompass { answerSearch() }
        if isCalibrated { ask(.operator(.compass(.calibrate(Self.calibration, magnetometer: nil))), of: 9) }
        lines = []
        stored = []
        logged = []
    }

    var now: Double { Double(harness.now.nanoseconds) * 1e-9 }

    mutating func connect(_ client: UInt32) {
        give(.clientConnected(ClientID(rawValue: client), .local, PeerIdentity(userID: 1000 + client)))
    }

    mutating func ask(_ kind: ClientRequest.Kind, of client: UInt32 = 1, session: UInt8 = 0, id: String? = nil) {
        give(ClientRequest(kind, id: id, session: session), from: ClientID(rawValue: client))
    }

    mutating func give(_ input: Input) {
        harness.give(input)
        carryOut()
    }

    mutating func give(_ request: ClientRequest, from client: ClientID) {
        harness.give(request, from: client)
        carryOut()
    }

    /// Lets time pass; whatever the Engine asks for meanwhile is answered.
    mutating func run(seconds: Double) {
        let end = now + seconds
        while let wake = harness.wake, Double(wake) * 1e-9 <= end {
            harness.now = max(harness.now, MonotonicInstant(nanoseconds: wake))
            give(.timePassed)
        }
        harness.now = MonotonicInstant(nanoseconds: Int64((end * 1e9).rounded()))
    }

    /// Gives one epoch of the receiver's, a number of seconds after noon.
    mutating func give(epoch second: Int, latitude: String = "4722.61335") {
        harness.give(bytes: Harness.epoch(second, latitude: latitude), at: Double(second))
        carryOut()
    }

    private mutating func carryOut() {
        var orders: [Action] = []
        for action in harness.outputs.actions {
            switch action {
            case .send(let client, let range):
                let text = harness.outputs.text.string(range)
                for line in text.split(separator: "\n") { lines.append((client.rawValue, String(line))) }
            case .findCompass, .sampleCompass: orders.append(action)
            case .store(let change): stored.append(change)
            case .log(let notice): logged.append(notice)
            default: break
            }
        }
        for order in orders { answer(order) }
    }

    private mutating func answer(_ order: Action) {
        if order == .findCompass { findCount += 1 } else { sampleCount += 1 }
        guard !hangs else { return }
        if order == .findCompass { return answerSearch() }
        give(fails ? .compassFailed(detail: "nobody acknowledges at 0x1C") : .compassSampled(sample))
    }

    private mutating func answerSearch() {
        give(isThere ? .compassFound(Self.chips) : .compassAbsent(detail: "no device answers at 0x1C"))
    }

    private var sample: CompassSample {
        let (sine, cosine) = Trigonometry.sineAndCosine(heading / Trigonometry.degreesPerRadian)
        let field = SIMD3(-21.6 * sine, 21.6 * cosine, -43.5) + disturbance
        return CompassSample(instant: harness.now, field: field, acceleration: SIMD3(0, 0, -9.81))
    }

    /// The lines to a client of an event since they were last taken.
    mutating func take(_ event: String? = nil, of client: UInt32 = 1) -> [String] {
        let taken = lines.filter { line in
            line.client == client && event.map { line.text.hasPrefix("{\"event\":\"\($0)\"") } ?? true
        }
        lines = []
        return taken.map(\.text)
    }

    /// The names of the events to a client since they were last taken, the same in a row once.
    mutating func takeEvents(of client: UInt32 = 1) -> [String] {
        var events: [String] = []
        for line in take(of: client) {
            let event = String(line.dropFirst("{\"event\":\"".count).prefix { $0 != "\"" })
            if events.last != event { events.append(event) }
        }
        return events
    }
}

/// A number among a line's members.
func number(_ member: String, in line: String) -> Double? {
    guard let range = line.firstRange(of: "\"\(member)\":") else { return nil }
    return Double(line[range.upperBound...].prefix { "-.0123456789".contains($0) })
}

/// A compass whose client 1 watches headings.
func watching(
    filter: Double? = 1, isCalibrated: Bool = true, session: UInt8 = 0, heading: Double = 0
) -> CompassHarness {
    var bench = CompassHarness(isCalibrated: isCalibrated)
    bench.heading = heading
    bench.connect(1)
    bench.ask(.watchHeading(HeadingSettings(filter: filter)), session: session)
    return bench
}

/// The magnetic headings told since.
func headings(_ bench: inout CompassHarness, _ member: String = "magneticHeading") -> [Double] {
    bench.take("heading").compactMap { number(member, in: $0) }
}

/// Whether a heading is another but for what the filter of 1 degree holds back.
func isNear(_ told: Double?, _ heading: Double) -> Bool {
    told.map { HeadingFilter.turn(from: $0, to: heading) < 1 } ?? false
}
