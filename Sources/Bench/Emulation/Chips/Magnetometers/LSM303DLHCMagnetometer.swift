/// An emulated magnetometer of the LSM303DLHC, from ST's data sheet DocID018771.
///
/// The register file and the identity are the HMC5883L's; Z has a different scale from X and Y, bit 7 of register A
/// switches the thermometer on, and gain code 0 does not exist.
public final class EmulatedLSM303DLHCMagnetometer: EmulatedHMC5883L {
    override var scales: [(xy: Double, z: Double)] {
        [
            (1100, 980), (1100, 980), (855, 760), (670, 600), (450, 400), (400, 355), (330, 295), (230, 205),
        ]
    }

    override func acceptedA(_ value: UInt8) -> UInt8 { value & 0x9C }
}
