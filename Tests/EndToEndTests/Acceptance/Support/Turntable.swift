import Emulation
import Foundation

/// A board with a compass that lies level in the Earth's field of Zurich, and is turned and disturbed as told.
struct Turntable {
    /// What its chips measure; a class, because they hold it too.
    private final class Pose {
        var heading = 0.0
        var disturbance = SIMD3<Double>()

        var field: SIMD3<Double> {
            let angle = heading * .pi / 180
            return SIMD3(-21.6 * sin(angle), 21.6 * cos(angle), -43.5) + disturbance
        }
    }

    private let pose = Pose()
    let bus: EmulatedBus

    init() {
        let scene = SensorScene(field: { [pose] in pose.field }, acceleration: { SIMD3(0, 0, 9.80665) })
        bus = EmulatedBus(chips: [EmulatedLIS3MDL(scene: scene), EmulatedLIS3DH(scene: scene)])
    }

    /// From magnetic north; degrees.
    var heading: Double {
        get { pose.heading }
        nonmutating set { pose.heading = newValue }
    }

    /// What a magnet adds, in the device's frame; microtesla.
    var disturbance: SIMD3<Double> {
        get { pose.disturbance }
        nonmutating set { pose.disturbance = newValue }
    }
}
