internal import Receivers
internal import SextantUnits

/// The name under which the store keeps what the daemon has learned about a receiver.
///
/// The name contains the device and the model, so everything is learned anew for a different receiver.
enum LearnedName {
    /// The baud rate at which the daemon last understood the receiver on a device.
    case rate(device: String)
    /// The start times of a receiver of this model, and other facts that the power manager learns about it.
    case receiver(ReceiverModel, device: String)

    var text: String {
        switch self {
        case .rate(let device): "rate/\(device)"
        case .receiver(let model, let device): "receiver/\(model.rawValue)/\(device)"
        }
    }
}

/// The stored form of a learned baud rate: bits per second in 4 bytes, little-endian.
enum LearnedRate {
    static func encode(_ baud: Int) -> [UInt8] { UInt32(clamping: baud).encode() }

    /// Decodes a stored baud rate; nil if it is outside the range of receivers' rates.
    static func decode(_ bytes: [UInt8]) -> Int? {
        UInt32.decode(bytes.span).flatMap { (4800...921_600).contains($0) ? Int($0) : nil }
    }
}
