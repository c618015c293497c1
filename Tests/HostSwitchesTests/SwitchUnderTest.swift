import Emulation
import Hardware
import HostSleep
import HostSwitches
import SextantUnits
import Testing

/// One switch on an I2C bus: how its emulated chip is made, how the host stops, and its registers.
struct SwitchUnderTest: Sendable, CustomTestStringConvertible {
    var model: HostSwitchModel
    var make: @Sendable (UTCInstant) -> EmulatedHostSwitch
    /// The registers of the maker's map on which the way back depends, all of which the driver writes and reads.
    var written: [UInt8]
    /// Those that the driver only reads, or only writes.
    var others: [UInt8]
    /// What the host's halt does to the switch after `cut`.
    var stop: @Sendable (EmulatedHostSwitch) -> Void = { _ in }

    var testDescription: String { model.rawValue }

    /// The longest second way back that an hour-long sleep needs; nil where there is none.
    var backstop: Double? { model.traits.backstop?.seconds(atLeast: 3900) }

    static let all = [
        SwitchUnderTest(
            model: .pijuice, make: { EmulatedPiJuice(at: $0) }, written: [0x61, 0xB0, 0xB9, 0xC2],
            others: [0x40, 0x41, 0x44, 0x49, 0x62, 0x63, 0xFD]),
        SwitchUnderTest(
            model: .wittyPi4, make: { EmulatedWittyPi4(at: $0) },
            written: [27, 28, 29, 30, 32, 33, 34, 35, 48, 49, 58, 59, 60, 61, 62, 63, 64],
            others: [0, 1, 2, 11, 12, 19, 21, 22, 39, 40],
            stop: { chip in
                let chip = chip as? EmulatedWittyPi4
                chip?.pulseSystemUp()
                chip?.setTransmit(high: false)
            }),
        SwitchUnderTest(
            model: .wittyPi5, make: { EmulatedWittyPi5(at: $0) },
            written: [0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x5E],
            others: [0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0E, 0x0F, 0x12, 0x2C, 0x16, 0x17, 0x47]),
        SwitchUnderTest(
            model: .piSugar3, make: { EmulatedPiSugar3(at: $0) },
            written: [0x02, 0x31, 0x32, 0x33, 0x35, 0x36, 0x37, 0x40, 0x44, 0x45, 0x46, 0x47],
            others: [0x09, 0x0B, 0x22, 0x23, 0x2A, 0xE2]),
        SwitchUnderTest(
            model: .lifepo4wered, make: { EmulatedLiFePO4wered(at: $0) }, written: [0x26, 0x28, 0x2C],
            others: [0x00, 0x0A, 0x0C, 0x10, 0x20, 0x22, 0x31, 0x32, 0x36],
            stop: { ($0 as? EmulatedLiFePO4wered)?.hostFallsSilent() }),
        SwitchUnderTest(
            model: .latch, make: { EmulatedLatch(at: $0) },
            written: [0x00, 0x01, 0x02, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0E, 0x0F], others: [],
            stop: { ($0 as? EmulatedLatch)?.halt() }),
    ]
}

/// A switch on a bus with its driver, as the host sees it.
final class SwitchRig {
    let chip: EmulatedHostSwitch
    let driver: any HostSwitchChip
    var bus: EmulatedBus
    private let stop: @Sendable (EmulatedHostSwitch) -> Void

    init(_ under: SwitchUnderTest, at now: UTCInstant) throws {
        chip = under.make(now)
        driver = try #require(HostSwitchCatalogue.chip(under.model))
        bus = EmulatedBus(chips: [chip])
        stop = under.stop
    }

    func arm(_ order: SwitchOrder) throws { try driver.arm(order, over: &bus) }
    func reading() throws -> SwitchReading { try driver.reading(over: &bus) }
    func fault(_ order: SwitchOrder) throws -> SwitchFault? { order.fault(in: try reading(), at: chip.clock.instant) }

    /// The host stops, and its supply is cut.
    func sleep() throws {
        try driver.cut(after: 10, over: &bus)
        stop(chip)
        chip.pass(seconds: 12)
    }

    /// Lets time pass until the switch's clock is this many seconds from an instant.
    func pass(until instant: UTCInstant, plus seconds: Int = 0) {
        chip.pass(seconds: Int(instant.nanoseconds(since: chip.clock.instant) / 1_000_000_000) + seconds)
    }
}

extension UTCInstant {
    /// An instant written as ISO 8601 says.
    static func at(_ text: String) throws -> UTCInstant { try #require(UTCInstant(iso8601: text)) }

    func plus(_ seconds: Int) -> UTCInstant { advanced(byNanoseconds: Int64(seconds) * 1_000_000_000) }
}
