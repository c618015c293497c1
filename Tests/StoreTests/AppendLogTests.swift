import Foundation
import Glibc
import Store
import Testing

@Suite("Append log")
struct AppendLogTests {
    private let scratch: Scratch
    private var path: String { scratch.path("log") }

    init() throws { scratch = try Scratch() }

    private func open(capacity: Int = 65_536) throws(StoreError) -> AppendLog {
        try AppendLog(path: path, capacity: capacity)
    }

    private func texts(_ records: [AppendLog.Record]) -> [String] {
        records.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    private func payloads(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func `what was appended is read, in order, and after opening again`() throws {
        var log = try open()
        #expect(log.opening == AppendLog.Opening() && log.count == 0 && log.lastSequence == 0)
        let first = try log.append(payloads("a", "", "c"))
        let second = try log.append(payloads("d"))
        #expect(first == AppendLog.Appended(lastSequence: 3, dropped: 0) && second.lastSequence == 4)
        let records = try log.readAll()
        #expect(texts(records) == ["a", "", "c", "d"] && records.map(\.sequence) == [1, 2, 3, 4])
        let again = try open()
        #expect(try again.readAll() == records && again.opening.records == 4)
        #expect(try scratch.mode("log") == 0o600)
    }

    @Test func `an empty batch is nothing`() throws {
        var log = try open()
        let before = try scratch.bytes("log")
        #expect(try log.append([]).lastSequence == 0)
        #expect(try scratch.bytes("log") == before)
    }

    @Test func `acknowledged records are forgotten for good, and no sequence is given twice`() throws {
        var log = try open()
        _ = try log.append(payloads("a", "b", "c"))
        try log.acknowledge(through: 2)
        #expect(texts(try log.readAll()) == ["c"])
        log = try open()
        #expect(texts(try log.readAll()) == ["c"])
        #expect(log.opening.records == 1)
        try log.removeAll()
        #expect(try scratch.bytes("log").count == 20)
        log = try open()
        #expect(try log.readAll().isEmpty && log.opening == AppendLog.Opening())
        #expect(try log.append(payloads("d")).lastSequence == 4)
    }

    @Test func `an acknowledgement of what is not there changes nothing`() throws {
        var log = try open()
        try log.acknowledge(through: 5)
        _ = try log.append(payloads("a", "b"))
        try log.acknowledge(through: 1)
        let before = try scratch.bytes("log")
        try log.acknowledge(through: 1)
        try log.acknowledge(through: 0)
        #expect(try scratch.bytes("log") == before)
        try log.acknowledge(through: .max)
        #expect(log.count == 0)
        #expect(try log.append(payloads("c")).lastSequence == 3)
    }

    @Test func `past its capacity the oldest are dropped and counted, and the file stays bounded`() throws {
        var log = try open(capacity: 4096)
        var dropped = 0
        for index in 0..<1000 {
            dropped += try log.append([[UInt8](repeating: UInt8(index % 251), count: 100)]).dropped
            #expect(try scratch.bytes("log").count <= 4096)
        }
        let records = try log.readAll()
        #expect(records.count + dropped == 1000 && records.count >= 25)
        #expect(records.map(\.sequence) == Array((UInt64(dropped) + 1)...1000))
        #expect(records.allSatisfy { $0.payload.first == UInt8(($0.sequence - 1) % 251) })
        #expect(try open(capacity: 4096).readAll() == records)
    }

    @Test func `acknowledged room is used again without dropping`() throws {
        var log = try open(capacity: 4096)
        for _ in 0..<500 {
            let appended = try log.append([[UInt8](repeating: 1, count: 100)])
            #expect(appended.dropped == 0)
            if appended.lastSequence > 3 { try log.acknowledge(through: appended.lastSequence - 3) }
        }
        #expect(log.count == 3)
    }

    @Test func `a batch larger than the log keeps its own newest`() throws {
        var log = try open(capacity: 4096)
        _ = try log.append(payloads("old"))
        let appended = try log.append((0..<100).map { [UInt8](repeating: $0, count: 100) })
        #expect(appended.lastSequence == 101 && appended.dropped + log.count == 101)
        #expect(try log.readAll().last?.payload.first == 99)
    }

    @Test func `a record that can never fit is refused, with its whole batch`() throws {
        var log = try open(capacity: 4096)
        _ = try log.append(payloads("a"))
        var error: StoreError?
        do throws(StoreError) {
            _ = try log.append(payloads("b") + [[UInt8](repeating: 0, count: 4000)])
        } catch let refused {
            error = refused
        }
        #expect(error?.kind == .tooLarge)
        #expect(try texts(log.readAll()) == ["a"])
    }

    @Test func `a torn end is cut off, whatever its length`() throws {
        var log = try open()
        _ = try log.append(payloads("first", "second"))
        let whole = try scratch.bytes("log")
        _ = try log.append(payloads("third, which is torn"))
        let longer = try scratch.bytes("log")
        for length in whole.count..<longer.count {
            try scratch.write(Array(longer[..<length]), to: "log")
            var again = try open()
            #expect(again.opening == AppendLog.Opening(records: 2, tornBytes: length - whole.count))
            #expect(try scratch.bytes("log") == whole)
            #expect(try again.append(payloads("third")).lastSequence == 3)
            #expect(texts(try again.readAll()) == ["first", "second", "third"])
        }
    }

    @Test func `an end of zeros or noise is cut off`() throws {
        var log = try open()
        _ = try log.append(payloads("a"))
        let whole = try scratch.bytes("log")
        for noise in [[UInt8](repeating: 0, count: 5000), (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7919) }] {
            try scratch.write(whole + noise, to: "log")
            let again = try open()
            #expect(again.opening.tornBytes == 5000)
            #expect(texts(try again.readAll()) == ["a"])
        }
    }

    @Test func `a damaged byte costs its own record at most, and the damaged file is set aside`() throws {
        var log = try open()
        _ = try log.append(payloads("first", "second", "third"))
        let whole = try scratch.bytes("log")
        let lastFrame = whole.count - 17 - "third".utf8.count
        for index in 0..<lastFrame {
            var damaged = whole
            damaged[index] ^= 0x40
            try scratch.write(damaged, to: "log")
            var again = try open()
            let kept = texts(try again.readAll())
            #expect(kept.count == (index < 20 ? 3 : 2) && kept.last == "third", "byte \(index)")
            #expect(again.opening.setAside == path + ".damaged" && again.opening.records == kept.count)
            #expect(try scratch.bytes("log.damaged") == damaged)
            #expect(try again.append(payloads("fourth")).lastSequence == 4)
            #expect(texts(try open().readAll()) == kept + ["fourth"])
        }
    }

    @Test(arguments: [[], [1, 2, 3], Array(repeating: 0, count: 4096)] as [[UInt8]])
    func `a file that is no log is set aside, and a log begins`(bytes: [UInt8]) throws {
        try scratch.write(bytes, to: "log")
        var log = try open()
        #expect(log.opening == AppendLog.Opening(setAside: path + ".damaged"))
        #expect(try scratch.bytes("log.damaged") == bytes)
        #expect(try log.append(payloads("a")).lastSequence == 1)
    }

    @Test func `a log of a later release is left as it is, and the error names the mend`() throws {
        var later: [UInt8] = Array("SXLOG7\0\0".utf8) + [UInt8](repeating: 0, count: 8)
        // The CRC-32 of these 16 bytes, little-endian, by Python's zlib.crc32.
        later += [0xD4, 0x3D, 0x21, 0xF8]
        later += Array("what this release does not understand".utf8)
        try scratch.write(later, to: "log")
        var error: StoreError?
        do throws(StoreError) { _ = try open() } catch let refused { error = refused }
        #expect(error?.kind == .newerVersion(found: 7, known: 1))
        #expect(error?.description.hasSuffix("install the later release again, or move the file away") ?? false)
        #expect(try scratch.bytes("log") == later)
        #expect(!FileManager.default.fileExists(atPath: path + ".damaged"))
    }

    @Test func `without its directory there is no log, and the error names the mend`() {
        var error: StoreError?
        do throws(StoreError) {
            _ = try AppendLog(path: scratch.path("none/log"), capacity: 4096)
        } catch let refused {
            error = refused
        }
        #expect(error?.kind == .noDirectory)
    }

    @Test func `where nobody may write there is no log`() {
        var error: StoreError?
        do throws(StoreError) {
            _ = try AppendLog(path: "/sys/sextant.log", capacity: 4096)
        } catch let refused {
            error = refused
        }
        #expect(error?.kind == .notWritable)
    }
}
