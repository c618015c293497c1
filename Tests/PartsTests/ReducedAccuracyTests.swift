import GNSS
import Parts
import PartsTestSupport
import SextantUnits
import Testing

@Suite("Reduced accuracy")
struct ReducedAccuracyTests {
    private func place(_ latitude: Double, _ longitude: Double, accuracy: Double? = 5) -> Fix {
        var place = fix(0, accuracy: accuracy)
        place.latitude = latitude
        place.longitude = longitude
        return place
    }

    private func error(of coarse: Fix, for fix: Fix) -> Double {
        Geodesic.distance(
            fromLatitude: fix.latitude ?? .nan, longitude: fix.longitude ?? .nan, toLatitude: coarse.latitude ?? .nan,
            longitude: coarse.longitude ?? .nan)
    }

    @Test func `RED-01 the true position is within the stated accuracy, everywhere on Earth`() {
        var worst = 0.0
        for latitude in stride(from: -90.0, through: 90, by: 0.74) + [89.999, -89.999, 89.96, 89.93, -89.956] {
            for longitude in stride(from: -180.0, through: 180, by: 1.234) + [180, -180, 0] {
                let fix = place(latitude, longitude)
                let coarse = ReducedAccuracy.coarse(fix) ?? Fix()
                let error = error(of: coarse, for: fix)
                worst = error < worst ? worst : error
                let canBe = abs(coarse.latitude ?? .nan) < 90 && abs(coarse.longitude ?? .nan) < 180
                if !canBe || coarse.horizontalAccuracy != 5000 { Issue.record("\(latitude) \(longitude)") }
            }
        }
        #expect(worst > 3000 && worst < 5000)
    }

    @Test func `RED-01 the corners of the cells beside a pole are within the stated accuracy`() {
        var worst = 0.0
        for step in 0..<3600 {
            for latitude in [90.0, 89.9999, 89.955_01, 89.955, 89.9549, -90, -89.955_01] {
                let fix = place(latitude, Double(step) / 10 - 180)
                let error = error(of: ReducedAccuracy.coarse(fix) ?? Fix(), for: fix)
                worst = error < worst ? worst : error
            }
        }
        #expect(worst > 3500 && worst < 4000)
    }

    @Test func `RED-01 every fix in a cell gives the same position, and cells are about 5 km wide`() {
        // Along 40 km to the north in steps of 10 m there are 8 or 9 places, each of them once.
        let north = (0..<4000).map { ReducedAccuracy.coarse(fix(Double($0) * 10))?.latitude ?? .nan }
        #expect((8...9).contains(Set(north).count))
        #expect(zip(north, north.dropFirst()).allSatisfy { $0 <= $1 })
        let east = (0..<4000).map { step in
            ReducedAccuracy.coarse(place(47, 8 + Double(step) * 0.000_131_6))?.longitude ?? .nan
        }
        #expect((8...9).contains(Set(east).count))
    }

    @Test func `RED-01 both sides of the antimeridian are near each other and use one longitude`() throws {
        let west = try #require(ReducedAccuracy.coarse(place(-17, 180)))
        #expect(ReducedAccuracy.coarse(place(-17, -180)) == west)
        #expect(error(of: west, for: place(-17, 179.9999)) < 5100)
        #expect(error(of: try #require(ReducedAccuracy.coarse(place(-17, 179.9999))), for: place(-17, -180)) < 5100)
    }

    @Test func `RED-04 nothing more precise is left in the fix`() throws {
        var fine = fix(0)
        fine.heightAboveEllipsoid = 431.2
        fine.altitudeAboveMeanSeaLevel = 383.1
        fine.speed = 1.2
        fine.courseOverGround = 77
        fine.verticalAccuracy = 3
        fine.satellitesUsed = 12
        fine.dilution.horizontal = 0.8
        fine.ecefPosition = ECEFVector(x: 1, y: 2, z: 3)
        let coarse = try #require(ReducedAccuracy.coarse(fine))
        var expected = Fix()
        expected.type = .twoD
        expected.time = fine.time
        expected.isTimeValidated = true
        expected.latitude = coarse.latitude
        expected.longitude = coarse.longitude
        expected.horizontalAccuracy = 5000
        #expect(coarse == expected)
    }

