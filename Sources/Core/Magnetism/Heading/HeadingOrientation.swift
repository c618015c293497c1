/// How a device is held, and so which of its sides is the front that a heading is of.
///
/// As `CLDeviceOrientation` has it: in `landscapeLeft` the home button, which is at the device's -y, is on the right
/// for a person who looks at it. So its +x is on top and a level device's heading is 90° more than in `portrait`; in
/// `landscapeRight` it is 90° less. Source: Apple, CLDeviceOrientation.
public enum HeadingOrientation: UInt8, Sendable, Hashable, CaseIterable {
    /// +y is the front.
    case portrait
    /// -y is the front.
    case portraitUpsideDown
    /// +x is the front.
    case landscapeLeft
    /// -x is the front.
    case landscapeRight

    /// The front, in the device's frame.
    var front: SIMD3<Double> {
        switch self {
        case .portrait: SIMD3(0, 1, 0)
        case .portraitUpsideDown: SIMD3(0, -1, 0)
        case .landscapeLeft: SIMD3(1, 0, 0)
        case .landscapeRight: SIMD3(-1, 0, 0)
        }
    }
}
