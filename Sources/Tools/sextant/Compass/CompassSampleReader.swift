internal import Emulation
internal import Magnetism

/// Reads compass samples from a CSV table with the columns `time,x,y,z[,ax,ay,az]`.
enum CompassSampleReader {
    private static let columns = ["time", "x", "y", "z", "ax", "ay", "az"]
    /// The accepted range of each component of the magnetic field, in microtesla; it exceeds the range of every
    /// supported magnetometer.
    private static let fields = -10_000.0...10_000.0
    /// The accepted range of each component of the acceleration, in m/s²; it reaches just beyond 50 g.
    private static let accelerations = -500.0...500.0
    /// The largest number of samples in a table: those of more than an hour at 50 samples per second.
    private static let most = 200_000

    static func read(_ path: String) throws(CommandFailure) -> [CalibrationSample] {
        var rows = CSVReader(columns: columns, requiredCount: 4)
        var samples: [CalibrationSample] = []
        var file = try InputFile(path)
        while try file.read() {
            rows.push(file.buffer.span.extracting(..<file.count))
            try drain(&rows, file.name, into: &samples)
        }
        rows.end()
        try drain(&rows, file.name, into: &samples)
        guard !samples.isEmpty else { throw .data("\(file.name): there is no sample in it; add a line for each") }
        return samples
    }

    private static func drain(
        _ rows: inout CSVReader, _ name: String, into samples: inout [CalibrationSample]
    ) throws(CommandFailure) {
        do throws(CSVError) {
            while try rows.next() {
                guard samples.count < most else {
                    throw CSVError(
                        line: rows.line, problem: "there are more than \(most) samples before it",
                        mend: "record for some minutes only")
                }
                samples.append(try sample(rows))
            }
        } catch {
            throw .data("\(name): \(error)")
        }
    }

    private static func sample(_ rows: CSVReader) throws(CSVError) -> CalibrationSample {
        _ = try rows.required(0, in: -1e12...1e12)
        let field = SIMD3(
            try rows.required(1, in: fields), try rows.required(2, in: fields), try rows.required(3, in: fields))
        let acceleration = (
            try rows.value(4, in: accelerations), try rows.value(5, in: accelerations),
            try rows.value(6, in: accelerations)
        )
        switch acceleration {
        case (let x?, let y?, let z?): return CalibrationSample(field: field, acceleration: SIMD3(x, y, z))
        case (nil, nil, nil): return CalibrationSample(field: field)
        default:
            throw CSVError(
                line: rows.line, problem: "of ax, ay and az some are empty", mend: "write all three, or none")
        }
    }
}
