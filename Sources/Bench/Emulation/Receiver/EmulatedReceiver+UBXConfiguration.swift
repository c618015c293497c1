import Receivers
import UBX

extension EmulatedReceiver {
    /// Obeys a UBX message of class CFG and acknowledges it; CFG-RST is not acknowledged.
    mutating func configure(_ id: UBXMessageID, _ payload: [UInt8]) {
        if id == .cfgRST { return restart(payload) }
        guard !options.faults.contains(.refusesAll) else { return acknowledge(id, false) }
        if id == .cfgVALGET { return answerValues(payload) }
        let isAccepted: Bool
        if model.family == .ublox9and10 {
            isAccepted = configureByKey(id, payload)
        } else if payload.isEmpty {
            isAccepted = answerSetting(id)
        } else {
            isAccepted = configureByMessage(id, payload)
        }
        acknowledge(id, isAccepted)
    }

    private mutating func restart(_ payload: [UInt8]) {
        guard !options.faults.contains(.refusesAll), let request = try? CfgRST(payload: payload.span),
            let mode = request.mode
        else { return }
        let cleared = request.clearedSections
        switch mode {
        case .stopGNSS: if isRunning { stopGNSS() }
        case .startGNSS: if phase == .stopped { startGNSS() }
        case .softwareGNSS:
            guard isRunning else { return }
            leaveTracking()
            forget(cleared)
            startGNSS()
        case .hardware, .software, .hardwareAfterShutdown:
            leaveTracking()
            phase = .searching
            forget(cleared)
            boot()
        }
    }

    /// Clears the sections of battery-backed memory whose bits are set: bit 0 ephemerides, 4 position, 8 clock (RTC).
    ///
    /// Source: UBX-13003221, CFG-RST, `navBbrMask`.
    private mutating func forget(_ sections: UInt16) {
        if sections & 0x0001 != 0 { memory.ephemerisTime = nil }
        if sections & 0x0010 != 0 { memory.isPositionKnown = false }
        if sections & 0x0100 != 0 { memory.isTimeKnown = false }
    }

    // MARK: By key

    private mutating func configureByKey(_ id: UBXMessageID, _ payload: [UInt8]) -> Bool {
        switch id {
        case .cfgVALSET: setValues(payload)
        // u-blox 9 and 10 still support CFG-CFG for clearing and loading settings, but only for all settings at once.
        case .cfgCFG: clearAll(payload)
        default: false
        }
    }

    private mutating func clearAll(_ payload: [UInt8]) -> Bool {
        guard let request = try? CfgCFG(payload: payload.span), request.saveMask == 0 else { return false }
        if request.clearMask != 0 {
            layers.batteryBacked = [:]
            layers.flash = [:]
        }
        if request.loadMask != 0 { layers.boot() }
        applySettings()
        return true
    }

    private mutating func setValues(_ payload: [UInt8]) -> Bool {
        guard let request = try? CfgVALSET(payload: payload.span), request.count <= 64, !request.layers.isEmpty,
            personality.hasFlash || !request.layers.contains(.flash)
        else { return false }
        let items = (0..<request.count).map { request.item(at: $0, in: payload.span) }
        guard items.allSatisfy({ isKnown($0.key) }) else { return false }
        for item in items { layers.write(item.key, item.value, to: request.layers) }
        applySettings()
        return true
    }

    /// Whether the receiver has the group to which a configuration key belongs.
    ///
    /// Source: UBX-21035062 and UBX-22008968, configuration overview.
    private func isKnown(_ key: UBXConfigurationKey) -> Bool {
        switch UInt8(truncatingIfNeeded: key.rawValue >> 16) {
        case 0x05, 0x10, 0x11, 0x21, 0x22, 0x23, 0x24, 0x31, 0x34, 0x36, 0x41, 0x51...0x53, 0x64, 0x65, 0x71...0x7A,
            0x91...0x93, 0xA2, 0xA3, 0xDE:
            true
        // The group 0xD0 is that of power save mode, which the ZED-F9P does not have.
        case 0xD0: powerDraw.cyclic != nil
        default: false
        }
    }

