import Fusion
import SextantUnits
import Testing

@Suite("Location filter on the globe")
struct PlacesTests {
    @Test(arguments: [(0.0, 179.9999), (-17.0, -179.9999), (52.0, 0.0), (89.9, 30.0), (-89.9, 179.99)])
    func `a drive gives the same result anywhere on Earth`(latitude: Double, longitude: Double) throws {
        var chance = Chance(seed: 41)
        var run = Run(latitude: latitude, longitude: longitude)
        for second in 0..<300 {
            let truth = SIMD2(3 * Double(second) - 450, 0)
            run.take(truth + chance.normal(), at: Double(second), accuracy: 3)
        }
        let last = try #require(run.answers.last)
        #expect(length(last.place - SIMD2(447, 0)) < 5)
        #expect(last.location.velocity.map { abs($0.speed - 3) < 0.6 } == true)
        #expect((-180..<180).contains(last.location.longitude))
        #expect(run.filter.counters[.outlier] == 0)
    }

    @Test func `a track across the pole is straight`() throws {
        var filter = LocationFilter()
        var heard: FusedLocation?
        for second in 0...400 {
            // 20 m/s along the meridian of 10 degrees, over the pole and down that of 190.
            let past = Double(second) * 20 - 4_000
            let latitude = 90 - abs(past) / 111_694
            let fix = FilterFix(
                latitude: latitude, longitude: past < 0 ? 10 : -170, horizontalAccuracy: 4, speed: 20,
                course: past < 0 ? 0 : 180)
            heard = filter.update(fix, at: MonotonicInstant(nanoseconds: Int64(second) * 1_000_000_000)) ?? heard
        }
        let last = try #require(heard)
        #expect(abs(last.latitude - (90 - 4_000 / 111_694.0)) < 5 / 111_694.0)
        #expect(abs(last.longitude + 170) < 0.2)
        #expect(filter.counters.rejected == 0)
        let course = try #require(last.velocity?.courseOverGround)
        #expect(abs(course - 180) < 5)
    }

    @Test func `a journey of 300 km does not accumulate an error of metres`() throws {
        var run = Run()
        var place = (latitude: 48.0, longitude: 11.0)
        var last: FusedLocation?
        for second in 0..<10_000 {
            let fix = FilterFix(
                latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: 3, speed: 30, course: 90)
            last = run.filter.update(fix, at: run.instant(Double(second)))
            if second < 9_999 {
                place = LocalFrame(latitude: place.latitude, longitude: place.longitude)
                    .coordinate(of: LocalPoint(east: 30, north: 0))
            }
        }
        let answer = try #require(last)
        let error = LocalFrame.distance(
            fromLatitude: answer.latitude, longitude: answer.longitude, toLatitude: place.latitude,
            longitude: place.longitude)
        #expect(error < 2)
        #expect(run.filter.counters.rejected == 0)
    }

    @Test func `the altitude is smoothed with its own accuracy`() throws {
        var chance = Chance(seed: 43)
        var run = Run()
        var fused: [Double] = []
        for second in 0..<300 {
            var fix = run.fix(.zero, accuracy: 5)
            fix.altitude = 520 + 6 * chance.normal().x
            fix.verticalAccuracy = 6
            if let altitude = run.filter.update(fix, at: run.instant(Double(second)))?.altitude {
                fused.append(abs(altitude - 520))
            }
        }
        #expect(quantile(Array(fused.suffix(200)), 0.68) < 3)
        #expect(run.filter.predicted(at: run.instant(400))?.verticalAccuracy.map { $0 > 4 && $0 < 15 } == true)
    }
}

@Suite("What the location filter has learned")
struct LearnedTests {
    private func taught() -> Run {
        var chance = Chance(seed: 47)
        var (run, errors) = (Run(), ReceiverErrors(white: 6))
        for second in 0..<600 {
            run.take(errors.next(after: 1, &chance), at: Double(second), accuracy: 2, velocity: .zero, receiver: 3)
        }
        return run
    }

    @Test func `learned values survive a restart`() throws {
        let record = taught().filter.encode()
        let decoded = LocationFilter.decode(record.span)
        var again = try #require(decoded)
        #expect(again.encode() == record)
        var fresh = LocationFilter()
        let fix = FilterFix(receiver: 3, latitude: 1, longitude: 2, horizontalAccuracy: 2)
        let (learned, plain) = (again.update(fix, at: .zero), fresh.update(fix, at: .zero))
        #expect(try #require(learned).horizontalAccuracy > 2 * #require(plain).horizontalAccuracy)
    }

    @Test func `a record of learned values has each receiver's number and five values of it`() throws {
        var record = RecordWriter()
        record.write(raw: [2, 2])
        for receiver in [3, 7] as [UInt8] {
            record.write(receiver)
            for value in [1.5, 200, 0.75, 1.25, 5] { record.write(value) }
        }
        let decoded = LocationFilter.decode(record.bytes.span)
        #expect(try #require(decoded).encode() == record.bytes)
    }

    @Test func `another receiver's fix after a restart does not push out what was learned`() throws {
        var record = RecordWriter()
        record.write(raw: [2, 1, 3])
        for value in [1.5, 200, 0.75, 1.25, 5] { record.write(value) }
        let decoded = LocationFilter.decode(record.bytes.span)
        var again = try #require(decoded)
        let learned = try #require(again.errorInClaim(of: 3))
        _ = again.update(FilterFix(receiver: 7, latitude: 1, longitude: 2), at: .zero)
        #expect(again.errorInClaim(of: 3) == learned)
    }

    @Test func `a damaged record of learned values is refused`() {
        let record = taught().filter.encode()
        for bytes in record.indices.map({ Array(record[..<$0]) }) + [record + [0]] {
            let decoded = LocationFilter.decode(bytes.span)
            #expect(decoded == nil)
        }
        for index in record.indices {
            var damaged = record
            damaged[index] = 0xFF
            guard var filter = LocationFilter.decode(damaged.span) else { continue }
            let answer = filter.update(FilterFix(receiver: 3, latitude: 1, longitude: 2), at: .zero)
            #expect(answer.map { $0.horizontalAccuracy.isFinite } == true)
        }
    }
}
