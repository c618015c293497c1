internal import Hardware

extension EmulatedCP2112 {
    /// The numbers of the HID reports with which the host makes SMBus transfers.
    ///
    /// Source: AN495, section 5.
    private enum TransferReport {
        static let read: UInt8 = 0x10
        static let writeRead: UInt8 = 0x11
        static let forceRead: UInt8 = 0x12
        static let readResponse: UInt8 = 0x13
        static let write: UInt8 = 0x14
        static let statusRequest: UInt8 = 0x15
        static let statusResponse: UInt8 = 0x16
        static let cancel: UInt8 = 0x17
    }

    /// The CP2112's last SMBus transfer, as its status response reports it.
    struct Transfer {
        /// The state of a transfer; a status response reports it in its bytes "status 0" and "status 1".
        enum State {
            case idle
            /// The address has not been acknowledged yet; a transfer on a stuck bus stays in this state until it is
            /// cancelled.
            case busy
            case complete
            /// The transfer ended with the error "timeout, address not acknowledged".
            case notAcknowledged

            var bytes: [UInt8] {
                switch self {
                case .idle: [0x00, 0x00]
                case .busy: [0x01, 0x00]
                case .complete: [0x02, 0x05]
                case .notAcknowledged: [0x03, 0x00]
                }
            }
        }

        var state = State.idle
        /// Bytes that were read and that the host has not fetched yet.
        var data: [UInt8] = []
        /// The number of bytes that were read.
        var count = 0
    }

    /// The number of data bytes that fit into one read response.
    private static let responseCapacity = 61
    /// The largest number of bytes that one transfer can read.
    private static let longestRead = 512

    /// Takes an HID output report from the host; the first byte is the report's number.
    ///
    /// - Returns: The input report with the answer; nil if there is no answer.
    public mutating func output(_ report: [UInt8]) -> [UInt8]? {
        guard let number = report.first else { return nil }
        switch number {
        case TransferReport.read where report.count >= 4:
            begin(report[1], [], reads: length(report, at: 2))
        case TransferReport.writeRead where report.count >= 5 && report.count >= 5 + Int(report[4]):
            begin(report[1], Array(report[5..<5 + Int(report[4])]), reads: length(report, at: 2))
        case TransferReport.write where report.count >= 3 && report.count >= 3 + Int(report[2]):
            begin(report[1], Array(report[3..<3 + Int(report[2])]), reads: 0)
        case TransferReport.forceRead where report.count >= 3: return readResponse(length(report, at: 1))
        case TransferReport.statusRequest: return statusResponse()
        case TransferReport.cancel: transfer = Transfer()
        default: break
        }
        return nil
    }

    private func length(_ report: [UInt8], at index: Int) -> Int { Int(report[index]) << 8 | Int(report[index + 1]) }

    /// Begins an SMBus transfer: writes `written` and then, if `count` is more than 0, reads `count` bytes after a
    /// repeated start.
    private mutating func begin(_ wireAddress: UInt8, _ written: [UInt8], reads count: Int) {
        transfer = Transfer()
        guard !isBusStuck else {
            transfer.state = .busy
            return
        }
        let address = I2CAddress(wireAddress >> 1)
        guard let data = carryOut(address, written, reads: min(count, Self.longestRead)) else {
            transfer.state = .notAcknowledged
            return
        }
        transfer = Transfer(state: .complete, data: data, count: data.count)
    }

    /// Carries out a transfer and returns the bytes read; nil if the transfer is not acknowledged.
    private func carryOut(_ address: I2CAddress, _ written: [UInt8], reads count: Int) -> [UInt8]? {
        guard !silentAddresses.contains(address),
            let chip = chips.first(where: { $0.addresses.contains(address) }),
            written.isEmpty && count > 0 || chip.write(written, at: address)
        else { return nil }
        return count > 0 ? chip.read(count, at: address) : []
    }

    private func statusResponse() -> [UInt8] {
        [TransferReport.statusResponse] + transfer.state.bytes
            + [0, 0, UInt8(transfer.count >> 8), UInt8(transfer.count & 0xFF)]
    }

    private mutating func readResponse(_ wanted: Int) -> [UInt8] {
        let count = min(wanted, transfer.data.count, Self.responseCapacity)
        let piece = Array(transfer.data.prefix(count))
        transfer.data.removeFirst(count)
        let padding = [UInt8](repeating: 0, count: Self.responseCapacity - count)
        return [TransferReport.readResponse] + [transfer.state.bytes[0], UInt8(count)] + piece + padding
    }
}
