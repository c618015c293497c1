internal import UBX

/// u-blox 9 and 10: configured by key, in RAM and in the battery-backed memory at once.
///
/// CFG-PM items in RAM alone were refused or lost (SparkFun u-blox GNSS 125).
/// Source: M10 SPG interface description (UBX-21035062); F9 HPG interface description (UBX-22008968).
enum UBlox9and10 {
    static func behaviour(_ identity: ReceiverIdentity, _ settings: BehaviourSettings) -> ReceiverBehaviour {
        let hasPowerSave = (identity.generation ?? 10) >= 10
        var behaviour = ReceiverBehaviour(configuration: configuration(hasPowerSave: hasPowerSave, settings))
        behaviour.raise = settings.raise.map(raise)
        // No sleep command is sent over USB: the port would disappear, and power save mode saves too little.
        if settings.link != .usb {
            behaviour.sleepMethods = [.powerRequest(isLong: true)]
            behaviour.cyclic = hasPowerSave ? cyclic(settings) : nil
        }
        behaviour.wakeBytes = UBlox.wakeBytes
        behaviour.isSilencedNMEA = true
        // Reports are stopped in RAM only, so that the receiver reports again after its next start.
        behaviour.quieting = [
            .valset(
                "reports off", layers: .ram,
                items([(.uart1OutputNMEA, 0), (.uart1NavPVT, 0), (.uart1NavEOE, 0), (.uart1NavSAT, 0)], settings))
        ]
        behaviour.takesAssistance = true
        behaviour.databaseKeepers = identity.databaseKeepers
        return behaviour
    }

    private static func configuration(
        hasPowerSave: Bool, _ settings: BehaviourSettings
    ) -> [ReceiverCommand] {
        var commands: [ReceiverCommand] = [
            .valset("rate", [(.measurementPeriodMilliseconds, 1000), (.navigationRatio, 1)]),
            .valset(
                "reports",
                items(
                    [
                        (.uart1InputUBX, 1), (.uart1OutputUBX, 1), (.uart1OutputNMEA, 0), (.uart1NavPVT, 1),
                        (.uart1NavSAT, UInt64(settings.skyInterval)), (.uart1NavEOE, 1),
                    ], settings)),
            .valset("MON-RXR", items([(.uart1MonRXR, 1)], settings)),
            .valset("acknowledged aiding", [(.acknowledgeAiding, 1)]),
        ]
        if hasPowerSave { commands.append(.valset("full power", [(.powerOperateMode, 0)])) }
        // The rate is stored in the battery-backed memory only now that the receiver has answered at it.
        if let baud = settings.finalBaud { commands.append(.valset("baud", [(.uart1Baud, UInt64(baud))])) }
        return commands
    }

    /// The given items, which are for UART1, or their counterparts for USB where the receiver is connected by USB.
    private static func items(
        _ items: [(key: UBXConfigurationKey, value: UInt64)], _ settings: BehaviourSettings
    ) -> [(key: UBXConfigurationKey, value: UInt64)] {
        settings.link == .usb ? items.map { (key: $0.key.atUSB ?? $0.key, value: $0.value) } : items
    }

    /// Sets the rate in RAM only; the rate is stored once the receiver has answered at it.
    ///
    /// The answer to this message may come at the old or the new rate.
    private static func raise(to baud: Int) -> ReceiverCommand {
        var command = ReceiverCommand.valset("baud", layers: .ram, [(.uart1Baud, UInt64(baud))])
        command.answer = .pause(150_000_000)
        command.attempts = 1
        command.baudAfter = baud
        return command
    }

    /// Cyclic tracking with a period of 1 to 10 seconds; the periods of CFG-PM are in seconds.
    private static func cyclic(_ settings: BehaviourSettings) -> ReceiverBehaviour.Cyclic {
        let period = UInt64(min(max(settings.cyclicPeriodSeconds, 1), 10))
        return ReceiverBehaviour.Cyclic(
            on: [
                .valset(
                    "power save",
                    [
                        (.powerUpdatePeriodSeconds, period), (.powerAcquisitionPeriodSeconds, 10),
                        (.powerUpdateEphemeris, 1), (.powerDoNotEnterOff, 1), (.powerOperateMode, 2),
                    ])
            ],
            off: [.valset("full power", [(.powerOperateMode, 0)])])
    }
}
