import Epochs
import NMEA0183
import UBX

/// What came out of a stream: the messages' bytes in order, and its counters.
struct Heard: Equatable {
    var messages: [[UInt8]] = []
    var counters = ReceiverStream.Counters()
    var pending = false
}

/// Feeds `bytes` in pieces of `size`, as the documentation says: append, then next until nil.
func hear(_ bytes: [UInt8], pieces size: Int, abandoning: Bool = false) -> Heard {
    var stream = ReceiverStream()
    var heard = Heard()
    var start = 0
    while start < bytes.count {
        let end = min(bytes.count, start + size)
        start += stream.append(bytes.span.extracting(start..<end))
        drain(&stream, &heard)
    }
    while abandoning, stream.hasPartialMessage {
        stream.abandonPartialMessage()
        drain(&stream, &heard)
    }
    heard.counters = stream.counters
    heard.pending = stream.hasPartialMessage
    return heard
}

private func drain(_ stream: inout ReceiverStream, _ heard: inout Heard) {
    while stream.next() != nil { heard.messages.append(Array(stream.window[stream.range])) }
}

func sentence(_ body: String) -> [UInt8] {
    var bytes: [UInt8] = []
    NMEAEncoder.append(body, to: &bytes)
    return bytes.dropLast(2)
}

let lineEnd: [UInt8] = [0x0D, 0x0A]
