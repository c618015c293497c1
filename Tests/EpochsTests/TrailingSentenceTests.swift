import Epochs
import GNSS
import SextantUnits
import Testing

@Suite("Sentences without a time belong to the epoch that they describe")
struct TrailingSentenceTests {
    /// One epoch's GSA and a sky of one satellite, both told apart from every other epoch's by a number.
    private static func active(_ tick: Int, mode: Int = 3) -> String {
        "GPGSA,A,\(mode),\(twoDigits(1 + tick % 30)),,,,,,,,,,,,\(2 + tick % 5).00,\(dilution(tick)),1.54"
    }

    private static func view(_ tick: Int) -> String { "GPGSV,1,1,01,\(twoDigits(1 + tick % 30)),38,230,44" }

    /// It changes every third epoch, as a receiver's does.
    private static func dilution(_ tick: Int) -> String { "1.\(twoDigits(10 + tick / 3))" }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

    private enum Order: CaseIterable {
        case trailing
        case trailingBehindGGA
        case between
        case leading
        case leadingViewFirst

        func epoch(_ tick: Int, step: Int) -> [String] {
            let time = clock(43_200 + tick * step / 100, tick * step % 100)
            let place = gga(time, dilution: dilution(tick))
            switch self {
            case .trailing: return [rmc(time), place, active(tick), view(tick)]
            case .trailingBehindGGA: return [place, active(tick), view(tick)]
            case .between: return [place, active(tick), view(tick), rmc(time)]
            case .leading: return [active(tick), view(tick), rmc(time), place]
            case .leadingViewFirst: return [view(tick), active(tick), vtg, rmc(time), place]
            }
        }
    }

    private func expectOwn(_ epoch: Epoch, _ tick: Int, _ what: String) {
        #expect(epoch.fix.dilution.position == Double(2 + tick % 5), "\(what), epoch \(tick)")
        #expect(epoch.satellites.map(\.id.number) == [UInt8(1 + tick % 30)], "\(what), epoch \(tick)")
        #expect(epoch.satellites.allSatisfy { $0.isUsed }, "\(what), epoch \(tick)")
    }

    @Test(arguments: Order.allCases, [100, 20, 10])
    private func `in a recording every epoch has its own GSA and sky view, also the last`(order: Order, step: Int)
        throws
    {
        var listener = Listener(source: .recording)
        for tick in 0..<30 { try listener.hear(order.epoch(tick, step: step)) }
        listener.finish()
        #expect(listener.epochs.count == 30)
        for (tick, epoch) in listener.epochs.enumerated() { expectOwn(epoch, tick, "\(order)") }
    }

    @Test(arguments: Order.allCases)
    private func `on a serial line without silences every epoch has its own GSA and sky view`(order: Order) throws {
        var listener = Listener()
        for tick in 0..<30 { try listener.hear(order.epoch(tick, step: 10)) }
        listener.finish()
        #expect(listener.epochs.count == 30)
        for (tick, epoch) in listener.epochs.enumerated() { expectOwn(epoch, tick, "\(order)") }
    }

    @Test(arguments: [Order.trailing, .trailingBehindGGA])
    private func `on a serial line an epoch that ends with GSV closes at once after it was learned`(order: Order) throws
    {
        var listener = Listener()
        for tick in 0..<10 {
            try listener.hear(order.epoch(tick, step: 10))
            #expect(listener.epochs.count == (tick < 2 ? tick : tick + 1))
        }
    }

    @Test(arguments: [EpochSource.recording, .line])
    func `a 2D GSA after GGA belongs to the same epoch`(source: EpochSource) throws {
        var listener = Listener(source: source)
        for second in 0..<8 {
            let time = clock(43_200 + second)
            let mode = second == 4 ? 2 : 3
            try listener.hear(
                rmc(time), gga(time, satellites: 3), "GPGSA,A,\(mode),01,02,03,,,,,,,,,,2.00,1.01,", Self.view(1))
        }
        listener.finish()
        let expected: [FixType] = [.threeD, .threeD, .threeD, .threeD, .twoD, .threeD, .threeD, .threeD]
        #expect(listener.epochs.map(\.fix.type) == expected)
    }

