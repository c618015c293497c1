internal import NMEA0183
internal import SextantUnits

/// A sentence's time and its role in the order of an epoch, read before its values are used.
struct NMEATiming {
    /// The time of day in nanoseconds since midnight UTC; nil where the sentence has no time, or its time field is
    /// empty.
    var timeOfDay: Int64?
    var date: CivilDate?
    /// Whether the sentence belongs to a navigation solution at all.
    var isNavigation = true
    /// Whether the sentence's kind carries a time, so that the sentence can begin an epoch.
    var canBegin = false
    /// Whether an epoch can end with the sentence; false in the middle of a sky view.
    var canEnd = true
    /// True where the sentence says that there is a fix, false where it says that there is none, nil otherwise.
    var hasFix: Bool?
    var signal: UInt8 = 0
    /// Whether the sentence gives the vehicle's attitude, such as its heading or pitch.
    var isAttitude = false

    init(_ message: NMEAMessage) {
        self.init()
        switch message {
        case .gga(let gga): self = NMEATiming(gga)
        case .gns(let gns): begins(gns.timeOfDay, hasFix: gns.mode.map { $0 != .notValid })
        case .gll(let gll): self = NMEATiming(gll)
        case .rmc(let rmc): self = NMEATiming(rmc)
        case .zda(let zda):
            begins(zda.timeOfDay, hasFix: nil)
            date = zda.date
        case .gst(let gst): begins(gst.timeOfDay, hasFix: nil)
        case .gbs(let gbs): begins(gbs.timeOfDay, hasFix: nil)
        case .psrfepe(let errors): begins(errors.timeOfDay, hasFix: nil)
        case .pubx00(let pubx): begins(pubx.timeOfDay, hasFix: pubx.status.map { $0 != .noFix })
        case .ashtechPosition(let fix): begins(fix.timeOfDay, hasFix: fix.kind != nil)
        case .psti030(let psti):
            begins(psti.timeOfDay, hasFix: psti.isValid)
            date = psti.date
        case .pgrmf(let fix):
            begins(fix.timeOfDay, hasFix: fix.mode.map { $0 != .noFix })
            date = fix.date
        case .gsv(let view): self = NMEATiming(view)
        case .attitude: isAttitude = true
        case .gsa, .vtg, .pgrme, .pgrmz: break
        case .dtm: canEnd = false
        case .txt, .acknowledgement, .other: isNavigation = false
        }
    }

    /// A sentence without a time.
    init() {}

    init(_ gga: GGA) { begins(gga.timeOfDay, hasFix: gga.quality.map { $0 != .invalid }) }

    init(_ gll: GLL) { begins(gll.timeOfDay, hasFix: gll.isValid) }

    init(_ rmc: RMC) {
        begins(rmc.timeOfDay, hasFix: rmc.isValid ?? false)
        date = rmc.date
    }

    init(_ view: GSV) {
        canEnd = view.sentenceNumber >= view.sentenceCount
        signal = UInt8(clamping: view.signalID ?? 0)
    }

    private mutating func begins(_ time: Int64?, hasFix: Bool?) {
        timeOfDay = time
        canBegin = true
        self.hasFix = hasFix
    }
}
