/// A decoded NMEA sentence.
public enum NMEAMessage: Sendable, Equatable {
    case gga(GGA)
    case gll(GLL)
    case gns(GNS)
    case gsa(GSA)
    case gsv(GSV)
    case rmc(RMC)
    case vtg(VTG)
    case zda(ZDA)
    case gst(GST)
    case gbs(GBS)
    case txt(TXT)
    case dtm(DTM)
    case attitude(AttitudeSentence)
    case pubx00(PUBX00)
    case psti030(PSTI030)
    case pgrme(PGRME)
    case pgrmz(PGRMZ)
    case pgrmf(PGRMF)
    case psrfepe(PSRFEPE)
    case ashtechPosition(AshtechPosition)
    case acknowledgement(CommandAcknowledgement)
    /// A sentence with a correct checksum whose kind is not decoded.
    case other

    /// Decodes a sentence that `NMEAFraming` has checked.
    ///
    /// An empty field becomes nil and is never guessed. An invalid position, time or number throws where the sentence
    /// is useless without it. A minor value out of range (a DOP, an age) becomes nil.
    @inline(__always)
    public init(
        _ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>
    ) throws(NMEAFieldError) {
        switch NMEAFormatter(fields, in: bytes) {
        case .gga: self = .gga(try GGA(fields, in: bytes))
        case .gll: self = .gll(try GLL(fields, in: bytes))
        case .gns: self = .gns(try GNS(fields, in: bytes))
        case .gsa: self = .gsa(try GSA(fields, in: bytes))
        case .gsv: self = .gsv(try GSV(fields, in: bytes))
        case .rmc: self = .rmc(try RMC(fields, in: bytes))
        case .vtg: self = .vtg(try VTG(fields, in: bytes))
        case .zda: self = .zda(try ZDA(fields, in: bytes))
        case .gst: self = .gst(try GST(fields, in: bytes))
        case .gbs: self = .gbs(try GBS(fields, in: bytes))
        case .txt: self = .txt(try TXT(fields, in: bytes))
        case .dtm: self = .dtm(try DTM(fields, in: bytes))
        case .hdt: self = .attitude(try AttitudeSentence(hdt: fields, in: bytes))
        case .ths: self = .attitude(try AttitudeSentence(ths: fields, in: bytes))
        case .hdg: self = .attitude(try AttitudeSentence(hdg: fields, in: bytes))
        case .hdm: self = .attitude(try AttitudeSentence(hdm: fields, in: bytes))
        case .rot: self = .attitude(try AttitudeSentence(rot: fields, in: bytes))
        case .psti036: self = .attitude(try AttitudeSentence(psti036: fields, in: bytes))
        case .ptnthtm: self = .attitude(try AttitudeSentence(ptnthtm: fields, in: bytes))
        case .ohpr: self = .attitude(try AttitudeSentence(ohpr: fields, in: bytes))
        case .pashr: self = .attitude(try AttitudeSentence(pashr: fields, in: bytes))
        case .pubx00: self = .pubx00(try PUBX00(fields, in: bytes))
        case .psti030: self = .psti030(try PSTI030(fields, in: bytes))
        case .pgrme: self = .pgrme(try PGRME(fields, in: bytes))
        case .pgrmz: self = .pgrmz(try PGRMZ(fields, in: bytes))
        case .pgrmf: self = .pgrmf(try PGRMF(fields, in: bytes))
        case .psrfepe: self = .psrfepe(try PSRFEPE(fields, in: bytes))
        case .ashtechPosition: self = .ashtechPosition(try AshtechPosition(fields, in: bytes))
        case .pmtk001: self = .acknowledgement(try CommandAcknowledgement(pmtk: fields, in: bytes))
        case .pair001: self = .acknowledgement(try CommandAcknowledgement(pair: fields, in: bytes))
        case .pcas: self = .acknowledgement(try CommandAcknowledgement(pcas: fields, in: bytes))
        case .other: self = .other
        }
    }
}

/// The sentence's kind: the last three letters of its address, or the name of a proprietary sentence.
public enum NMEAFormatter: UInt8, Sendable, CaseIterable {
    case gga, gll, gns, gsa, gsv, rmc, vtg, zda, gst, gbs, txt, dtm
    case hdt, ths, hdg, hdm, rot, psti036, ptnthtm, ohpr, pashr
    case pubx00, psti030, pgrme, pgrmz, pgrmf, psrfepe, ashtechPosition, pmtk001, pair001, pcas
    case other

