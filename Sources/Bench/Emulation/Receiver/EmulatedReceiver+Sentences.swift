import Receivers
import UBX

extension EmulatedReceiver {
    /// Obeys a complete NMEA sentence, from `$` to the checksum, which has been verified.
    mutating func obeySentence(_ sentence: String) {
        let body = sentence.dropFirst().prefix { $0 != "*" }
        let fields = body.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let address = fields.first else { return }
        switch model.family {
        case .mediaTek where address.hasPrefix("PMTK"): obeyPMTK(Int(address.dropFirst(4)), fields)
        case .airoha where address.hasPrefix("PAIR"): obeyPAIR(Int(address.dropFirst(4)), fields)
        case .casic where address.hasPrefix("PCAS"): obeyPCAS(Int(address.dropFirst(4)), fields)
        case .ublox6to8 where address == "PUBX", .ublox9and10 where address == "PUBX": obeyPUBX(fields)
        case .mediaTek, .airoha, .casic, .ublox6to8, .ublox9and10, .generic: break
        }
    }

    // MARK: MediaTek

    /// Obeys a MediaTek command.
    ///
    /// Source: GlobalTop PMTK command packet manual, revision A11.
    private mutating func obeyPMTK(_ command: Int?, _ fields: [String]) {
        guard let command else { return }
        guard !options.faults.contains(.refusesAll) else {
            return answer(sentence: "PMTK001,\(threeDigits(command)),2")
        }
        let value = fields.count > 1 ? Int(fields[1]) : nil
        switch command {
        // A restart and a change of the baud rate are not acknowledged: after the restart the receiver sends PMTK010,
        // and at the new baud rate the host could not read an answer.
        case 101...104: restart(command - 101)
        case 251: setBaud(value == 0 ? 9600 : value)
        case 605: if let version = personality.versionSentence { answer(sentence: version) }
        case 869 where value == 0: answer(sentence: "PMTK869,2,\(settings.assistsItself ? 1 : 0)")
        default: answer(sentence: "PMTK001,\(threeDigits(command)),\(flagOfPMTK(command, value, fields))")
        }
    }

    /// Carries out a PMTK command and returns the flag for its acknowledgement: 3 done, 2 failed, 1 not supported, 0
    /// invalid.
    private mutating func flagOfPMTK(_ command: Int, _ value: Int?, _ fields: [String]) -> Int {
        switch command {
        case 0: return 3
        case 161:
            guard value == 0 else { return 0 }
            // In standby mode the RAM is kept, and any byte wakes the receiver.
            sleepSoon(for: 0, until: .all, losingRAM: false)
        case 220:
            guard let value, (100...10_000).contains(value) else { return 0 }
            save([(.measurementPeriodMilliseconds, value)])
        case 225:
            switch value {
            case 0: break
            // Mode 4 is perpetual backup mode, which only the wake line or a power cycle ends.
            case 4: sleepSoon(for: 0, until: .line)
            default: return 1
            }
        case 314: return setSentencesOfPMTK(fields)
        case 869:
            guard value == 1, fields.count > 2, let flag = Int(fields[2]), flag <= 1 else { return 0 }
            save([(.autonomousAssistance, flag)])
        default: return 1
        }
        return 3
    }

    private mutating func setSentencesOfPMTK(_ fields: [String]) -> Int {
        let keys: [UBXConfigurationKey] = [.uart1GLL, .uart1RMC, .uart1VTG, .uart1GGA, .uart1GSA, .uart1GSV]
        if fields.count == 2, fields[1] == "-1" {
            save(keys.map { ($0, Int(clamping: layers.defaults[$0.rawValue] ?? 0)) })
            return 3
        }
        let rates = fields.dropFirst().prefix(keys.count).compactMap { Int($0) }
        guard rates.count == keys.count, rates.allSatisfy({ (0...5).contains($0) }) else { return 0 }
        save(Array(zip(keys, rates)))
        return 3
    }

    // MARK: Airoha

    /// Obeys an Airoha command.
    ///
    /// Source: Quectel LC26G, LC76G and LC86G protocol specification, revision 1.1.
    private mutating func obeyPAIR(_ command: Int?, _ fields: [String]) {
        guard let command else { return }
        guard !options.faults.contains(.refusesAll) else {
            return answer(sentence: "PAIR001,\(threeDigits(command)),2")
        }
        let values = fields.dropFirst().map { Int($0) }
        answer(sentence: "PAIR001,\(threeDigits(command)),\(resultOfPAIR(command, values))")
        switch command {
        case 4...7: restart(command - 4)
        case 20: if let version = personality.versionSentence { answer(sentence: version) }
        case 864: setBaud(values.count > 2 ? values[2] : nil)
        default: break
        }
    }

