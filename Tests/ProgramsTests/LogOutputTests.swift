import Glibc
import Programs
import SextantReactor
import Testing

@Suite("Log output")
struct LogOutputTests {
    /// Without the loss, this test waits for a reader for ever.
    @Test func `lines that nobody reads are lost, and the next that is read tells how many`() {
        var ends: [Int32] = [0, 0]
        // Safety: the kernel writes two numbers.
        #expect(unsafe pipe(&ends) == 0)
        let reader = Descriptor(adopting: ends[0])
        let writer = Descriptor(adopting: ends[1])
        let output = writer.withRawValue { LogOutput($0) }
        // A pipe has room for 64 KiB. Source: pipe(7), "Pipe capacity".
        let line = String(repeating: "x", count: 4000)
        for _ in 0..<20 { output.write(line, prefix: "") }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        guard case .bytes(let count) = reader.read(into: &buffer) else {
            Issue.record("nothing to read")
            return
        }
        let lost = 20 - count / (line.utf8.count + 1)
        output.write("heard again", prefix: "<6>")
        guard case .bytes(let end) = reader.read(into: &buffer) else {
            Issue.record("nothing to read")
            return
        }
        #expect(
            String(decoding: buffer[..<end], as: UTF8.self)
                == "<6>log lines that nobody read in time are lost: \(lost)\n<6>heard again\n")
    }
}
