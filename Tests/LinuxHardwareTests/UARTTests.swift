import Foundation
import LinuxHardware
import SextantReactor
import Testing

/// A 16550 at the PC's second address, and its line control register (0x2F8 + 3), whose bit 6 is the break.
private enum UART {
    static let path = ProcessInfo.processInfo.environment["SEXTANT_UART"]

    static func isBreaking() throws -> Bool {
        let ports = try Descriptor(opening: "/dev/port", flags: O_RDONLY)
        var register: UInt8 = 0
        // Safety: the kernel writes one byte, which outlives the call.
        let count = ports.withRawValue { unsafe pread($0, &register, 1, 0x2FB) }
        try #require(count == 1)
        return register & 0x40 != 0
    }
}

/// Run by `scripts/check-gpio` in a guest with a real kernel.
@Suite(
    "SerialPort on a UART", .serialized,
    .enabled(if: UART.path != nil, "scripts/check-gpio runs these where there is a UART to look into"))
struct UARTTests {
    @Test(arguments: [9600, 38_400, 115_200])
    func `runs at a baud rate`(baud: Int) throws {
        let port = try SerialPort(path: try #require(UART.path), baud: baud)
        #expect(port.baud == baud)
        #expect(!port.isPseudoTerminal)
    }

    @Test func `holds the transmitter low through a change of baud rate, until released`() throws {
        let port = try SerialPort(path: try #require(UART.path), baud: 9600)
        #expect(try !UART.isBreaking())
        try port.holdTransmitterLow(true)
        #expect(try UART.isBreaking())
        try port.setBaud(38_400)
        #expect(try UART.isBreaking())
        try port.holdTransmitterLow(false)
        #expect(try !UART.isBreaking())
    }

    @Test func `releases the transmitter when it closes`() throws {
        var port: SerialPort? = try SerialPort(path: try #require(UART.path), baud: 9600)
        try port?.holdTransmitterLow(true)
        #expect(try UART.isBreaking())
        port = nil
        // Opened again, since a UART that nobody has open may not answer.
        port = try SerialPort(path: try #require(UART.path), baud: 9600)
        #expect(try !UART.isBreaking())
        withExtendedLifetime(port) {}
    }
}
