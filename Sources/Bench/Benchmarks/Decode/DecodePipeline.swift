internal import ArgumentParser
internal import Epochs
internal import GNSS
internal import GPSDProtocol
internal import SextantJSON
internal import SextantUnits

/// The work that the benchmark of decoding does with the receiver's bytes.
enum DecodeWork: String, CaseIterable, ExpressibleByArgument {
    /// Decodes the bytes to epochs, which are inspected and dropped.
    case fixes
    /// Decodes the bytes and encodes each epoch as TPV and SKY objects of gpsd in memory.
    case gpsd
}

/// The decoder as used by `sextant decode` and the daemon, applied to bytes in memory.
struct DecodePipeline: ~Copyable {
    private let work: DecodeWork
    private var decoder = EpochDecoder(reference: .notAfter(BuildDate.instant), source: .recording)
    private var report = GPSDReport()
    private var text = TextBuffer(capacity: 1 << 18)
    /// The number of epochs closed.
    private(set) var epochs = 0
    /// The number of epochs with a position; an input in which it stays 0 is refused.
    private(set) var positions = 0

    /// The number of bytes that the decoder gets at once, as many as one read of a file returns.
    private static let pieceByteCount = 65_536

    init(_ work: DecodeWork) { self.work = work }

    /// The number of complete NMEA sentences and UBX frames found.
    var messages: Int { Int(decoder.stream.counters.sentences + decoder.stream.counters.frames) }

    /// Decodes all of `bytes`; a message that is unfinished at the end continues in the next call.
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
