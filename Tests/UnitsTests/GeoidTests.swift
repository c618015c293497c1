import SextantUnits
import Testing

@Suite("The geoid")
struct GeoidTests {
    /// Source: the test points of NGA's program F477 for EGM96.
    @Test(arguments: [
        (38.628155, 269.779155, -31.628), (-14.621217, 305.021114, -2.969), (46.874319, 102.448729, -43.575),
        (-23.617446, 133.874712, 15.871), (38.625473, 359.9995, 50.066), (-0.466744, 0.0023, 17.329),
    ])
    func `the undulation agrees with EGM96 within the table's error`(
        latitude: Double, longitude: Double, expected: Double
    )
        throws
    {
        let value = try #require(EGM96.undulation(latitude: latitude, longitude: longitude))
        #expect(abs(value - expected) < 1.1)
    }

    @Test func `the undulation is continuous across the antimeridian and up to both poles`() throws {
        for latitude in stride(from: -90.0, through: 90, by: 7.5) {
            let west = try #require(EGM96.undulation(latitude: latitude, longitude: -180))
            let east = try #require(EGM96.undulation(latitude: latitude, longitude: 180))
            let nearly = try #require(EGM96.undulation(latitude: latitude, longitude: 179.999))
            #expect(west == east && abs(nearly - east) < 0.1)
            let (half, whole) = (
                EGM96.undulation(latitude: latitude, longitude: 200),
                EGM96.undulation(latitude: latitude, longitude: -160)
            )
            #expect(half == whole)
        }
        for longitude in stride(from: -180.0, through: 360, by: 7.5) {
            let north = try #require(EGM96.undulation(latitude: 90, longitude: longitude))
            let south = try #require(EGM96.undulation(latitude: -90, longitude: longitude))
            #expect(abs(north - 13.6) < 0.5 && abs(south + 29.5) < 0.5)
        }
    }

    @Test(arguments: [(90.1, 0.0), (-90.1, 0), (0, 360.1), (0, -180.1), (.nan, 0), (0, .nan), (.infinity, 0)])
    func `an invalid place has no undulation`(latitude: Double, longitude: Double) {
        #expect(EGM96.undulation(latitude: latitude, longitude: longitude) == nil)
    }

    @Test func `all rows of the table have plausible values, up to their ends`() throws {
        for latitude in stride(from: -90, through: 90, by: 6) {
            for column in stride(from: 1, to: 288, by: 2) {
                let value = EGM96.undulation(latitude: Double(latitude), longitude: Double(column) * 1.25 - 180)
                #expect((-107.5...86).contains(try #require(value)))
            }
        }
    }
}
