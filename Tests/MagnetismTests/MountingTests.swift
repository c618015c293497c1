import Magnetism
import Testing

@Suite("Mounting")
struct MountingTests {
    private static func vector(_ direction: DeviceDirection) -> SIMD3<Double> {
        switch direction {
        case .right: SIMD3(1, 0, 0)
        case .left: SIMD3(-1, 0, 0)
        case .forward: SIMD3(0, 1, 0)
        case .backward: SIMD3(0, -1, 0)
        case .up: SIMD3(0, 0, 1)
        case .down: SIMD3(0, 0, -1)
        }
    }

    @Test func `there are 24 mountings, all of them rotations`() throws {
        var images: Set<[SIMD3<Double>]> = []
        for x in DeviceDirection.allCases {
            for y in DeviceDirection.allCases {
                guard let mounting = try? Mounting(x: x, y: y) else { continue }
                let (a, b, c) = (
                    mounting.deviceFrame(SIMD3(1, 0, 0)), mounting.deviceFrame(SIMD3(0, 1, 0)),
                    mounting.deviceFrame(SIMD3(0, 0, 1))
                )
                #expect(a == Self.vector(x) && b == Self.vector(y))
                // Right-handed: the third is the product of the others.
                #expect(c.x == a.y * b.z - a.z * b.y && c.y == a.z * b.x - a.x * b.z && c.z == a.x * b.y - a.y * b.x)
                images.insert([a, b, c])
            }
        }
        #expect(images.count == 24)
        #expect(Mounting.aligned.deviceFrame(SIMD3(1, 2, 3)) == SIMD3(1, 2, 3))
    }

    @Test(arguments: [
        (DeviceDirection.right, DeviceDirection.right), (.right, .left), (.up, .down), (.forward, .backward),
    ])
    func `axes that are not perpendicular are refused`(x: DeviceDirection, y: DeviceDirection) {
        #expect(throws: MountingError.notPerpendicular(x: x, y: y)) { try Mounting(x: x, y: y) }
        #expect(MountingError.notPerpendicular(x: x, y: y).description.contains("right angle"))
    }

    @Test func `a chip mounted clockwise measures north turned to its left`() throws {
        // What the chip's y axis sees is to the right of the device's front.
        let seen = try Mounting(x: .right, y: .forward, turn: 10).deviceFrame(SIMD3(0, 1, 0))
        #expect(abs(seen.x - 0.173648) < 1e-6 && abs(seen.y - 0.984808) < 1e-6 && seen.z == 0)
        let upright = try Mounting(x: .forward, y: .up, turn: 90).deviceFrame(SIMD3(1, 2, 3))
        #expect(abs(upright.x - 1) < 1e-12 && abs(upright.y + 3) < 1e-12 && abs(upright.z - 2) < 1e-12)
    }

    @Test func `a vector converted to the chip's frame and back is unchanged`() throws {
        let mounting = try Mounting(x: .down, y: .left, turn: 33)
        let rest = mounting.deviceFrame(mounting.chipFrame(SIMD3(1, 2, 3))) - SIMD3(1, 2, 3)
        #expect((rest * rest).sum() < 1e-24)
        let up = try Mounting(x: .up, y: .left).chipFrame(SIMD3(0, 0, 1))
        #expect(up == SIMD3(1, 0, 0))
    }

    @Test(arguments: [181, -180.5, .nan, .infinity])
    func `a turn of more than half a circle is refused`(turn: Double) {
        #expect(throws: MountingError.self) { try Mounting(x: .right, y: .forward, turn: turn) }
    }
}
