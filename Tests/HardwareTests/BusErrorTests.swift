import Hardware
import Testing

@Suite("BusError")
struct BusErrorTests {
    private static let chip = I2CAddress(0x1E)

    @Test(arguments: [
        (
            BusError(.notFound, bus: "/dev/i2c-1"),
            "/dev/i2c-1: no such I2C adapter; i2cdetect -l lists those there are"
        ),
        (
            BusError(.noAcknowledge, bus: "/dev/i2c-1", address: I2CAddress(0x0D)),
            "/dev/i2c-1, address 0x0d: no device answers; check the chip's supply, its wiring and its address"
        ),
        (
            BusError(.busy, bus: "/dev/i2c-1", address: chip),
            "/dev/i2c-1, address 0x1e: a driver of the kernel's has this chip; unbind it, or remove its overlay from "
                + "config.txt"
        ),
        (
            BusError(.busy, bus: "/dev/i2c-1", address: chip, cause: "hmc5843_i2c"),
            "/dev/i2c-1, address 0x1e: the kernel's driver hmc5843_i2c has this chip; unbind it, or remove its overlay "
                + "from config.txt"
        ),
        (
            BusError(.timeout, bus: "/dev/i2c-1", address: chip),
            "/dev/i2c-1, address 0x1e: the bus hangs; check the pull-up resistors and whether a chip holds a line down"
        ),
        (
            BusError(.gone, bus: "/dev/i2c-1"),
            "/dev/i2c-1: the bus is gone; check its plug, or what its driver says in the kernel's log"
        ),
        (BusError(.unsupported, bus: "/dev/i2c-1"), "/dev/i2c-1: the adapter cannot transfer register bytes"),
        (BusError(.other, bus: "/dev/i2c-1", errno: 71), "/dev/i2c-1: error 71"),
    ])
    func `the message names the bus, the chip, the problem and the remedy in one sentence`(
        error: BusError, text: String
    ) {
        #expect(error.description == text)
    }

    @Test func `errors are equal if their bus, address and kind are`() {
        let error = BusError(.timeout, bus: "/dev/i2c-1", address: Self.chip, errno: 110)
        #expect(error == BusError(.timeout, bus: "/dev/i2c-1", address: Self.chip, errno: 16, cause: "busy"))
        #expect(error != BusError(.timeout, bus: "/dev/i2c-1"))
        #expect(error != BusError(.timeout, bus: "/dev/i2c-3", address: Self.chip))
    }
}
