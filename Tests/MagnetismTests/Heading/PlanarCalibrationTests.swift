import Magnetism
import Testing

/// Headings by calibrations of boards that turned in a leaning holder, as a car's are.
@Suite("Planar calibration of a leaning board")
struct PlanarCalibrationTests {
    /// Calibrates boards that turn about the vertical while they lean, and looks at their headings in other attitudes.
    private func tally(
        boards: Int = 4, holder: Attitude, hasAccelerometer: Bool = true, _ other: (inout HeadingChance) -> Attitude
    ) throws -> HeadingTally {
        var tally = HeadingTally()
        for seed in 1...boards {
            var board = CompassBoard(seed: UInt64(seed))
            board.hasAccelerometer = hasAccelerometer
            let samples = (0..<60).map { index in
                let attitude = Attitude(
                    heading: 6 * Double(index), pitch: holder.pitch + board.chance.uniform(-2...2),
                    roll: holder.roll + board.chance.uniform(-2...2))
                let sample = board.sample(attitude, at: 0)
                return CalibrationSample(field: sample.field, acceleration: sample.acceleration)
            }
            board.calibration = try CalibrationFit(samples).calibration
            #expect(board.calibration.reach == .planar)
            for _ in 0..<20 {
                let attitude = other(&board.chance)
                tally.add(board.settled(attitude, seconds: 2), truth: attitude.heading)
            }
        }
        return tally
    }

    @Test(arguments: [Attitude(pitch: 15), Attitude(pitch: -8, roll: 20), Attitude(roll: 60)])
    func `gives headings in the holder in which the board was calibrated`(holder: Attitude) throws {
        let tally = try tally(holder: holder) { chance in
            Attitude(
                heading: chance.uniform(0...360), pitch: holder.pitch + chance.uniform(-2...2),
                roll: holder.roll + chance.uniform(-2...2))
        }
        #expect(tally.shareInvalid < 0.01 && tally.shareFar < 0.01 && tally.shareWithin > 0.6, "\(tally)")
    }

    @Test func `gives no heading for a board taken out of its holder and laid level`() throws {
        let tally = try tally(holder: Attitude(pitch: 15)) { chance in Attitude(heading: chance.uniform(0...360)) }
        #expect(tally.shareInvalid > 0.99 && tally.shareFar == 0, "\(tally)")
    }

    @Test func `states a larger uncertainty for a board tilted some degrees from its calibration`() throws {
        let tally = try tally(holder: Attitude(pitch: 15)) { chance in
            Attitude(heading: chance.uniform(0...360), pitch: 15 + chance.uniform(-8...8))
        }
        #expect(tally.shareFar < 0.01 && tally.shareWithin > 0.6, "\(tally)")
    }

    @Test func `without an accelerometer the board is assumed to lie as it was calibrated`() throws {
        let tally = try tally(holder: Attitude(pitch: 15), hasAccelerometer: false) { chance in
            Attitude(heading: chance.uniform(0...360), pitch: 15 + chance.uniform(-2...2))
        }
        #expect(tally.shareInvalid < 0.01 && tally.shareFar < 0.01 && tally.shareWithin > 0.6, "\(tally)")
    }
}