    /// Carries out a PAIR command and returns the result for its acknowledgement: 0 done, 3 not supported, 4 invalid.
    private mutating func resultOfPAIR(_ command: Int, _ values: [Int?]) -> Int {
        let value = values.first ?? nil
        switch command {
        case 2: if phase == .stopped { startGNSS() }
        case 3: if isRunning { stopGNSS() }
        case 4...7, 20, 382, 510: break
        case 50:
            guard let value, (100...1000).contains(value) else { return 4 }
            save([(.measurementPeriodMilliseconds, value)])
        case 62:
            let keys: [UBXConfigurationKey] = [.uart1GGA, .uart1GLL, .uart1GSA, .uart1GSV, .uart1RMC, .uart1VTG]
            guard let value, keys.indices.contains(value), values.count > 1, let rate = values[1], (0...20) ~= rate
            else { return 4 }
            save([(keys[value], rate)])
        case 490: save([(.autonomousAssistance, value == 1 ? 1 : 0)])
        case 513: layers.save(to: .flash)
        // PAIR650 begins RTC mode, which the wake line, a power cycle or the end of the requested time ends.
        case 650: sleepSoon(for: UInt32(clamping: (value ?? 0) * 1000), until: .line)
        case 864: return values.count > 2 && values[2] != nil ? 0 : 4
        default: return 3
        }
        return 0
    }

    // MARK: CASIC

    /// Obeys a CASIC command, which is not acknowledged.
    ///
    /// Source: CASIC multimode satellite navigation receiver protocol specification, V4.2.0.3, chapter 1.
    private mutating func obeyPCAS(_ command: Int?, _ fields: [String]) {
        guard let command, !options.faults.contains(.refusesAll) else { return }
        let values = fields.dropFirst().map { Int($0) }
        let value = values.first ?? nil
        switch command {
        case 0: layers.save(to: .flash)
        case 1:
            let rates = [4800, 9600, 19_200, 38_400, 57_600, 115_200]
            if let value, rates.indices.contains(value) { setBaud(rates[value]) }
        case 2: if let value, (100...1000).contains(value) { save([(.measurementPeriodMilliseconds, value)]) }
        case 3:
            let keys: [UBXConfigurationKey] = [.uart1GGA, .uart1GLL, .uart1GSA, .uart1GSV, .uart1RMC, .uart1VTG]
            // If a field is empty, the rate of the sentence that it stands for stays as it is.
            save(zip(keys, values).compactMap { key, rate in rate.map { (key, min(max($0, 0), 9)) } })
        case 6: if let version = personality.versionSentence { answer(sentence: version) }
        case 10: if let value, (0...3).contains(value) { restart(value) }
        case 12:
            guard let value, (1...65_535).contains(value), !options.faults.contains(.ignoresTimedStandby) else {
                return
            }
            sleepSoon(for: UInt32(value) * 1000, until: .line, losingRAM: false)
        default: break
        }
    }

    // MARK: u-blox

    /// Obeys PUBX,41, which sets a port's output protocols and its baud rate.
    ///
    /// Source: UBX-13003221, "CONFIG (PUBX,41)".
    private mutating func obeyPUBX(_ fields: [String]) {
        guard !options.faults.contains(.refusesAll), fields.count >= 6, fields[1] == "41", fields[2] == "1",
            let protocols = Int(fields[4], radix: 16)
        else { return }
        layers.write(.uart1OutputUBX, UInt64(protocols & 1), to: .ram)
        layers.write(.uart1OutputNMEA, UInt64(protocols >> 1 & 1), to: .ram)
        setBaud(Int(fields[5]))
    }

    // MARK: What they share

    /// Restarts the receiver; `kind` is 0 for hot, 1 warm, 2 cold, 3 cold with the factory's settings.
    private mutating func restart(_ kind: Int) {
        if kind == 3 {
            layers.batteryBacked = [:]
            layers.flash = [:]
        }
        restart(forgettingEphemeris: kind >= 1, position: kind >= 2, time: kind >= 2)
    }

    private mutating func setBaud(_ rate: Int?) {
        guard let rate, (4800...921_600).contains(rate) else { return }
        save([(.uart1Baud, rate)])
    }

    /// Writes settings to RAM, and also to battery-backed memory if the model keeps its settings there.
    private mutating func save(_ items: [(UBXConfigurationKey, Int)]) {
        write(items, to: personality.keepsSettings ? [.ram, .batteryBackedRAM] : .ram)
    }
}

/// A command's number with three digits, as acknowledgements write it.
private func threeDigits(_ command: Int) -> String {
    let text = String(command)
    return String(repeating: "0", count: max(3 - text.count, 0)) + text
}
