internal import UBX

/// Runs the UBX decoder for a message's identifier; every decoder is included.
enum UBXDecoders {
    static func decode(_ id: UBXMessageID, _ payload: borrowing Span<UInt8>) {
        switch id {
        case .navPVT: one(NavPVT.self, payload)
        case .navPOSECEF: one(NavPOSECEF.self, payload)
        case .navPOSLLH: one(NavPOSLLH.self, payload)
        case .navSTATUS: one(NavSTATUS.self, payload)
        case .navDOP: one(NavDOP.self, payload)
        case .navSOL: one(NavSOL.self, payload)
        case .navVELECEF: one(NavVELECEF.self, payload)
        case .navVELNED: one(NavVELNED.self, payload)
        case .navHPPOSLLH: one(NavHPPOSLLH.self, payload)
        case .navTIMEGPS: one(NavTIMEGPS.self, payload)
        case .navTIMEUTC: one(NavTIMEUTC.self, payload)
        case .navTIMELS: one(NavTIMELS.self, payload)
        case .navEOE: one(NavEOE.self, payload)
        case .hnrPVT: one(HnrPVT.self, payload)
        case .navSAT, .navSVINFO: sky(payload)
        case .monVER: one(MonVER.self, payload)
        case .monRXR: one(MonRXR.self, payload)
        case .ackAck: one(AckAck.self, payload)
        case .ackNak: one(AckNak.self, payload)
        case .mgaACK: one(MgaACK.self, payload)
        case .mgaDBD: _ = try? MgaDBD(payload: payload)
        case .mgaINI:
            one(MgaINITimeUTC.self, payload)
            one(MgaINIPosLLH.self, payload)
        case .updSOS: one(UpdSOS.self, payload)
        case .cfgPRT: one(CfgPRT.self, payload)
        case .cfgNAV5: one(CfgNAV5.self, payload)
        case .cfgPM2: one(CfgPM2.self, payload)
        case .cfgRST: one(CfgRST.self, payload)
        case .cfgRXM: one(CfgRXM.self, payload)
        case .cfgRATE: one(CfgRATE.self, payload)
        case .cfgMSG: one(CfgMSG.self, payload)
        case .cfgCFG: one(CfgCFG.self, payload)
        case .rxmPMREQ: one(RxmPMREQ.self, payload)
        case .cfgVALSET, .cfgVALGET: items(payload)
        default: break
        }
    }

    @inline(never)
    private static func one<Message: UBXMessage>(_ type: Message.Type, _ payload: borrowing Span<UInt8>) {
        guard let message = try? Message(payload: payload) else { return }
        withExtendedLifetime(message) {}
    }

    private static func sky(_ payload: borrowing Span<UInt8>) {
        if let view = try? NavSAT(payload: payload) {
            for index in 0..<view.count { _ = view.satellite(at: index, in: payload) }
        }
        if let view = try? NavSVINFO(payload: payload) {
            for index in 0..<view.count { _ = view.satellite(at: index, in: payload) }
        }
    }

    private static func items(_ payload: borrowing Span<UInt8>) {
        if let items = try? CfgVALSET(payload: payload) {
            for index in 0..<items.count { _ = items.item(at: index, in: payload) }
        }
        if let items = try? CfgVALGET(payload: payload) {
            for index in 0..<items.count { _ = items.item(at: index, in: payload) }
            _ = items.value(of: .uart1Baud, in: payload)
        }
    }
}
