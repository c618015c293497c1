import Boards
import Hardware
import Receivers
import Testing

@Suite("Board")
struct BoardTests {
    private func board(_ model: ReceiverModel, backup: BackupSupply, hasSwitch: Bool) -> Board {
        let enable = BoardLine(name: "GPIO17", activeLow: false, safe: .inactive, bias: .asIs)
        return Board(
            name: "bench",
            receiver: BoardReceiver(
                model: model, device: "/dev/serial0", baud: nil, supplyVolts: 3.3, draw: model.powerDraw),
            lines: hasSwitch ? [.powerEnable: enable] : [:], backup: backup, motion: nil, host: HostModel.zero2W.power,
            batteryWattHours: nil)
    }

    @Test func `a switched supply adds ways to rest to the receiver's own`() {
        func kinds(_ model: ReceiverModel, _ backup: BackupSupply) -> Set<SleepKind> {
            board(model, backup: backup, hasSwitch: true).sleepKinds
        }
        #expect(kinds(.neoM8N, .battery) == [.cyclic, .software, .hardware])
        #expect(kinds(.neoM8N, .none) == [.cyclic, .software, .cut])
        #expect(kinds(.neoM8N, .hostLine) == [.cyclic, .software, .hardware, .cut])
        #expect(kinds(.generic, .none) == [.cut])
    }

    @Test func `without a switch the receiver rests in its own ways alone`() {
        #expect(board(.neoM8N, backup: .battery, hasSwitch: false).sleepKinds == [.cyclic, .software])
        #expect(board(.generic, backup: .none, hasSwitch: false).sleepKinds == [])
    }

    @Test func `every role has a key of its own`() {
        #expect(Set(LineRole.allCases.map(\.key)).count == LineRole.allCases.count)
        #expect(
            LineRole.allCases.filter(\.isOutput).map(\.key)
                == ["powerEnable", "backupSupply", "reset", "wake", "indicator"])
    }

    @Test(arguments: [("zero-2w", 600.0), ("zero-2w-trimmed", 375), ("3a+", 1100), ("4b", 2700), ("cm4", 2000)])
    func `a host is known by its name`(name: String, idle: Double) throws {
        let host = try #require(HostModel(rawValue: name))
        #expect(host.power == HostPower(idleMilliwatts: idle, wakeMillijoules: 0.6))
    }
}
