internal import ArgumentParser
internal import Emulation
internal import Glibc
internal import SextantUnits

/// The output of a GNSS receiver in memory, repeated until it has at least a given size.
struct BenchmarkInput {
    var name: String
    var bytes: [UInt8]

    init(name: String, repeating recording: [UInt8], byteCount: Int) {
        self.name = name
        bytes = []
        bytes.reserveCapacity(byteCount + recording.count)
        while bytes.count < byteCount { bytes.append(contentsOf: recording) }
    }

    init(file: String, byteCount: Int) throws {
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchmarkInput.failure(file) }
        defer { _ = close(descriptor) }
        var recording: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw BenchmarkInput.failure(file) }
            guard count > 0 else { break }
            recording.append(contentsOf: piece.prefix(count))
        }
        guard !recording.isEmpty else {
            print("\(file): is empty")
            throw ExitCode(65)
        }
        self.init(name: file, repeating: recording, byteCount: byteCount)
    }

    private static func failure(_ file: String) -> ExitCode {
        print("\(file): \(unsafe String(cString: strerror(errno)))")
        return ExitCode(74)
    }

    /// The output of an emulated u-blox M8 during a drive of ten minutes, once as NMEA and once as UBX.
    static func synthetic(_ byteCount: Int) -> [BenchmarkInput] {
        [("NMEA", SyntheticReceiver.Output.nmea), ("UBX", .ubx)].map { name, output in
            BenchmarkInput(name: name, repeating: recording(output), byteCount: byteCount)
        }
    }

    /// Writes the input's bytes to a file in a folder; the file has the input's name.
    func write(to folder: String) throws {
        let file = folder + "/" + name
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw BenchmarkInput.failure(file) }
        defer { _ = close(descriptor) }
        var offset = 0
        while offset < bytes.count {
            // Safety: the bytes live until the call returns.
            let count = unsafe bytes[offset...].withUnsafeBytes { rest in
                unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            guard count > 0 else { throw BenchmarkInput.failure(file) }
            offset += count
        }
    }

    private static func recording(_ output: SyntheticReceiver.Output) -> [UInt8] {
        let place = SyntheticDrive.Start(latitude: 52.52, longitude: 13.405, altitudeAboveMeanSeaLevel: 34)
        // 2026-03-01T10:00:00Z.
        var configuration = SyntheticReceiver.Configuration(
            seed: 7, startTime: UTCInstant(nanoseconds: 1_772_359_200_000_000_000))
        configuration.output = output
        var receiver = SyntheticReceiver(
            drive: SyntheticDrive(start: place, seed: 3),
            sky: SyntheticSky(constellations: SyntheticSky.allConstellations, longitude: place.longitude, seed: 5),
            configuration: configuration)
        return (0..<600).flatMap { _ in receiver.nextBurst().bytes }
    }
}
