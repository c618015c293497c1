internal import CChip
internal import Engine
internal import SextantUnits

/// The program on a microcontroller: it takes the file that its command line names, replays a flight recording or
/// decodes a receiver's recording, and prints one line.
///
/// Exit status: 0 if all outputs equal the recorded outputs; 1 if they differ; 65 if the file is no recording that this
/// version reads; 70 after a fault or a full memory; 74 if the file cannot be read.
@main
struct ReplayOnChip {
    /// The largest number of bytes read from the file at once; of the file, only these and the longest record are held
    /// in memory.
    static let pieceSize = 1024

    static func main() {
        let name = unsafe String(cString: chip_argument())
        let (result, status) = replay(name, isRestart: chip_is_restart() != 0)
        print("\(name): \(result)")
        chip_exit(status)
    }

    /// - Parameter isRestart: Whether the program was restarted after inputs that ended it: the Engine then gets only
    ///   the beginning of the recording, which is its configuration and the store's rows.
    private static func replay(_ name: String, isRestart: Bool) -> (String, Int32) {
        let file = unsafe name.withCString { unsafe chip_open($0) }
        guard file >= 0 else { return ("cannot be opened", 74) }
        var first: [UInt8] = []
        // `Replay` needs the whole header of the recording in its first bytes.
        while first.count < FlightFormat.head.count {
            guard let piece = piece(of: file) else { return ("cannot be read", 74) }
            guard !piece.isEmpty else { break }
            first += piece
        }
        var replay: Replay
        do throws(FlightFormatError) {
            replay = try Replay(first)
        } catch {
            guard first.starts(with: FlightFormat.family) else {
                let (words, status) = ReceiverRecording.decode(first) { piece(of: file) }
                return ("\(words); heap \(chip_heap_used()) bytes, stack \(chip_stack_used()) bytes", status)
            }
            let version = String(decoding: FlightFormat.head.dropLast(), as: UTF8.self)
            return ("is a recording of another version; this program reads \(version) and the one before", 65)
        }
        var firstDifference: Int?
        var (ticks, most): (UInt64, UInt32) = (0, 0)
        do throws(FlightFormatError) {
            repeat {
                while true {
                    let began = chip_ticks()
                    var isLoaded = false
                    guard try replay.step({ stamped, _ in if case .storeRead = stamped.input { isLoaded = true } })
                    else { break }
                    if isRestart, isLoaded { return ("started anew with \(replay.inputs) inputs up to its rows", 70) }
                    let taken = (chip_ticks() &- began) & UInt32(chip_greatest_tick)
                    ticks += UInt64(taken)
                    most = max(most, taken)
                    if replay.differences == 1, firstDifference == nil { firstDifference = replay.inputs }
                }
                guard let piece = piece(of: file) else { return ("cannot be read to its end", 74) }
                guard !piece.isEmpty else { break }
                replay.append(piece)
            } while true
        } catch {
            switch error {
            case .notARecording: return ("does not begin with its configuration", 65)
            case .damaged(let offset):
                return ("damaged at byte \(offset), behind \(replay.inputs) inputs, checksum \(replay.check.value)", 65)
            }
        }
        var words = "\(replay.inputs) inputs, \(replay.differences) with other outputs than recorded"
        words += ", checksum \(replay.check.value)"
        if let firstDifference { words += ", the first is input \(firstDifference)" }
        words += "; heap \(chip_heap_used()) bytes, stack \(chip_stack_used()) bytes"
        let instructions = UInt64(chip_instructions_per_tick)
        words += ", \(ticks * instructions) instructions, at most \(UInt64(most) * instructions) for an input"
        if replay.isTruncated { words += "; its last record was cut off" }
        return (words, replay.differences == 0 ? 0 : 1)
    }

    /// The bytes of the file that follow those read before; empty at its end, nil if it cannot be read.
    private static func piece(of file: Int32) -> [UInt8]? {
        var isRead = true
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: pieceSize) { bytes, count in
            let result = unsafe chip_read(file, bytes.baseAddress, Int32(bytes.count))
            isRead = result >= 0
            count = max(0, Int(result))
        }
        return isRead ? piece : nil
    }
}