    /// Answers CFG-VALGET with the values that a configuration layer holds; refuses if the layer lacks one of the
    /// requested keys.
    private mutating func answerValues(_ payload: [UInt8]) {
        guard model.family == .ublox9and10, payload.count >= 4, payload.count % 4 == 0,
            let layer = CfgVALGET.Layer(rawValue: payload[1])
        else { return acknowledge(.cfgVALGET, false) }
        let stored = layers.items(in: layer)
        var items: [UBXConfigurationItem] = []
        for offset in stride(from: 4, to: payload.count, by: 4) {
            let raw = (0..<4).reduce(0 as UInt32) { $0 | UInt32(payload[offset + $1]) << (8 * UInt32($1)) }
            guard let value = stored[raw], items.count < 64 else { return acknowledge(.cfgVALGET, false) }
            items.append(UBXConfigurationItem(key: UBXConfigurationKey(rawValue: raw), value: value))
        }
        answer { CfgVALGET.encode(layer: layer, position: 0, items: items.span, into: &$0) }
        acknowledge(.cfgVALGET, true)
    }

    // MARK: By message

    private mutating func configureByMessage(_ id: UBXMessageID, _ payload: [UInt8]) -> Bool {
        switch id {
        case .cfgPRT: setPort(payload)
        case .cfgMSG: setRate(payload)
        case .cfgRATE: setPeriod(payload)
        case .cfgPM2: setPowerManagement(payload)
        case .cfgRXM: setPowerMode(payload)
        case .cfgCFG: saveOrLoad(payload)
        case .cfgNAVX5: setExpert(payload)
        // CFG-NAV5, CFG-GNSS and (from u-blox 8 on) CFG-PMS are accepted, but their settings have no effect on the
        // emulation.
        case .cfgNAV5, .cfgGNSS: true
        case .cfgPMS: personality.isProtocol18
        default: false
        }
    }

    private mutating func setPort(_ payload: [UInt8]) -> Bool {
        if payload.count == 1 { return answerSetting(.cfgPRT) }
        guard let request = try? CfgPRT(payload: payload.span), request.portID != 2 else { return false }
        let (ubx, nmea) = (Int(request.outputProtocols & 1), Int(request.outputProtocols >> 1 & 1))
        if request.portID == 3 {
            let protocols = [(UBXConfigurationKey.uart1OutputUBX, ubx), (.uart1OutputNMEA, nmea)]
            write(protocols.compactMap { item in item.0.atUSB.map { ($0, item.1) } }, to: .ram)
            return true
        }
        let rates: [UInt32] = [4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800]
        guard rates.contains(request.baud) else { return false }
        write(
            [(.uart1Baud, Int(request.baud)), (.uart1OutputUBX, ubx), (.uart1OutputNMEA, nmea)], to: .ram)
        return true
    }

    private mutating func setRate(_ payload: [UInt8]) -> Bool {
        guard let request = try? CfgMSG(payload: payload.span), isSendable(request.subject) else { return false }
        let rate =
            switch request.rate {
            case .thisPort(let rate): rate
            case .ports(let ports): options.isAtUSB ? ports.usb : ports.uart1
            }
        if let key = UBXConfigurationKey.rate(of: request.subject) {
            write([(options.isAtUSB ? key.atUSB ?? key : key, Int(rate))], to: .ram)
        }
        return true
    }

    /// Whether the receiver can send this message: NAV-PVT, NAV-SAT and NAV-EOE came after u-blox 6.
    private func isSendable(_ id: UBXMessageID) -> Bool {
        switch id {
        case .navPVT, .navSAT, .navEOE: personality.isProtocol18
        default: [0x01, 0x02, 0x0A, 0x0B, 0x0D, 0xF0, 0xF1].contains(id.messageClass)
        }
    }

    private mutating func setPeriod(_ payload: [UInt8]) -> Bool {
        guard let request = try? CfgRATE(payload: payload.span), request.measurementPeriodMilliseconds >= 50 else {
            return false
        }
        write(
            [
                (.measurementPeriodMilliseconds, Int(request.measurementPeriodMilliseconds)),
                (.navigationRatio, Int(request.navigationRatio)),
            ], to: .ram)
        return true
    }

