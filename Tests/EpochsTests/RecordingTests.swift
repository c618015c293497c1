import ClientProtocol
import ClientVocabulary
import Epochs
import Foundation
import GNSS
import NMEA0183
import SextantJSON
import SextantUnits
import Testing
import UBX

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
        var decoder = EpochDecoder(reference: .notAfter(BuildDate.instant), source: .recording)
        var lines: [String] = []
        var start = 0
        while start < bytes.count {
            start += decoder.append(bytes.span.extracting(start..<min(bytes.count, start + size)))
            while decoder.advance(at: .zero) { collect(decoder, &lines) }
        }
        while decoder.abandonPartialMessage() {
            while decoder.advance(at: .zero) { collect(decoder, &lines) }
        }
        decoder.finish()
        collect(decoder, &lines)
        return lines
    }

    private func collect(_ decoder: EpochDecoder, _ lines: inout [String]) {
        for index in decoder.closedEpochs {
            var text = TextBuffer()
            EpochObject.append(decoder.closed(index), event: .epoch, hasSatellites: true, to: &text)
            lines.append(text.string)
        }
    }

    @Test(
        .enabled(
            if: !Recordings.names.isEmpty, "no shared/data/gpsd beside the package, nor under SEXTANT_SHARED"),
        arguments: Recordings.names)
    func `pieces of every size give the same epochs`(name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Recordings.folder.appending(path: name)))
        let whole = decode(bytes, pieces: bytes.count)
        #expect(!whole.isEmpty)
        for size in [1, 7, 64] { #expect(decode(bytes, pieces: size) == whole, "pieces of \(size)") }
        for line in whole { #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(line)") }
    }
}
