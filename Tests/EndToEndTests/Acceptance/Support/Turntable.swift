import Emulation
import Foundation

/// A board with a compass that lies level in the Earth's field of Zurich, and is turned and disturbed as told.
final class Turntable {
    /// From magnetic north; degrees.
    var heading = 0.0
    /// What a magnet adds, in the device's frame; microtesla.
    var disturbance = SIMD3<Double>()
    let bus = EmulatedBus()
    private let scene = SensorScene()

    init() {
        scene.field = { [unowned self] in field }
        scene.acceleration = { SIMD3(0, 0, 9.80665) }
        bus.chips = [EmulatedLIS3MDL(scene: scene), EmulatedLIS3DH(scene: scene)]
    }

    private var field: SIMD3<Double> {
        let angle = heading * .pi / 180
        return SIMD3(-21.6 * sin(angle), 21.6 * cos(angle), -43.5) + disturbance
    }
}
