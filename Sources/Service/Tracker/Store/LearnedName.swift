internal import Receivers
internal import SextantUnits

/// The name under which the store keeps facts learned about a receiver; for another device or model they are learned
/// anew.
enum LearnedName {
    /// The rate at which the receiver at a device was last heard.
    case rate(device: String)
    /// The start times of a model's receiver, and other facts that the receiver's manager keeps.
    case receiver(ReceiverModel, device: String)

    var text: String {
        switch self {
        case .rate(let device): "rate/\(device)"
        case .receiver(let model, let device): "receiver/\(model.rawValue)/\(device)"
        }
    }
}

/// A learned bit rate as it is stored: 4 bytes, little-endian, bits per second.
enum LearnedRate {
    static func encode(_ baud: Int) -> [UInt8] { UInt32(clamping: baud).encode() }

    /// Decodes a stored rate; nil where it is no rate that a receiver has.
    static func decode(_ bytes: [UInt8]) -> Int? {
        UInt32.decode(bytes.span).flatMap { (4800...921_600).contains($0) ? Int($0) : nil }
    }
}
