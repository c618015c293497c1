import Foundation

/// A minute of an accelerometer's samples, as `sextant heading --raw --csv` prints them.
struct MotionRecording: Sendable {
    private var samples: [(time: Double, force: SIMD3<Double>)] = []

    private static let still = SIMD3(0.3, -0.2, 9.78)

    /// - Parameter noise: The standard deviation on each axis, in mg.
    private init(
        noise: Double, rate: Double = 25, _ force: (_ time: Double, _ random: inout SmallRandom) -> SIMD3<Double>
    ) {
        var random = SmallRandom()
        for index in 0..<Int(60 * rate) {
            let time = Double(index) / rate
            var sample = force(time, &random)
            for axis in 0..<3 { sample[axis] += noise * 0.00980665 * random.gaussian() }
            samples.append((time, sample))
        }
    }

    static func rest(noise: Double, rate: Double = 25) -> MotionRecording {
        MotionRecording(noise: noise, rate: rate) { _, _ in still }
    }

    /// Two steps a second.
    static let walk = MotionRecording(noise: 2) { time, _ in
        let step = 2 * Double.pi * 1.9 * time
        return still + SIMD3(1.2 * sin(step / 2), 0.8 * sin(step + 1), 3 * sin(step))
    }

    /// A road, and 12 s at a red light.
    static let drive: MotionRecording = {
        var road = SIMD3<Double>()
        return MotionRecording(noise: 2) { time, random in
            road = 0.6 * road + SIMD3(0.3 * random.gaussian(), 0.3 * random.gaussian(), 0.6 * random.gaussian())
            return still + ((30..<42).contains(time) ? 0.02 : 1) * road
        }
    }()

    /// Rest, but for one sample.
    static let knock = MotionRecording(noise: 2) { time, _ in
        still + (time == 30 ? SIMD3(2, 0, 0) : SIMD3())
    }

    static let saturated = MotionRecording(noise: 0) { time, _ in
        sin(2 * Double.pi * time) > 0 ? SIMD3(0, 0, 20.07) : still
    }

    /// What was recorded between these times alone.
    func kept(_ times: Range<Double>...) -> MotionRecording {
        var recording = self
        recording.samples.removeAll { sample in !times.contains { $0.contains(sample.time) } }
        return recording
    }

    var text: String {
        let lines = samples.map { time, force in
            let numbers = [1_760_000_000 + time, 20.1, 3.2, -40, force.x, force.y, force.z]
            return numbers.map { String(format: "%.4f", $0) }.joined(separator: ",")
        }
        return "time,x,y,z,ax,ay,az\n" + lines.joined(separator: "\n") + "\n"
    }
}

/// The same numbers in every run.
struct SmallRandom {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// From 0 to 1.
    ///
    /// Source: G. Marsaglia, "Xorshift RNGs", 2003.
    private mutating func uniform() -> Double {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Double(state >> 11) / 9_007_199_254_740_992
    }

    /// The sum of twelve uniform ones, less six: of a standard deviation of one.
    mutating func gaussian() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }
}
