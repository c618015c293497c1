internal import Hardware

/// The register file that the LIS3DH, the LSM303AGR's accelerometer and the LSM303DLHC's share.
///
/// Source: ST DocID17530, AN3308, DocID018771. ±2 g, high resolution: 12 bits at the left of 16, 1 mg each. From
/// power-down the output is settled after 7 samples, which are 17.5 ms at 400 Hz; that is why single measurements are
/// taken at 400 Hz.
struct LIS3DHRegisterFile: Sendable {
    enum Register: UInt8 {
        case identity = 0x0F
        case control1 = 0x20
        case control2 = 0x21
        case control3 = 0x22
        case control4 = 0x23
        case control5 = 0x24
        case control6 = 0x25
        case reference = 0x26
        case status = 0x27
        case interruptConfiguration = 0x30
        case interruptThreshold = 0x32
        case interruptDuration = 0x33
        /// Bit 7 of a sub-address: the pointer moves on.
        static let row: UInt8 = 0x80
    }

    /// Control register 1: the rate in bits 7 to 4, the axes in 2 to 0.
    enum Control1 {
        static let powerDown: UInt8 = 0x00
        static let hertz10: UInt8 = 0x27
        static let hertz400: UInt8 = 0x77
    }

    /// Control register 4: block update in bit 7, the range in 5 and 4, high resolution in 3.
    enum Control4 {
        static let highResolution: UInt8 = 0x88
    }

    static let standardGravity = 9.80665
    /// Unit: microseconds.
    static let settlingTime = 20_000

    let chip: String
    let address: I2CAddress
    private var isWatching = false

    init(chip: String, address: I2CAddress) {
        self.chip = chip
        self.address = address
    }

    mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        isWatching = false
        try write(.interruptConfiguration, 0x00, over: &bus)
        try write(.control1, Control1.powerDown, over: &bus)
        try write(.control2, 0x00, over: &bus)
        try write(.control3, 0x00, over: &bus)
        try write(.control4, Control4.highResolution, over: &bus)
        try write(.control5, 0x00, over: &bus)
        // The pin is high for motion.
        try write(.control6, 0x00, over: &bus)
    }

    mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        // What is there from before must not count as new.
        _ = try data(over: &bus)
        if isWatching { return 110_000 }
        try write(.control1, Control1.hertz400, over: &bus)
        return Self.settlingTime
    }

    mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> SIMD3<Double> {
        let control = try bus.readRegisters(4, from: Register.control1.rawValue | Register.row, at: address)
        guard control[0] == (isWatching ? Control1.hertz10 : Control1.hertz400), control[3] == Control4.highResolution
        else { throw .wasReset(chip: chip, at: bus.place(address)) }
        for _ in 0..<5 {
            let row = try data(over: &bus)
            if row[0] & 0x08 != 0 {
                if !isWatching { try write(.control1, Control1.powerDown, over: &bus) }
                return acceleration(row)
            }
            bus.wait(microseconds: isWatching ? 25_000 : 2500)
        }
        throw .notReady(chip: chip, at: bus.place(address))
    }

    /// The high-pass filter takes gravity away; a magnitude over the threshold on any axis, for the duration, raises the
    /// pin INT1.
    ///
    /// The pin follows the motion and is not latched: a latched one would wait for a read over the bus. 10 Hz; the
    /// filter's corner is a fiftieth of that. The threshold's step at ±2 g is 16 mg, the duration's 0.1 s.
    mutating func watchMotion(
        _ threshold: MotionThreshold, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try configure(over: &bus)
        try write(.control2, 0x01, over: &bus)
        try write(.control3, 0x40, over: &bus)
        let steps = threshold.acceleration / Self.standardGravity / 0.016
        try write(.interruptThreshold, max(1, sevenBits(steps)), over: &bus)
        try write(.interruptDuration, sevenBits(threshold.duration * 10), over: &bus)
        // Settled first at a high rate: before that the filter would be set to what is not there.
        try write(.control1, Control1.hertz400, over: &bus)
        bus.wait(microseconds: Self.settlingTime)
        try write(.control1, Control1.hertz10, over: &bus)
        _ = try bus.readRegister(Register.reference.rawValue, at: address)
        // Any of the three axes, over the threshold.
        try write(.interruptConfiguration, 0x2A, over: &bus)
        isWatching = true
    }

    private func sevenBits(_ value: Double) -> UInt8 { value.isNaN ? 0 : UInt8(min(max(value.rounded(), 0), 127)) }

    /// The status and the data.
    private func data(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> RegisterBytes {
        try bus.readRegisters(7, from: Register.status.rawValue | Register.row, at: address)
    }

    private func acceleration(_ row: RegisterBytes) -> SIMD3<Double> {
        let milligravities = SIMD3(
            Double(row.signedLittleEndian(at: 1) >> 4), Double(row.signedLittleEndian(at: 3) >> 4),
            Double(row.signedLittleEndian(at: 5) >> 4))
        return milligravities * (Self.standardGravity / 1000)
    }

    private func write(
        _ register: Register, _ value: UInt8, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try bus.writeRegister(register.rawValue, value, at: address)
    }
}
