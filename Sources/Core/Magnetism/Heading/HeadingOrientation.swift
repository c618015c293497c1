/// How a device is held, which selects the side of the device whose direction is the heading.
///
/// This follows `CLDeviceOrientation`: in `landscapeLeft` the home button, which is at the device's -y side, is on the
/// right for a person who looks at the device. The +x side is then on top, and a level device's heading is 90° more
/// than in `portrait`. In `landscapeRight` it is 90° less. Source: Apple, CLDeviceOrientation.
public enum HeadingOrientation: UInt8, Sendable, Hashable, CaseIterable {
    /// The heading is the direction of the device's +y side.
    case portrait
    /// The heading is the direction of the device's -y side.
    case portraitUpsideDown
    /// The heading is the direction of the device's +x side.
    case landscapeLeft
    /// The heading is the direction of the device's -x side.
    case landscapeRight

    /// The side whose direction is the heading; a unit vector in the device's frame.
    var front: SIMD3<Double> {
        switch self {
        case .portrait: SIMD3(0, 1, 0)
        case .portraitUpsideDown: SIMD3(0, -1, 0)
        case .landscapeLeft: SIMD3(1, 0, 0)
        case .landscapeRight: SIMD3(-1, 0, 0)
        }
    }
}
