internal import NMEA0183

extension ReceiverIdentity {
    /// Reads the identity in `$PMTK705,release,build,product,…`, `$PAIR020,version,…` or a CASIC text; nil for others.
    init?(sentence fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) {
        let address = fields.range(0)
        if Self.text(bytes, address) == "PMTK705" {
            let firmware = Self.text(bytes, fields.range(1))
            self.init(mediaTek: firmware, product: Self.text(bytes, fields.range(3)))
        } else if Self.text(bytes, address) == "PAIR020", fields.count >= 2 {
            self.init(airoha: Self.text(bytes, fields.range(1)))
        } else {
            guard case .txt(let message) = try? NMEAMessage(fields, in: bytes) else { return nil }
            self.init(casic: Self.text(bytes, message.text))
        }
    }

    private static func text(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> String {
        var text = ""
        for index in range { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
        return text
    }
}
