import Hardware
import Testing

@Suite("ChipError") struct ChipErrorTests {
    private static let place = ChipAddress(bus: "/dev/i2c-1", address: I2CAddress(0x1E))

    @Test(arguments: [
        (
            ChipError.notReady(chip: "lis3mdl", at: place),
            "/dev/i2c-1, address 0x1e: the lis3mdl gave no measurement in time; check its supply, or name the chip that "
                + "it is"
        ),
        (
            .wasReset(chip: "lis3mdl", at: place),
            "/dev/i2c-1, address 0x1e: the lis3mdl lost its configuration; check its supply"
        ),
        (
            .wrongIdentity(chip: "lis3mdl", register: 0x0F, expected: 0x3D, found: 0xA0, at: place),
            "/dev/i2c-1, address 0x1e: this is no lis3mdl, for its register 0x0f holds 0xa0 and not 0x3d; name the chip "
                + "that is there"
        ),
        (
            .badTrim(chip: "bmm150", at: place),
            "/dev/i2c-1, address 0x1e: the factory trim of the bmm150 cannot be read; check the wiring, or replace the "
                + "chip"
        ),
        (.wasReset(chip: "lis3mdl"), "the lis3mdl lost its configuration; check its supply"),
    ])
    func `the message names the bus, the chip, the problem and the remedy in one sentence`(
        error: ChipError, text: String
    ) {
        #expect(error.description == text)
    }

    @Test func `errors are equal if their kind and chip are, whatever their bus and address`() {
        let error = ChipError.notReady(chip: "lis3mdl", at: Self.place)
        #expect(error == .notReady(chip: "lis3mdl"))
        #expect(error != .notReady(chip: "lis2mdl", at: Self.place))
        #expect(error != .wasReset(chip: "lis3mdl", at: Self.place))
        let identity = ChipError.wrongIdentity(chip: "lis3mdl", register: 1, expected: 2, found: 3)
        #expect(identity != .wrongIdentity(chip: "lis3mdl", register: 1, expected: 2, found: 4))
    }
}
