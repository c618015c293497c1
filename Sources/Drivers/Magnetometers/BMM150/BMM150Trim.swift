internal import Hardware

/// The trim values that the factory stored in a BMM150, and the conversion of raw counts to a field.
///
/// For the formula, the data sheet refers to Bosch's software. It is taken from the floating-point branch of the BMM150
/// Sensor API; the integer versions in the drivers of Linux and ArduPilot agree with it.
struct BMM150Trim: Sendable, Equatable {
    var x1 = 0
    var y1 = 0
    var x2 = 0
    var y2 = 0
    var xy1 = 0
    var xy2 = 0
    var xyz1 = 0
    var z1 = 0
    var z2 = 0
    var z3 = 0
    var z4 = 0

    init() {}

    /// Takes the trim values from the contents of registers 0x5D to 0x71.
    init(row: RegisterBytes) {
        x1 = Int(Int8(bitPattern: row[0]))
        y1 = Int(Int8(bitPattern: row[1]))
        z4 = row.signedLittleEndian(at: 5)
        x2 = Int(Int8(bitPattern: row[7]))
        y2 = Int(Int8(bitPattern: row[8]))
        z2 = row.signedLittleEndian(at: 11)
        z1 = Int(row[14]) << 8 | Int(row[13])
        xyz1 = Int(row[16] & 0x7F) << 8 | Int(row[15])
        z3 = row.signedLittleEndian(at: 17)
        xy2 = Int(Int8(bitPattern: row[19]))
        xy1 = Int(row[20])
    }

    /// Whether the formula works without a division by zero, which the contents of an empty memory would cause.
    var isPlausible: Bool { xyz1 != 0 && xyz1 != 0x7FFF && z1 != 0 && z2 != 0 && z2 != -1 }

    /// The field computed from raw counts; `resistance` is the count for the Hall plate's resistance, and 0 if it was
    /// not measured.
    ///
    /// Unit: microtesla.
    func field(x: Int, y: Int, z: Int, resistance: Int) -> SIMD3<Double> {
        let plate = Double(resistance == 0 ? xyz1 : resistance)
        let bend = Double(xyz1) * 16384 / plate - 16384
        let gain = Double(xy2) * bend * bend / 268_435_456 + bend * Double(xy1) / 16384 + 256
        let counts = SIMD3(
            Double(x) * gain * (Double(x2) + 160) / 8192 + Double(x1) * 8,
            Double(y) * gain * (Double(y2) + 160) / 8192 + Double(y1) * 8,
            (Double(z - z4) * 131_072 - Double(z3) * (plate - Double(xyz1)))
                / ((Double(z2) + Double(z1) * plate / 32768) * 4))
        return counts / 16
    }
}
