internal import UBX

/// u-blox 6, 7 and 8: configured by messages, whose settings CFG-CFG then saves in the battery-backed memory.
///
/// Source: u-blox 8 / M8 receiver description (UBX-13003221); u-blox 6 receiver description (GPS.G6-SW-10018).
enum UBlox6to8 {
    static func behaviour(_ identity: ReceiverIdentity, _ settings: BehaviourSettings) -> ReceiverBehaviour {
        let version = identity.protocolVersion ?? 1200
        let reports = reports(version, skyInterval: settings.skyInterval)
        var behaviour = ReceiverBehaviour(configuration: configuration(version, reports, settings))
        behaviour.raise = settings.raise.map(raise)
        // No sleep command is sent over USB: the port would disappear, and power save mode saves too little.
        if settings.link != .usb {
            behaviour.sleepMethods = [.powerRequest(isLong: version >= 1800)]
            behaviour.cyclic = cyclic(version, settings)
        }
        behaviour.wakeBytes = UBlox.wakeBytes
        behaviour.isSilencedNMEA = port(settings) != nil
        behaviour.quieting = reports.map { rate($0.id, 0) }
        // Assistance in MGA messages came with u-blox M8.
        behaviour.takesAssistance = version >= 1500
        behaviour.databaseKeepers = version >= 1500 ? identity.databaseKeepers : []
        return behaviour
    }

    private static func configuration(
        _ version: Int, _ reports: [(id: UBXMessageID, rate: UInt8)], _ settings: BehaviourSettings
    ) -> [ReceiverCommand] {
        var commands = [
            ReceiverCommand.ubx(
                "CFG-RATE",
                CfgRATE(measurementPeriodMilliseconds: 1000, navigationRatio: 1, timeReference: 1))
        ]
        commands += reports.map { rate($0.id, $0.rate) }
        if let port = port(settings) { commands.append(.ubx("CFG-PRT", port)) }
        commands.append(continuous)
        if version >= 1500 {
            commands.append(
                .ubx(
                    "CFG-NAVX5",
                    CfgNAVX5(
                        version: version >= 1800 ? 2 : 0, mask: CfgNAVX5.appliesAcknowledgedAiding,
                        acknowledgesAiding: true)))
        }
        // CFG-CFG saves these sections: ports, messages, INF, navigation and receiver manager.
        commands.append(
            .ubx(
                "CFG-CFG", CfgCFG(clearMask: 0, saveMask: 0x1F, loadMask: 0, devices: .batteryBackedRAM)))
        return commands
    }

    /// The messages to report and their intervals in epochs: NAV-PVT or its predecessors, satellites, NAV-EOE, MON-RXR.
    private static func reports(_ version: Int, skyInterval: UInt8) -> [(id: UBXMessageID, rate: UInt8)] {
        var reports: [(id: UBXMessageID, rate: UInt8)] =
            version >= 1400
            ? [(.navPVT, 1)] : [(.navPOSLLH, 1), (.navSOL, 1), (.navVELNED, 1), (.navTIMEUTC, 1)]
        reports.append((version >= 1500 ? .navSAT : .navSVINFO, skyInterval))
        if version >= 1800 { reports.append((.navEOE, 1)) }
        reports.append((.monRXR, 1))
        return reports
    }

    private static func rate(_ id: UBXMessageID, _ rate: UInt8) -> ReceiverCommand {
        .ubx("CFG-MSG", CfgMSG(subject: id, rate: .thisPort(rate)))
    }

    /// The settings of the receiver's UART or USB port; nil on a pseudo-terminal, where the port in use is unknown.
    private static func port(_ settings: BehaviourSettings) -> CfgPRT? {
        guard settings.link == .usb else { return settings.finalBaud.map(port) }
        return CfgPRT(usbInputProtocols: CfgPRT.ubx | CfgPRT.nmea, outputProtocols: CfgPRT.ubx)
    }

    private static func port(_ baud: Int) -> CfgPRT {
        CfgPRT(
            uart1Baud: UInt32(clamping: baud), inputProtocols: CfgPRT.ubx | CfgPRT.nmea, outputProtocols: CfgPRT.ubx)
    }

    /// Sets the UART's rate.
    ///
    /// The answer may come at the old or the new rate, so only the next message's answer shows the receiver's rate.
    private static func raise(to baud: Int) -> ReceiverCommand {
        ReceiverCommand(
            name: "CFG-PRT", bytes: port(baud).frame, answer: .pause(150_000_000), attempts: 1, baudAfter: baud)
    }

    private static let continuous = ReceiverCommand.ubx("CFG-RXM", CfgRXM(reserved: 8, lowPowerMode: 0))

    /// Cyclic tracking with a period of 1 to 10 seconds; CFG-PM2's periods are in milliseconds.
    private static func cyclic(_ version: Int, _ settings: BehaviourSettings) -> ReceiverBehaviour.Cyclic {
        var power = CfgPM2()
        power.updatePeriodMilliseconds = UInt32(min(max(settings.cyclicPeriodSeconds, 1), 10)) * 1000
        power.searchPeriodMilliseconds = 10_000
        power.updatesEphemeris = true
        power.updatesRTC = true
        power.doesNotEnterOff = true
        power.setMode(.cyclicTracking)
        if version >= 1800 { power.extintInactivityMilliseconds = 0 }
        return ReceiverBehaviour.Cyclic(
            on: [
                .ubx("CFG-PM2", power), .ubx("CFG-RXM", CfgRXM(reserved: 8, lowPowerMode: 1)),
            ],
            off: [continuous])
    }
}
