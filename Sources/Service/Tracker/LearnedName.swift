internal import Receivers
internal import Units

/// Under which name the store has what was learned about a receiver; another device or model learns anew.
enum LearnedName {
    /// The rate at which the receiver at a device was last heard.
    case rate(device: String)
    /// How a receiver of a model starts, and what else its manager keeps.
    case receiver(ReceiverModel, device: String)

    var text: String {
        switch self {
        case .rate(let device): "rate/\(device)"
        case .receiver(let model, let device): "receiver/\(model.rawValue)/\(device)"
        }
    }
}

/// A rate as it is kept: 4 bytes, little-endian, bits per second.
enum LearnedRate {
    static func encode(_ baud: Int) -> [UInt8] {
        var record = RecordWriter()
        record.write(UInt32(clamping: baud))
        return record.bytes
    }

    /// Nil where it is no rate that a receiver has.
    static func decode(_ bytes: [UInt8]) -> Int? {
        var record = RecordReader(bytes.span)
        guard let baud = record.integer(UInt32.self), record.isAtEnd, (4800...921_600).contains(baud) else {
            return nil
        }
        return Int(baud)
    }
}
