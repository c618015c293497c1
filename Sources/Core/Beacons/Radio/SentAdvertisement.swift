/// The daemon's own advertisement, which the kernel continues to send after the daemon has ended.
///
/// The kernel tells neither the owner nor the content of an advertisement. A later daemon therefore recognises the
/// advertisement of an earlier one only by its stored number. Source: BlueZ, `doc/mgmt-api.txt`, Read Advertising
/// Features.
public struct SentAdvertisement: Sendable, Hashable {
    public var controller: UInt16
    /// The kernel's instance number of the advertisement, counted from 1.
    public var instance: UInt8

    public init(controller: UInt16, instance: UInt8) {
        self.controller = controller
        self.instance = instance
    }

    /// Parses a line with the numbers of the controller and of the advertisement, as the property `text` writes it; nil
    /// for any other text.
    public init?(parsing text: some StringProtocol) {
        let words = text.split { $0.isWhitespace }
        guard words.count == 2, let controller = UInt16(words[0]), let instance = UInt8(words[1]), instance > 0 else {
            return nil
        }
        self.init(controller: controller, instance: instance)
    }

    /// The numbers of the controller and of the advertisement as a line for a file.
    public var text: String { "\(controller) \(instance)\n" }

    /// The command that removes the advertisement.
    public var removal: [UInt8] {
        ManagementCommand.removeAdvertising(controller: controller, instance: instance).encode()
    }
}

extension SentAdvertisement? {
    /// The daemon's advertisement after a command was sent to the kernel; the command can add or remove it.
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

    /// The daemon's advertisement after an event of the kernel.
    ///
    /// The result is nil if the advertisement was refused, if another program removed it, or if its controller was
    /// removed. Other programs can then use the advertisement's number.
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
