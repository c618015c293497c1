import Testing

@testable import Monitoring

@Suite("Table with one entry per client")
struct PerClientTests {
    @Test func `entries are sorted by the clients' names`() {
        var table = PerClient<Int>()
        table["b"] = 2
        table["c"] = 3
        table["a"] = 1
        #expect(table.entries.map(\.client) == ["a", "b", "c"])
        table["b"] = nil
        table["missing"] = nil
        #expect(table.entries.map(\.value) == [1, 3])
        table.change("a", initial: 0) { $0 += 10 }
        table.change("d", initial: 4) { $0 += 10 }
        #expect(table["a"] == 11 && table["d"] == 14)
    }
}
