import Simulation
import Testing

@Suite("TruthGrid") struct TruthGridTests {
    @Test func `seconds between two points are interpolated linearly`() throws {
        let truth = try TruthGrid(times: [10, 14, 15], latitudes: [0, 0.001, 0.001], longitudes: [20, 20, 20.002])
        #expect(truth.count == 6)
        #expect(truth.startTime == 10 && truth.endTime == 15)
        #expect(abs(truth.north[3] - 110.574 * 0.75) < 1e-9)
        #expect(truth.east[4] == 0)
        #expect(abs(truth.east[5] - 222.64) < 1e-3)
    }

    @Test func `plane coordinates convert back to the same position`() throws {
        let truth = try TruthGrid(times: [0, 1], latitudes: [60, 60.01], longitudes: [179.999, -179.999])
        #expect(abs(truth.east[1] - 111.28) < 0.1)
        let place = truth.place(at: 1)
        #expect(abs(place.latitude - 60.01) < 1e-12 && abs(place.longitude + 179.999) < 1e-9)
        #expect(truth.plane(latitude: 60.01, longitude: -179.999) == (truth.east[1], truth.north[1]))
    }

    @Test func `an invalid trajectory is refused`() {
        #expect(throws: TruthError.tooShort(points: 1)) {
            try TruthGrid(times: [0], latitudes: [0], longitudes: [0])
        }
        #expect(throws: TruthError.timesDoNotRise(index: 1)) {
            try TruthGrid(times: [5, 5], latitudes: [0, 0], longitudes: [0, 0])
        }
        #expect(throws: TruthError.badCoordinate(index: 0)) {
            try TruthGrid(times: [0, 1], latitudes: [.nan, 0], longitudes: [0, 0])
        }
        #expect(throws: TruthError.tooLong(seconds: 1.7e12)) {
            try TruthGrid(times: [0, 1.7e12], latitudes: [0, 0], longitudes: [0, 0])
        }
    }
}