    private mutating func setPowerManagement(_ payload: [UInt8]) -> Bool {
        guard let request = try? CfgPM2(payload: payload.span), let mode = request.mode else { return false }
        layers.write(.chosenPowerMode, UInt64(mode.rawValue) + 1, to: .ram)
        write(
            [
                (.powerUpdatePeriodSeconds, Int(request.updatePeriodMilliseconds / 1000)),
                (.powerOnTimeSeconds, Int(request.onTimeSeconds)),
                (.powerMaximumAcquisitionSeconds, Int(request.maximumStartupSeconds)),
                (.powerAcquisitionPeriodSeconds, Int(request.searchPeriodMilliseconds / 1000)),
                (.powerExtintWake, request.extintWakes ? 1 : 0),
                (.powerExtintBackup, request.extintForcesBackup ? 1 : 0),
                (.powerUpdateEphemeris, request.updatesEphemeris ? 1 : 0),
            ], to: .ram)
        if settings.powerSave != .off { write([(.powerOperateMode, Int(mode.rawValue) + 1)], to: .ram) }
        return true
    }

    /// Obeys CFG-RXM: switches power save mode off, or on in the mode that an earlier CFG-PM2 chose.
    private mutating func setPowerMode(_ payload: [UInt8]) -> Bool {
        guard let request = try? CfgRXM(payload: payload.span) else { return false }
        let mode = layers.inForce[UBXConfigurationKey.chosenPowerMode.rawValue] ?? 2
        write([(.powerOperateMode, request.lowPowerMode == 1 ? Int(mode) : 0)], to: .ram)
        return true
    }

    private mutating func saveOrLoad(_ payload: [UInt8]) -> Bool {
        guard let request = try? CfgCFG(payload: payload.span) else { return false }
        let devices = request.devices ?? [.batteryBackedRAM, .flash]
        let hasFlash = personality.hasFlash && devices.contains(.flash)
        let hasBattery = devices.contains(.batteryBackedRAM)
        if request.clearMask != 0 {
            if hasBattery { layers.batteryBacked = [:] }
            if hasFlash { layers.flash = [:] }
        }
        if request.saveMask != 0 {
            var targets: CfgVALSET.Layers = []
            if hasBattery { targets.insert(.batteryBackedRAM) }
            if hasFlash { targets.insert(.flash) }
            layers.save(to: targets)
        }
        if request.loadMask != 0 {
            layers.boot()
            applySettings()
        }
        return true
    }

    /// Obeys CFG-NAVX5, of which only two fields have an effect, each if the message's mask selects it.
    ///
    /// The fields are the acknowledgement of aiding (byte 17) and AssistNow Autonomous (byte 27). Source: UBX-13003221,
    /// CFG-NAVX5.
    private mutating func setExpert(_ payload: [UInt8]) -> Bool {
        guard payload.count == 40 else { return false }
        let mask = UInt16(payload[2]) | UInt16(payload[3]) << 8
        if mask & 0x0400 != 0 { write([(.acknowledgeAiding, Int(payload[17]))], to: .ram) }
        if mask & 0x4000 != 0 { write([(.autonomousAssistance, Int(payload[27] & 1))], to: .ram) }
        return true
    }

    /// Answers a poll with the present setting; false if the setting cannot be polled.
    private mutating func answerSetting(_ id: UBXMessageID) -> Bool {
        switch id {
        case .cfgPRT:
            let (ubx, nmea) = (settings.sendsUBX ? CfgPRT.ubx : 0, settings.sendsNMEA ? CfgPRT.nmea : 0)
            let all = CfgPRT.ubx | CfgPRT.nmea
            let port =
                options.isAtUSB
                ? CfgPRT(usbInputProtocols: all, outputProtocols: ubx | nmea)
                : CfgPRT(uart1Baud: UInt32(settings.baud), inputProtocols: all, outputProtocols: ubx | nmea)
            answer { port.encoded(into: &$0) }
        case .cfgRATE:
            let rate = CfgRATE(
                measurementPeriodMilliseconds: UInt16(clamping: settings.period / 1_000_000), navigationRatio: 1,
                timeReference: 1)
            answer { rate.encoded(into: &$0) }
        case .cfgRXM:
            let mode = CfgRXM(reserved: 8, lowPowerMode: settings.powerSave == .off ? 0 : 1)
            answer { mode.encoded(into: &$0) }
        default: return false
        }
        return true
    }
}

extension UBXConfigurationKey {
    /// The key of the power save mode that CFG-PM2 chose and that CFG-RXM switches on; the key exists only in this
    /// emulation, not in u-blox's receivers.
    fileprivate static let chosenPowerMode = UBXConfigurationKey(rawValue: 0x20D0_0FF0)
}
