internal import Hardware

/// An emulated accelerometer of the LSM303DLHC, from ST's data sheet DocID018771: the LIS3DH's register file at 0x19.
///
/// The data sheet names no identity register; real parts answer 0x33 at 0x0F as the LIS3DH does.
public final class EmulatedLSM303DLHCAccelerometer: EmulatedLIS3DH {
    public init(scene: SensorScene) { super.init(scene: scene, address: I2CAddress(0x19)) }
}
