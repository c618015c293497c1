import Power
import Receivers
import SextantUnits
import Testing

@Suite("Energy ledger's history")
struct EnergyHistoryTests {
    private func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }

    /// A ledger that began at 100 s, after so many seconds in which states, causes and clients change.
    private func ledger(after seconds: Int64) throws -> EnergyLedger {
        var ledger = EnergyLedger(try EnergyLedgerTests.model(), at: at(100))
        ledger.join(1, label: "tracker")
        ledger.join(2, label: "page")
        for second in stride(from: 0, to: seconds, by: 37) {
            let states = EnergyLedger.State.allCases
            let causes = EnergyCause.allCases
            ledger.enter(
                states[Int(second / 37) % states.count], cause: causes[Int(second / 37) % causes.count],
                clients: [1, 2].filter { second % $0 == 0 }.map { UInt32($0) }, at: at(100 + second))
            if second % 5 == 0 { ledger.hostWoke(.gpsd, clients: [2], at: at(100 + second)) }
        }
        ledger.advance(to: at(100 + seconds))
        return ledger
    }

    @Test(arguments: [0, 1, 59, 60, 61, 3599, 3600, 3661, 7261, 86_399, 86_400, 87_300, 200_001])
    func `PAGE-09: the rows of a window add up to its report, by part, cause and client, to the nanojoule`(
        seconds: Int64
    ) throws {
        let ledger = try ledger(after: seconds)
        for (history, window) in [(EnergyLedger.HistoryWindow.hour, EnergyLedger.Window.lastHour), (.day, .lastDay)] {
            let (rows, spent) = (ledger.history(of: history), ledger.spent(over: window))
            #expect(rows.reduce(0) { $0 + $1.spent.nanoseconds } == spent.nanoseconds)
            #expect(rows.reduce(0) { $0 + $1.spent.total } == spent.total)
            for state in EnergyLedger.State.allCases {
                #expect(rows.reduce(0) { $0 + $1.spent.receiver(state) } == spent.receiver(state))
            }
            for cause in EnergyCause.allCases {
                #expect(rows.reduce(0) { $0 + $1.spent.cause(cause) } == spent.cause(cause))
            }
            for client in spent.clients {
                let parts = rows.flatMap(\.spent.clients).filter { $0.label == client.label }
                #expect(parts.reduce(0) { $0 + $1.nanojoules } == client.nanojoules)
            }
            let byClient = rows.flatMap(\.spent.clients).reduce(0) { $0 + $1.nanojoules }
            #expect(byClient == rows.reduce(0) { $0 + $1.spent.caused })
        }
    }

    @Test func `a window has a row for each minute or quarter, and one for that which goes on`() throws {
        let ledger = try ledger(after: 200_001)
        let (hour, day) = (ledger.history(of: .hour), ledger.history(of: .day))
        #expect(hour.count == 61 && day.count == 97)
        #expect(hour.dropLast().allSatisfy { $0.spent.nanoseconds == 60_000_000_000 })
        #expect(day.dropLast().allSatisfy { $0.spent.nanoseconds == 900_000_000_000 })
        for rows in [hour, day] {
            for (row, next) in zip(rows, rows.dropFirst()) {
                #expect(next.began.nanoseconds(since: row.began) == Int64(row.spent.nanoseconds))
            }
            let last = try #require(rows.last)
            #expect(last.began.advanced(byNanoseconds: Int64(last.spent.nanoseconds)) == at(200_101))
        }
        let young = try self.ledger(after: 130).history(of: .hour)
        #expect(young.map(\.spent.nanoseconds) == [60_000_000_000, 60_000_000_000, 10_000_000_000])
        #expect(young.first?.began == at(100))
    }
}
