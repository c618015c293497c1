internal import ArgumentParser
internal import Epochs
internal import GNSS
internal import GPSDProtocol
internal import JSON
internal import Units

/// What is done with the bytes.
enum DecodeWork: String, CaseIterable, ExpressibleByArgument {
    /// Bytes to epochs, which are looked at and forgotten.
    case fixes
    /// Bytes to TPV and SKY objects in memory.
    case gpsd
}

/// The decoder as `sextant decode` and the daemon run it, over bytes in memory.
struct DecodePipeline: ~Copyable {
    private let work: DecodeWork
    private var decoder = EpochDecoder(reference: .notAfter(BuildDate.instant), source: .recording)
    private var report = GPSDReport()
    private var text = TextBuffer(capacity: 1 << 18)
    /// Epochs closed.
    private(set) var epochs = 0
    /// Epochs that say where the receiver is: proof that they were looked at.
    private(set) var positions = 0

    /// As much as a read of a file brings.
    private static let pieceByteCount = 65_536

    init(_ work: DecodeWork) { self.work = work }

    /// Whole messages found.
    var messages: Int { Int(decoder.stream.counters.sentences + decoder.stream.counters.frames) }

    /// Takes all of `bytes`; what they begin and do not end goes on with the next call.
    mutating func run(_ bytes: borrowing Span<UInt8>) {
        var offset = 0
        while offset < bytes.count {
            let piece = bytes.extracting(offset..<min(bytes.count, offset + DecodePipeline.pieceByteCount))
            offset += decoder.append(piece)
            while decoder.advance(at: .zero) {
                for index in decoder.closedEpochs { take(decoder.closed(index)) }
            }
        }
    }

    private mutating func take(_ epoch: Epoch) {
        epochs += 1
        if epoch.fix.hasPosition { positions += 1 }
        guard work == .gpsd else { return }
        report.append(epoch, device: nil, to: &text)
        if text.count > 1 << 17 { text.removeAll() }
    }
}
