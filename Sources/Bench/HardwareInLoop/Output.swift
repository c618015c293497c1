internal import Glibc
internal import SextantReactor

/// Writes files and runs programs on this machine.
enum Output {
    static func write(_ bytes: [UInt8], to path: String) throws(LoopFailure) {
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard number >= 0 else {
            throw LoopFailure(.file, "\(path): \(SystemError.text(of: errno)); name another folder with --output")
        }
        let file = Descriptor(adopting: number)
        var sent = 0
        while sent < bytes.count {
            guard case .bytes(let count) = file.write(bytes.span.extracting(sent..<bytes.count)) else {
                throw LoopFailure(.file, "\(path): cannot be written")
            }
            sent += count
        }
    }

    static func text(of path: String) throws(LoopFailure) -> String {
        do {
            let file = try Descriptor(opening: path, flags: O_RDONLY)
            var (bytes, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65_536))
            while case .bytes(let count) = file.read(into: &buffer) { bytes += buffer[..<count] }
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            throw LoopFailure(.file, "\(error)")
        }
    }

    /// Runs a program on this machine, waits for its end and returns its exit status.
    ///
    /// - Parameter path: The file that receives the program's output.
    static func status(of words: [String], printingTo path: String) throws(LoopFailure) -> Int32 {
        try write([], to: path)
        do {
            let nothing = try Descriptor(opening: "/dev/null", flags: O_RDWR)
            let file = try Descriptor(opening: path, flags: O_WRONLY | O_APPEND)
            return try SpawnedProgram(words, input: nothing, output: file, errors: file).waitForEnd()
        } catch let failure as LoopFailure {
            throw failure
        } catch {
            throw LoopFailure(.file, "\(error)")
        }
    }
}