    @Test(arguments: [Order.trailing, .between])
    private func `a recording that begins inside a GSV group assigns each GSA to its own epoch`(order: Order) throws {
        var listener = Listener(source: .recording)
        try listener.hear("GPGSV,2,2,05,05,07,189,30")
        for tick in 0..<30 { try listener.hear(order.epoch(tick, step: 100)) }
        listener.finish()
        #expect(listener.epochs.count == 30)
        for (tick, epoch) in listener.epochs.enumerated() { expectOwn(epoch, tick, "\(order)") }
    }

    @Test(arguments: [Order.trailing, .leading])
    private func `the dilution of precision assigns GSA to its epoch when a recording begins inside one`(order: Order)
        throws
    {
        var listener = Listener(source: .recording)
        // What came before the first sentence with a time suggests the other order.
        try listener.hear(Array(order.epoch(0, step: 100).dropFirst(2)))
        for tick in 1..<30 { try listener.hear(order.epoch(tick, step: 100)) }
        listener.finish()
        // From where the dilution has changed for the first time.
        let first = listener.epochs.count - 25
        for tick in 5..<30 { expectOwn(listener.epochs[first + tick - 5], tick, "\(order)") }
    }

    /// Every order of the items, each once.
    private static func permutations(_ items: [[String]]) -> [[[String]]] {
        guard let first = items.first else { return [[]] }
        return permutations(Array(items.dropFirst())).flatMap { rest in
            (0...rest.count).map { place in Array(rest[..<place]) + [first] + Array(rest[place...]) }
        }
    }

    @Test(arguments: [false, true])
    func `sentences in any order give complete epochs`(isGNS: Bool) throws {
        let orders = Self.permutations([["place"], ["RMC"], ["GSA", "GSV"], ["GLL"], ["PSRF", "VTG"]])
        for order in orders {
            var listener = Listener(source: .recording)
            for tick in 0..<12 {
                let time = clock(43_200 + tick * 20 / 100, tick * 20 % 100)
                let place =
                    isGNS
                    ? "GNGNS,\(time),\(position),AAN,08,\(Self.dilution(tick)),499.6,48.0,,"
                    : gga(time, dilution: Self.dilution(tick))
                let bodies = [
                    "place": place, "RMC": rmc(time), "GLL": gll(time), "VTG": vtg, "PSRF": "PSRF151,0,0,0x12",
                    "GSA": Self.active(tick), "GSV": Self.view(tick),
                ]
                try listener.hear(order.joined().compactMap { bodies[$0] })
            }
            listener.finish()
            #expect(listener.epochs.count == 12, "\(order)")
            for (tick, epoch) in listener.epochs.enumerated() {
                expectOwn(epoch, tick, "\(order)")
                #expect(epoch.fix.type == .threeD && epoch.fix.latitude == latitude && epoch.fix.speed != nil)
                #expect(epoch.fix.altitudeAboveMeanSeaLevel == 499.6, "\(order)")
            }
        }
    }

    @Test func `a GSA does not replace a GGA's different dilution of precision`() throws {
        for isFirst in [true, false] {
            var listener = Listener(source: .recording)
            let place = gga("120000.00", dilution: "0.90")
            let other = "GPGSA,A,3,01,02,03,04,05,,,,,,,,3.10,2.50,1.80"
            try listener.hear(isFirst ? [other, place, rmc("120000.00")] : [place, other, rmc("120000.00")])
            listener.finish()
            #expect(listener.epochs.map(\.fix.dilution.horizontal) == [0.9])
            #expect(listener.epochs.map(\.fix.dilution.position) == [3.1])
        }
    }

    @Test func `the last sky view is kept when a recording ends inside a GSV group`() throws {
        var listener = Listener(source: .recording)
        try listener.hear(rmc("120000.00"), gga("120000.00"), gsa, "GLGSV,1,1,01,65,38,230,44", gsv[0])
        listener.finish()
        #expect(listener.epochs.count == 1)
        #expect(listener.epochs.first?.satellites.map(\.id) == [SatelliteID(.glonass, 1)])
    }

    @Test func `a VTG that comes first belongs to the next epoch`() throws {
        var listener = Listener(source: .recording)
        for second in 0..<6 {
            try listener.hear("GPVTG,77.52,T,,M,,N,\(second * 18).0,K,A", gsa, gga(clock(43_200 + second)))
        }
        listener.finish()
        #expect(listener.epochs.map(\.fix.speed) == [0, 5, 10, 15, 20, 25])
    }
}
