import ClientProtocol
import Epochs
import Foundation
import GNSS
import JSONText
import NMEA0183
import ReceiverStream
import Testing
import UBX
import Units

/// Recordings of gpsd's test suite; they are not part of this package.
enum Recordings {
    static let folder: URL = {
        if let shared = ProcessInfo.processInfo.environment["SEXTANT_SHARED"] {
            return URL(filePath: shared).appending(path: "data/gpsd")
        }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return root.deletingLastPathComponent().appending(path: "shared/data/gpsd")
    }()

    static let names: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { $0.hasSuffix(".log") }.sorted()
    }()
}

@Suite("Recordings")
struct RecordingTests {
    /// Every epoch as a line of JSON, by pieces of `size`.
    private func decode(_ bytes: [UInt8], pieces size: Int) -> [String] {
        var stream = ReceiverStream()
        var assembler = EpochAssembler(reference: .notAfter(BuildDate.instant))
        var lines: [String] = []
        var start = 0
        while start < bytes.count {
            start += stream.append(bytes.span.extracting(start..<min(bytes.count, start + size)))
            drain(&stream, &assembler, &lines)
        }
        while stream.hasPartialMessage {
            stream.abandonPartialMessage()
            drain(&stream, &assembler, &lines)
        }
        assembler.finish()
        collect(assembler, &lines)
        return lines
    }

    private func drain(_ stream: inout ReceiverStream, _ assembler: inout EpochAssembler, _ lines: inout [String]) {
        while let message = stream.next() {
            let bytes = stream.window.span.extracting(stream.range)
            switch message {
            case .sentence:
                guard (try? assembler.push(stream.fields, in: bytes, at: .zero)) != nil else { continue }
            case .frame:
                let payload = bytes.extracting(UBXFraming.payloadRange(frameLength: bytes.count))
                guard (try? assembler.push(UBXFraming.identifier(of: bytes), payload: payload, at: .zero)) != nil
                else { continue }
            }
            collect(assembler, &lines)
        }
    }

    private func collect(_ assembler: EpochAssembler, _ lines: inout [String]) {
        for index in assembler.closedEpochs {
            var text = TextBuffer()
            EpochObject.append(assembler.closed(index), event: "epoch", hasSatellites: true, to: &text)
            lines.append(text.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) })
        }
    }

    @Test(
        .enabled(
            if: !Recordings.names.isEmpty,
            "no recordings in \(Recordings.folder.path); SEXTANT_SHARED names their folder's"),
        arguments: Recordings.names)
    func `pieces of every size give the same epochs`(name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Recordings.folder.appending(path: name)))
        let whole = decode(bytes, pieces: bytes.count)
        #expect(!whole.isEmpty)
        for size in [1, 7, 64] { #expect(decode(bytes, pieces: size) == whole, "pieces of \(size)") }
        for line in whole { #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(line)") }
    }
}
