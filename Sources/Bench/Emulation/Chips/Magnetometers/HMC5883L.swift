internal import Hardware

/// An emulated HMC5883L, from Honeywell's data sheet 900405 revision E.
///
/// After a read the register pointer advances from 8 to 3 and from 12 to 0; registers above 12 read 0. The data have 12
/// bits each, in the order X, Z, Y with the high byte first; beyond the range they read −4096. A read of a data
/// register or of the mode register locks the data until all six data registers are read, or the mode register or
/// register A is written. RDY rises with the first data and does not fall when they are read, so it does not tell
/// whether data are new. The first data after a change of gain still have the old gain. After power-up the chip is in
/// single mode with gain 1 and takes one measurement.
public class EmulatedHMC5883L: EmulatedRegisterChip {
    /// Whether the chip is the clone marked DA5883; the clone's status register always reads 0.
    public var hasDeadStatus = false
    /// The time of one measurement; the data sheet gives 6 ms.
    ///
    /// Unit: microseconds.
    public var conversionTime = 6000
    /// The gain code with which the running conversion was started.
    private var gain = 1
    private var readData: Set<UInt8> = []
    private var isLocked = false

    public init(scene: SensorScene) { super.init(address: I2CAddress(0x1E), scene: scene) }

    /// Counts per gauss for each gain code: `xy` for the X and Y axes, `z` for the Z axis.
    var scales: [(xy: Double, z: Double)] {
        [1370, 1090, 820, 660, 440, 390, 330, 230].map { ($0, $0) }
    }

    override func powerUp() {
        registers[0x00] = 0x10
        registers[0x01] = 0x20
        registers[0x02] = 0x01
        registers.replaceSubrange(0x0A...0x0C, with: [0x48, 0x34, 0x33])
        gain = 1
        unlock()
        remaining = conversionTime
    }

    override func following(_ register: UInt8) -> UInt8 {
        switch register {
        case 8: 3
        case 12...: 0
        default: register + 1
        }
    }

    override func value(of register: UInt8) -> UInt8 {
        switch register {
        case 0x09: hasDeadStatus ? 0 : registers[9] | (isLocked ? 2 : 0)
        case 0x00...0x0C: registers[Int(register)]
        default: 0
        }
    }

    override func wasRead(_ register: UInt8) {
        if register == 0x02 { isLocked = true }
        guard (3...8).contains(register) else { return }
        isLocked = true
        readData.insert(register)
        if readData.count == 6 { unlock() }
    }

    override func accept(_ value: UInt8, in register: UInt8) {
        switch register {
        case 0x00:
            registers[0] = acceptedA(value)
            unlock()
        case 0x01: registers[1] = value & 0xE0
        case 0x02:
            registers[2] = value & 0x03
            unlock()
            remaining = value & 0x02 == 0 ? conversionTime : nil
        default: return
        }
    }

    /// The value that register A holds after a write: bit 7 stays 0.
    func acceptedA(_ value: UInt8) -> UInt8 { value & 0x7F }

    override func conversionEnded() {
        let code = gain
        gain = Int(registers[1] >> 5)
        if registers[2] & 0x03 == 1 { registers[2] = 0x02 } else { remaining = period }
        guard !isLocked else { return }
        let gauss = scene.field() / 100
        store(gauss.x * scales[code].xy, at: 3)
        store(gauss.z * scales[code].z, at: 5)
        store(gauss.y * scales[code].xy, at: 7)
        registers[9] |= 1
    }

    private var period: Int {
        let hertz = [0.75, 1.5, 3, 7.5, 15, 30, 75, 75]
        return Int(1e6 / hertz[Int(registers[0] >> 2 & 7)])
    }

    private func store(_ counts: Double, at register: UInt8) {
        let rounded = counts.rounded()
        storeBigEndian((-2048...2047).contains(rounded) ? Int(rounded) : -4096, at: register)
    }

    private func unlock() {
        readData = []
        isLocked = false
    }
}