    @inline(__always)
    public init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) {
        let address = fields.range(0)
        guard address.lowerBound == 1, bytes[0] == 0x24 else {
            self = .other
            return
        }
        // A proprietary sentence begins with P, and its name can end like a standard one, as Garmin's PGRMC does.
        // Quectel's standard sentences begin with the talker PQ.
        if address.count == 5, bytes[1] != 0x50 || bytes[2] == 0x51 {
            self = NMEAFormatter(letters: NMEAFormatter.code(bytes[3], bytes[4], bytes[5]))
        } else {
            self = .proprietary(fields, bytes, byteCount: address.count)
        }
    }

    @inline(never)
    private static func proprietary(
        _ fields: borrowing NMEAFields, _ bytes: borrowing Span<UInt8>, byteCount: Int
    ) -> NMEAFormatter {
        switch byteCount {
        case 4 where NMEAFormatter.begins(bytes, 0x50, 0x55, 0x42, 0x58):  // PUBX
            fields.integer(1, in: bytes) == 0 ? .pubx00 : .other
        case 4 where NMEAFormatter.begins(bytes, 0x50, 0x53, 0x54, 0x49):  // PSTI
            skyTraq(fields.integer(1, in: bytes))
        case 4 where NMEAFormatter.begins(bytes, 0x4F, 0x48, 0x50, 0x52): .ohpr
        case 5 where NMEAFormatter.begins(bytes, 0x50, 0x47, 0x52, 0x4D): garmin(bytes[5])  // PGRM
        case 5 where NMEAFormatter.begins(bytes, 0x50, 0x41, 0x53, 0x48) && bytes[5] == 0x52:  // PASHR
            ashtech(fields, bytes)
        case 6 where NMEAFormatter.begins(bytes, 0x50, 0x43, 0x41, 0x53): .pcas
        case 7 where NMEAFormatter.begins(bytes, 0x50, 0x4D, 0x54, 0x4B): acknowledged(bytes, .pmtk001)
        case 7 where NMEAFormatter.begins(bytes, 0x50, 0x41, 0x49, 0x52): acknowledged(bytes, .pair001)
        case 7 where NMEAFormatter.begins(bytes, 0x50, 0x53, 0x52, 0x46):  // PSRF
            bytes[5] == 0x45 && bytes[6] == 0x50 && bytes[7] == 0x45 ? .psrfepe : .other
        case 7 where NMEAFormatter.begins(bytes, 0x50, 0x54, 0x4E, 0x54):  // PTNT
            bytes[5] == 0x48 && bytes[6] == 0x54 && bytes[7] == 0x4D ? .ptnthtm : .other
        default: .other
        }
    }

    private static func skyTraq(_ number: Int?) -> NMEAFormatter {
        switch number {
        case 30: .psti030
        case 36: .psti036
        default: .other
        }
    }

    private static func garmin(_ letter: UInt8) -> NMEAFormatter {
        switch letter {
        case 0x45: .pgrme
        case 0x46: .pgrmf
        case 0x5A: .pgrmz
        default: .other
        }
    }

    /// The kind of a PASHR sentence, by its field 1: Ashtech's own sentences have the kind's name there, those of
    /// inertial systems a time.
    private static func ashtech(_ fields: borrowing NMEAFields, _ bytes: borrowing Span<UInt8>) -> NMEAFormatter {
        let kind = fields.range(1)
        guard let first = fields.character(1, in: bytes) else { return .other }
        if first >= 0x30, first <= 0x39 { return .pashr }
        let isPosition =
            kind.count == 3 && first == 0x50 && bytes[kind.lowerBound + 1] == 0x4F
            && bytes[kind.lowerBound + 2] == 0x53
        return isPosition ? .ashtechPosition : .other
    }

    private static func begins(
        _ bytes: borrowing Span<UInt8>, _ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8
    ) -> Bool {
        bytes[1] == first && bytes[2] == second && bytes[3] == third && bytes[4] == fourth
    }

    private static func acknowledged(_ bytes: borrowing Span<UInt8>, _ kind: NMEAFormatter) -> NMEAFormatter {
        bytes[5] == 0x30 && bytes[6] == 0x30 && bytes[7] == 0x31 ? kind : .other
    }

    @inline(__always)
    private static func code(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt32 {
        UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
    }

    @inline(__always)
    private init(letters: UInt32) {
        switch letters {
        case 0x47_47_41: self = .gga
        case 0x47_4C_4C: self = .gll
        case 0x47_4E_53: self = .gns
        case 0x47_53_41: self = .gsa
        case 0x47_53_56: self = .gsv
        case 0x52_4D_43: self = .rmc
        case 0x56_54_47: self = .vtg
        case 0x5A_44_41: self = .zda
        case 0x47_53_54: self = .gst
        case 0x47_42_53: self = .gbs
        case 0x54_58_54: self = .txt
        case 0x44_54_4D: self = .dtm
        case 0x48_44_54: self = .hdt
        case 0x54_48_53: self = .ths
        case 0x48_44_47: self = .hdg
        case 0x48_44_4D: self = .hdm
        case 0x52_4F_54: self = .rot
        default: self = .other
        }
    }
}

extension NMEAFields {
    /// The talker, from the address's first two letters.
    @inline(__always)
    public func talker(in bytes: borrowing Span<UInt8>) -> NMEATalker {
        range(0).count >= 2 ? NMEATalker(bytes[1], bytes[2]) : NMEATalker(rawValue: 0)
    }

    /// Throws where a sentence has fewer fields, its address included, than in any version of its standard.
    @inline(__always)
    func require(_ expected: Int) throws(NMEAFieldError) {
        guard count >= expected else { throw .tooFewFields(expected: expected, actual: count) }
    }

    /// A single hexadecimal digit, the form in which system and signal ids are written.
    @inline(__always)
    func hexadecimalDigit(_ index: Int, in bytes: borrowing Span<UInt8>) -> Int? {
        let field = range(index)
        guard field.count == 1 else { return integer(index, in: bytes) }
        let byte = bytes[field.lowerBound]
        switch byte {
        case 0x30...0x39: return Int(byte - 0x30)
        case 0x41...0x46: return Int(byte - 0x37)
        default: return nil
        }
    }
}
