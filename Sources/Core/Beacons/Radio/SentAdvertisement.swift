/// The daemon's own advertisement at the kernel, which goes on sending it after the daemon's end.
///
/// The kernel does not say whose an advertisement is, nor what is in it: a later daemon knows its predecessor's by
/// having been told its number. Source: BlueZ, `doc/mgmt-api.txt`, Read Advertising Features.
public struct SentAdvertisement: Sendable, Hashable {
    public var controller: UInt16
    /// The kernel's number of it, counted from 1.
    public var instance: UInt8

    public init(controller: UInt16, instance: UInt8) {
        self.controller = controller
        self.instance = instance
    }

    /// Reads what `text` wrote; nil for anything else.
    public init?(parsing text: some StringProtocol) {
        let words = text.split { $0.isWhitespace }
        guard words.count == 2, let controller = UInt16(words[0]), let instance = UInt8(words[1]), instance > 0 else {
            return nil
        }
        self.init(controller: controller, instance: instance)
    }

    /// A line with both numbers, for a file.
    public var text: String { "\(controller) \(instance)\n" }

    /// The command that ends it.
    public var removal: [UInt8] {
        ManagementCommand.removeAdvertising(controller: controller, instance: instance).encode()
    }
}

extension SentAdvertisement? {
    /// The daemon's advertisement once the kernel has a command, which may add or remove it.
    public func after(command bytes: [UInt8]) -> SentAdvertisement? {
        let span = bytes.span
        guard span.count > 6 else { return self }
        let named = SentAdvertisement(controller: span.littleEndian(UInt16.self, at: 2), instance: span[6])
        switch span.littleEndian(UInt16.self, at: 0) {
        case ManagementCommand.addAdvertisingCode: return named
        case ManagementCommand.removeAdvertisingCode: return self == named ? nil : self
        default: return self
        }
    }

    /// The daemon's advertisement after an event: it is gone where it was refused, was removed by another program, or went
    /// with its controller, and its number is free for others then.
    public func after(event bytes: borrowing Span<UInt8>) -> SentAdvertisement? {
        guard let own = self, let event = try? ManagementEvent(bytes) else { return self }
        switch event {
        case .answer(to: ManagementCommand.addAdvertisingCode, own.controller, let status, _):
            return status == .success ? own : nil
        case .advertisingRemoved(own.controller, own.instance), .controllerRemoved(own.controller): return nil
        default: return own
        }
    }
}
