import Emulation
import GNSS
import SextantUnits
import Testing

@Suite("Trajectory and mask") struct TrajectoryTests {
    private func read(_ text: String) throws -> Trajectory { try TrajectoryFile.read(Array(text.utf8)) }

    @Test func `a trajectory is linear between its points and constant beyond its ends`() throws {
        let trajectory = try read("time,latitude,longitude,altitude\n1000,47,8,400\n1010,47.001,8.002,410\n")
        let middle = trajectory.position(at: 1005)
        #expect(abs(middle.latitude - 47.0005) < 1e-9 && abs(middle.longitude - 8.001) < 1e-9)
        #expect(middle.altitude == 405)
        #expect(trajectory.position(at: 0).latitude == 47 && trajectory.position(at: 0).speed == 0)
        #expect(trajectory.position(at: 9999).longitude == 8.002)
        #expect(trajectory.startTime == 1000 && trajectory.duration == 10)
    }

    @Test func `speed and course come from the positions, or from the file's columns`() throws {
        // 0.001 degrees of latitude are 111.2 m.
        let plain = try read("time,latitude,longitude\n0,47,8\n10,47.001,8\n").position(at: 5)
        #expect(abs(plain.speed - 11.12) < 0.01 && abs(plain.course) < 1e-6)
        #expect(abs(plain.velocity.north - 11.12) < 0.01)
        let told = try read("longitude,latitude,time,speed,course\n8,47,0,3,350\n8,47,10,5,10\n").position(at: 5)
        #expect(told.speed == 4 && abs(shortest(told.course)) < 1e-9)
        #expect(abs(told.velocity.north - 4) < 1e-9)
    }

    private func shortest(_ degrees: Double) -> Double { degrees > 180 ? degrees - 360 : degrees }

    @Test func `interpolates the short way across the antimeridian`() throws {
        let trajectory = try read("time,latitude,longitude\n0,0,179.9\n10,0,-179.9\n")
        #expect(abs(abs(trajectory.position(at: 5).longitude) - 180) < 1e-9)
        #expect(trajectory.position(at: 5).course == 90)
    }

    @Test(arguments: [
        ("", 0, "empty"), ("time,latitude\n1,2\n", 1, "longitude"), ("time,latitude,longitude\n", 0, "no point"),
        ("time,latitude,longitude\n1,47,8\n2,north,8\n", 3, "\"north\""),
        ("time,latitude,longitude\n1,91,8\n", 2, "latitude is 91"),
        ("time,latitude,longitude\n\n5,47,8\n5,47,8\n", 4, "time is not after"),
        ("time,latitude,longitude\n1,47\n", 2, "longitude is empty"),
    ])
    func `each error in a file names the line and the remedy`(text: String, line: Int, words: String) {
        let error = #expect(throws: CSVError.self) { try self.read(text) }
        #expect(error?.line == line)
        #expect(error?.problem.contains(words) == true && error?.mend.isEmpty == false)
    }

    @Test func `a mask joins adjacent intervals and gives its next change`() throws {
        let mask = try MaskIntervals.read(Array("start,end\r\n50,60\r\n10,20\r\n20,30\r\n".utf8))
        #expect(mask.intervals == [10..<30, 50..<60])
        #expect(!mask.contains(9.9) && mask.contains(10) && mask.contains(29.9) && !mask.contains(30))
        #expect(mask.nextChange(after: 0) == 10 && mask.nextChange(after: 10) == 30)
        #expect(mask.nextChange(after: 59) == 60 && mask.nextChange(after: 60) == nil)
    }

    @Test func `a mask interval that ends before it starts is refused`() {
        let error = #expect(throws: CSVError.self) {
            try MaskIntervals.read(Array("start,end\n20,10\n".utf8))
        }
        #expect(error?.description == "line 2: end is before start; write the earlier time first")
    }
}

@Suite("EmulatedMotionSensor") struct EmulatedMotionSensorTests {
    /// Stands, then moves 5 m/s in the given spans of seconds.
    private func trajectory(moving spans: [Range<Int>], until end: Int) -> Trajectory {
        Trajectory(
            points: (0...end).map { second in
                let isMoving = spans.contains { $0.contains(second) }
                return TrajectoryPoint(
                    time: 1000 + Double(second), latitude: 47, longitude: 8, speed: isMoving ? 5 : 0, course: 0)
            })
    }

    private func changes(_ sensor: EmulatedMotionSensor) -> [Double] {
        var instants: [Double] = []
        var instant = MonotonicInstant(nanoseconds: -1)
        while let next = sensor.nextChange(after: instant) {
            instants.append(Double(next.nanoseconds) / 1e9)
            instant = next
        }
        return instants
    }

    private func quiet(_ adjust: (inout EmulatedMotionSensor.Options) -> Void = { _ in })
        -> EmulatedMotionSensor.Options
    {
        var options = EmulatedMotionSensor.Options()
        options.missProbability = 0
        options.falseAlarmsPerHour = 0
        adjust(&options)
        return options
    }

    @Test func `the motion sensor rises soon after motion begins and falls twenty seconds after it ends`() {
        let sensor = EmulatedMotionSensor(
            trajectory: trajectory(moving: [100..<200, 210..<300], until: 1000), seed: 1, options: quiet())
        let changes = changes(sensor)
        #expect(changes.count == 2 && (101...103).contains(changes[0]) && changes[1] == 320)
        #expect(!sensor.level(at: MonotonicInstant(nanoseconds: 100_000_000_000)))
        #expect(sensor.level(at: MonotonicInstant(nanoseconds: 205_000_000_000)))
        #expect(!sensor.level(at: MonotonicInstant(nanoseconds: 320_000_000_000)))
    }

    @Test func `a longer stop separates two motions`() {
        let sensor = EmulatedMotionSensor(
            trajectory: trajectory(moving: [100..<200, 260..<300], until: 1000), seed: 1, options: quiet())
        #expect(changes(sensor).count == 4)
    }

    @Test func `a delayed detection comes ten to sixty seconds after the motion began`() {
        let options = quiet { $0.missProbability = 1 }
        let moving = trajectory(moving: [100..<200], until: 1000)
        for seed in 0..<20 as Range<UInt64> {
            let changes = changes(EmulatedMotionSensor(trajectory: moving, seed: seed, options: options))
            #expect(changes.count == 2 && (111...163).contains(changes[0]))
        }
    }

    @Test func `at 0.5 false alarms an hour each lasts 25 to 40 s`() {
        let still = trajectory(moving: [], until: 360_000)
        let changes = changes(
            EmulatedMotionSensor(trajectory: still, seed: 2, options: quiet { $0.falseAlarmsPerHour = 0.5 }))
        let lengths = stride(from: 0, to: changes.count, by: 2).map { changes[$0 + 1] - changes[$0] }
        #expect((35...65).contains(lengths.count))
        #expect(lengths.count { (25...40).contains($0) } >= lengths.count - 2)
    }
}