    @Test func `an inaccurate fix has a larger stated accuracy in whole kilometres, and a useless one none`() {
        #expect(ReducedAccuracy.coarse(fix(0, accuracy: 999))?.horizontalAccuracy == 5000)
        #expect(ReducedAccuracy.coarse(fix(0, accuracy: 2345))?.horizontalAccuracy == 8000)
        #expect(ReducedAccuracy.coarse(fix(0, accuracy: 10_001)) == nil)
        #expect(ReducedAccuracy.coarse(fix(0, accuracy: -1)) == nil)
        #expect(ReducedAccuracy.coarse(Fix()) == nil)
    }

    @Test func `RED-02 at 1 Hz there is one estimate every 15 minutes, moving or not`() {
        for speed in [0.0, 30] {
            var reduced = ReducedAccuracy()
            let told = (0...7200).filter { second in
                reduced.found(fix(Double(second) * speed), at: at(Double(second))) != nil
            }
            #expect(told == Array(stride(from: 0, through: 7200, by: 900)))
        }
    }

    @Test func `RED-08 the first fix gives an estimate at once`() throws {
        var reduced = ReducedAccuracy()
        #expect(reduced.current(at: at(0)) == nil)
        let told = reduced.found(fix(0), at: at(10))
        #expect(try #require(told).measured == at(10))
        #expect(reduced.current(at: at(11)) == told)
    }

    @Test func `RED-02 an estimate without a time is followed by the first that has one`() {
        var reduced = ReducedAccuracy()
        var incomplete = fix(0)
        incomplete.time = nil
        #expect(reduced.found(incomplete, at: at(0)) != nil)
        #expect(reduced.found(incomplete, at: at(1)) == nil)
        #expect(reduced.found(fix(0), at: at(2))?.fix.time == fix(0).time)
        let told = (3...1000).filter { reduced.found(fix(0), at: at(Double($0))) != nil }
        #expect(told == [902])
    }

    @Test func `RED-02 the estimate is the newest fix at the deadline, with its own time`() throws {
        var reduced = ReducedAccuracy()
        _ = reduced.found(fix(0), at: at(0))
        #expect(reduced.deadline == nil)
        var later = fix(9000)
        later.time = UTCInstant(nanoseconds: 1_795_176_600_000_000_000)
        let early = reduced.found(later, at: at(600))
        #expect(early == nil)
        #expect(reduced.current(at: at(899))?.fix.time == fix(0).time)
        #expect(reduced.deadline == at(900))
        let told = reduced.advance(to: at(900))
        #expect(told?.fix.time == later.time && told?.measured == at(600))
        #expect(reduced.deadline == nil)
    }

    @Test func `RED-02 nothing older than 20 minutes is reported`() {
        var reduced = ReducedAccuracy()
        _ = reduced.found(fix(0), at: at(0))
        #expect(reduced.current(at: at(1200)) != nil)
        #expect(reduced.current(at: at(1200.1)) == nil)
        _ = reduced.found(fix(0), at: at(100))
        #expect(reduced.advance(to: at(1301)) == nil)
        #expect(reduced.deadline == nil)
        #expect(reduced.found(fix(0), at: at(2000)) != nil)
    }

    @Test func `RED-08 a request is answered from the first fix until the next estimate is due`() {
        for lastFix in [0, 300, 599, 600, 601, 899] {
            var reduced = ReducedAccuracy()
            for second in 0...lastFix { _ = reduced.found(fix(0), at: at(Double(second))) }
            for second in lastFix...4000 {
                _ = reduced.advance(to: at(Double(second)))
                let isKnown = reduced.current(at: at(Double(second))) != nil
                var later = reduced
                let isTold = later.found(fix(0), at: at(Double(second))) != nil
                if !isKnown, !isTold { Issue.record("nothing at \(second) s, the last fix at \(lastFix) s") }
            }
        }
    }

    @Test func `RED-02 after a long rest the first fix gives an estimate, and the next comes 15 minutes later`() {
        var reduced = ReducedAccuracy()
        _ = reduced.found(fix(0), at: at(0))
        #expect(reduced.found(fix(0), at: at(5000)) != nil)
        #expect(reduced.found(fix(9000), at: at(5001)) == nil)
        #expect(reduced.deadline == at(5900))
    }
}
