/// Plays a receiver's recorded bytes at their original pace, epoch by epoch.
///
/// The bytes of all epochs together are the file, byte for byte, without the comment lines (`# `) at its head. Bytes
/// before the first time in the file belong to the first epoch. A file without any time is played at the pace of its
/// serial line.
public struct RecordingPlayer: Sendable {
    /// The number of bytes that are played together if the recording has no times.
    private static let untimedBurst = 256

    private let bytes: [UInt8]
    private let cuts: [(position: Int, offset: Int64)]
    private let lapLength: Int64
    private let isLooping: Bool
    private var index = 0
    private var lapStart: Int64 = 0

    /// The median time between epochs in nanoseconds; nil if the recording has no times.
    public let usualPeriod: Int64?
    /// The number of epochs in one pass through the recording; without times, the number of pieces of bytes.
    public var burstCount: Int { cuts.count }

    /// Makes a player; the pace `bitsPerSecond` is used only for a recording without times.
    public init(recording: [UInt8], bitsPerSecond: Int, isLooping: Bool) {
        precondition(bitsPerSecond > 0, "a serial line has a speed")
        bytes = recording
        self.isLooping = isLooping
        let start = Self.endOfComments(in: recording)
        let index = RecordingIndex(of: recording, from: start)
        if index.marks.isEmpty {
            let lineTime = { (count: Int) in Int64(count) * 10_000_000_000 / Int64(bitsPerSecond) }
            cuts = stride(from: start, to: recording.count, by: Self.untimedBurst).map { ($0, lineTime($0 - start)) }
            lapLength = lineTime(recording.count - start)
            usualPeriod = nil
        } else {
            var offset: Int64 = 0
            cuts = index.marks.map { mark in
                offset += mark.step
                return (mark.position, offset)
            }
            lapLength = offset + index.usualStep
            usualPeriod = index.usualStep
        }
    }

    /// The bytes of the next epoch; nil after the last epoch, unless the recording loops.
    public mutating func nextBurst() -> Burst? {
        if index == cuts.count, isLooping, !cuts.isEmpty {
            index = 0
            lapStart += lapLength
        }
        guard index < cuts.count else { return nil }
        let cut = cuts[index]
        index += 1
        let end = index < cuts.count ? cuts[index].position : bytes.count
        return Burst(offset: lapStart + cut.offset, bytes: Array(bytes[cut.position..<end]))
    }

    /// The position after the comment lines at the recording's head, which begin with `# ` or consist of `#` alone.
    private static func endOfComments(in bytes: [UInt8]) -> Int {
        var position = 0
        while position < bytes.count, bytes[position] == UInt8(ascii: "#") {
            let isComment = position + 1 == bytes.count || [0x20, 0x0A, 0x0D].contains(bytes[position + 1])
            guard isComment else { break }
            guard let lineFeed = bytes[position...].firstIndex(of: 0x0A) else { return bytes.count }
            position = lineFeed + 1
        }
        return position
    }
}
