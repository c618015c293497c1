import Receivers
import SextantReactor
import SextantUnits
import Testing

@testable import Tracker

@Suite("Orders for the receiver's port")
final class PortOrdersTests {
    private final class Refusals {
        var texts: [String] = []
    }

    private let hardware: FakeHardware
    private let port: FakePort
    private let refusals = Refusals()
    private var orders: PortOrders

    init() {
        hardware = FakeHardware(clock: DrivenClock(utc: UTCInstant(nanoseconds: 0), isSynchronized: false))
        port = FakePort(hardware)
        orders = PortOrders(device: "/dev/gnss", baud: 9600) { [refusals] in refusals.texts.append($0.description) }
    }

    private func at(_ milliseconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(milliseconds * 1e6))
    }

    /// Milliseconds, rounded to microseconds.
    private var wake: Double? { orders.wake.map { Double($0.nanoseconds / 1000) / 1000 } }

    @Test func `a rate is changed at once when nothing was written before`() throws {
        try orders.give(.setBaud(38_400), to: port, at: at(0))
        #expect(hardware.list == [.rate(38_400), .discarded] && orders.wake == nil && !orders.changesRate)
    }

    @Test func `a change of rate waits for earlier bytes, and later bytes wait for it`() throws {
        try orders.give(.transmit([1, 2, 3]), to: port, at: at(0))
        try orders.give(.transmit([4]), to: port, at: at(0))
        try orders.give(.setBaud(38_400), to: port, at: at(0))
        try orders.give(.transmit([5]), to: port, at: at(1))
        #expect(hardware.list == [.wrote([1, 2, 3]), .wrote([4])] && orders.changesRate)
        // Four bytes and one that the UART shifts out are 50 bits of 9600 a second.
        #expect(wake == 5.208)
        try orders.carryOn(with: port, at: at(5.2))
        #expect(hardware.list.count == 2 && wake == 5.208)
        try orders.carryOn(with: port, at: at(5.21))
        #expect(hardware.list.dropFirst(2) == [.rate(38_400), .discarded, .wrote([5])])
        #expect(orders.wake == nil && !orders.changesRate)
    }

    @Test func `a change of rate does not wait for bytes that left long ago`() throws {
        try orders.give(.transmit([UInt8](repeating: 0, count: 960)), to: port, at: at(0))
        try orders.give(.setBaud(115_200), to: port, at: at(1002))
        #expect(hardware.list.dropFirst() == [.rate(115_200), .discarded])
    }

    @Test func `the transmitter goes low after earlier bytes, and is released before later ones`() throws {
        try orders.give(.transmit([1]), to: port, at: at(0))
        try orders.give(.holdTransmitterLow(true), to: port, at: at(0))
        try orders.give(.holdTransmitterLow(false), to: port, at: at(0))
        try orders.give(.transmit([2]), to: port, at: at(0))
        #expect(hardware.list == [.wrote([1])] && !orders.changesRate)
        try orders.carryOn(with: port, at: at(3))
        #expect(hardware.list.dropFirst() == [.transmitterLow(true), .transmitterLow(false), .wrote([2])])
    }

    @Test func `releasing the transmitter does not wait`() throws {
        try orders.give(.transmit([1]), to: port, at: at(0))
        try orders.give(.holdTransmitterLow(false), to: port, at: at(0))
        #expect(hardware.list == [.wrote([1]), .transmitterLow(false)])
    }

    @Test func `bytes still in the port's queue are waited for as long as their number takes`() throws {
        try orders.give(.transmit([1]), to: port, at: at(0))
        try orders.give(.setBaud(4800), to: port, at: at(0))
        port.unsentByteCount = 95
        try orders.carryOn(with: port, at: at(10))
        #expect(wake == 110 && hardware.list.count == 1)
        port.unsentByteCount = 0
        try orders.carryOn(with: port, at: at(110.001))
        #expect(hardware.list.dropFirst() == [.rate(4800), .discarded])
    }

    @Test func `a line that takes no byte in three looks is reported as stuck`() throws {
        port.unsentByteCount = 10
        try orders.give(.setBaud(4800), to: port, at: at(0))
        var looks = 0
        let failure = #expect(throws: HardwareFailure.self) {
            while let wake = orders.wake {
                looks += 1
                try orders.carryOn(with: port, at: wake)
            }
        }
        #expect(looks == 3)
        #expect(failure?.description.hasPrefix("/dev/gnss: the line accepts no bytes for the receiver") == true)
    }

    @Test func `on a link without a rate only the port's queue is waited for`() throws {
        let terminal = FakePort(hardware, link: .terminal)
        try orders.give(.transmit([1, 2]), to: terminal, at: at(0))
        try orders.give(.setBaud(4800), to: terminal, at: at(0))
        #expect(hardware.list == [.wrote([1, 2]), .rate(4800), .discarded])
    }

    @Test func `a refused rate is reported, and the port goes on at the old rate`() throws {
        port.rateFailure = HardwareFailure("/dev/gnss: no 921600 baud")
        try orders.give(.setBaud(921_600), to: port, at: at(0))
        try orders.give(.transmit([1]), to: port, at: at(0))
        #expect(refusals.texts == ["/dev/gnss: no 921600 baud"])
        #expect(hardware.list == [.discarded, .wrote([1])])
        port.rateFailure = nil
        try orders.give(.setBaud(4800), to: port, at: at(0))
        #expect(wake == 2.083)
    }

    @Test func `a write that fails is an error`() {
        port.writeFailure = HardwareFailure("/dev/gnss: stuck")
        #expect(throws: HardwareFailure("/dev/gnss: stuck")) {
            try orders.give(.transmit([1]), to: port, at: at(0))
        }
    }

    @Test func `at most 64 KiB and 256 orders wait`() throws {
        try orders.give(.transmit([1]), to: port, at: at(0))
        try orders.give(.setBaud(4800), to: port, at: at(0))
        var full = orders
        try full.give(.transmit([UInt8](repeating: 0, count: PortOrders.maximumBytes)), to: port, at: at(0))
        #expect(throws: HardwareFailure.self) { try full.give(.transmit([1]), to: port, at: at(0)) }
        for _ in 1..<PortOrders.maximumOrders { try orders.give(.transmit([]), to: port, at: at(0)) }
        #expect(throws: HardwareFailure.self) { try orders.give(.transmit([]), to: port, at: at(0)) }
    }
}
