import Boards
import Receivers
import Testing

@Suite("Board")
struct BoardTests {
    @Test func `every line role has its own key`() {
        #expect(Set(LineRole.allCases.map(\.key)).count == LineRole.allCases.count)
        #expect(
            LineRole.allCases.filter(\.isOutput).map(\.key)
                == ["powerEnable", "backupSupply", "reset", "wake", "indicator"])
    }

    @Test(arguments: [("zero-2w", 600.0), ("zero-2w-trimmed", 375), ("3a+", 1100), ("4b", 2700), ("cm4", 2000)])
    func `a host model is found by its name`(name: String, idle: Double) throws {
        let host = try #require(HostModel(rawValue: name))
        #expect(host.power == HostPower(idleMilliwatts: idle, wakeMillijoules: 0.6))
    }
}
