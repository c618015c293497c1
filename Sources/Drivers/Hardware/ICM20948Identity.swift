/// The identity check of an ICM-20948, for its accelerometer and for the magnetometer in its package.
///
/// The chip's registers are in four banks, and bank 0 holds the identity. A program that ended between two writes can
/// have left another bank selected: the check then selects bank 0, and selects the former bank again if the chip is no
/// ICM-20948. On an MPU-6500 or MPU-9250, the register at the identity's address holds a gyroscope self-test value,
/// which can equal the identity by chance. Therefore the bank register must show bank 0, and the register that holds an
/// MPU's identity must hold none. Source: InvenSense, DS-000189 revision 1.3, chapters 7 to 11; RM-MPU-9250A-00
/// revision 1.6, registers 0 and 117.
public enum ICM20948Identity {
    private static let whoAmI: UInt8 = 0x00
    private static let identity: UInt8 = 0xEA
    /// REG_BANK_SEL, in every bank: the bank in bits 5:4.
    private static let bankSelection: UInt8 = 0x7F
    private static let banks: UInt8 = 0x30
    /// WHO_AM_I of the MPUs, an address without a register on the ICM-20948.
    private static let whoAmIOfMPU: UInt8 = 0x75
    private static let identitiesOfMPUs: [UInt8] = [0x68, 0x70, 0x71, 0x73]

    /// Throws `wrongIdentity` if the chip is no ICM-20948; otherwise bank 0 is selected on return.
    public static func check(
        as chip: String, at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        let bank = try bus.readRegister(bankSelection, at: address)
        guard bank & banks != 0, bank & ~banks == 0 else {
            return try checkInBank0(as: chip, at: address, over: &bus)
        }
        try bus.writeRegister(bankSelection, 0, at: address)
        do {
            try checkInBank0(as: chip, at: address, over: &bus)
        } catch {
            try bus.writeRegister(bankSelection, bank, at: address)
            throw error
        }
    }

    private static func checkInBank0(
        as chip: String, at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        for (register, expected) in [(whoAmI, identity), (bankSelection, 0)] {
            let found = try bus.readRegister(register, at: address)
            guard found == expected else {
                throw .wrongIdentity(
                    chip: chip, register: register, expected: expected, found: found, at: bus.chip(address))
            }
        }
        let found = try bus.readRegister(whoAmIOfMPU, at: address)
        guard !identitiesOfMPUs.contains(found) else {
            throw .wrongIdentity(chip: chip, register: whoAmIOfMPU, expected: 0, found: found, at: bus.chip(address))
        }
    }
}
