internal import ClientVocabulary
public import Power
public import SextantJSON
public import SextantUnits

extension ClientEvent {
    /// Appends the answer to an `energy` request.
    ///
    /// - Parameter host: The energy that the whole board drew over all its boots and sleeps; nil if the board never
    ///   slept.
    public static func appendEnergy(
        _ report: EnergyReport, host: HostEnergyObject? = nil, id: String?, to text: inout TextBuffer
    ) {
        text.begin(.energy)
        text.member(.id, id)
        append(report.lastHour, .lastHour, to: &text)
        append(report.lastDay, .lastDay, to: &text)
        append(report.sinceBoot, .sinceBoot, to: &text)
        host?.append(to: &text)
        text.endObject()
        text.append(0x0A)
    }

    /// Appends one line of the answer to an `energyHistory` request, with the energy of one interval.
    ///
    /// - Parameters:
    ///   - from: When the interval began; nil if the daemon does not know the time yet.
    ///   - secondsAgo: Seconds since the interval began.
    public static func appendEnergyRow(
        _ spent: EnergySpent, from: UTCInstant?, secondsAgo: Double, id: String?, to text: inout TextBuffer
    ) {
        text.begin(.energyRow)
        text.member(.id, id)
        text.member(.from, from)
        text.member(.beganSecondsAgo, secondsAgo, decimals: 3)
        text.member(.seconds, Double(spent.nanoseconds) * 1e-9, decimals: 3)
        appendParts(of: spent, to: &text)
        appendAccounts(of: spent, to: &text)
        text.endObject()
        text.append(0x0A)
    }

    /// Appends the last line of the answer to an `energyHistory` request, with the number of intervals that were sent.
    public static func appendEnergyHistory(
        _ window: EnergyLedger.HistoryWindow, count: Int, id: String?, to text: inout TextBuffer
    ) {
        text.begin(.energyHistory)
        text.member(.id, id)
        text.member(.window, window.rawValue)
        text.member(.count, count)
        text.endObject()
        text.append(0x0A)
    }

    private static func append(_ spent: EnergySpent, _ key: MemberKey, to text: inout TextBuffer) {
        text.beginObject(key)
        text.member(.hours, spent.hours, decimals: 4)
        appendParts(of: spent, to: &text)
        text.member(.deviceMilliwatts, spent.deviceMilliwatts, decimals: 3)
        text.member(.receiverShare, spent.receiverShare, decimals: 6)
        // The hours for which a battery lasts are rounded down, so that the figure never promises too much.
        text.member(.batteryHours, spent.batteryHours.map { ($0 * 10).rounded(.down) / 10 }, decimals: 1)
        appendAccounts(of: spent, to: &text)
        text.endElement()
    }

    private static func appendParts(of spent: EnergySpent, to text: inout TextBuffer) {
        append(spent.receiver, .receiverJoules, to: &text)
        append(spent.sensors, .sensorJoules, to: &text)
        if spent.scanned > 0 {
            if let radio = spent.radio { append(radio, .radioJoules, to: &text) }
            text.member(.scanSeconds, Double(spent.scanned) * 1e-9, decimals: 1)
        }
        append(spent.hostWake, .hostWakeJoules, to: &text)
        append(spent.hostIdle, .hostIdleJoules, to: &text)
    }

    private static func appendAccounts(of spent: EnergySpent, to text: inout TextBuffer) {
        appendStates(of: spent, to: &text)
        appendCauses(of: spent, to: &text)
        appendClients(of: spent, to: &text)
    }

    private static func appendStates(of spent: EnergySpent, to text: inout TextBuffer) {
        text.beginObject(.byState)
        for state in EnergyLedger.State.allCases where spent.receiver(state) != 0 {
            append(spent.receiver(state), named: name(of: state), to: &text)
        }
        text.endElement()
    }

    private static func appendCauses(of spent: EnergySpent, to text: inout TextBuffer) {
        text.beginObject(.byCause)
        for cause in EnergyCause.allCases where spent.cause(cause) != 0 {
            append(spent.cause(cause), named: cause.name, to: &text)
        }
        text.endElement()
    }

    private static func appendClients(of spent: EnergySpent, to text: inout TextBuffer) {
        text.beginArray(.byClient)
        for client in spent.clients {
            text.beginObject()
            text.member(.client, client.label)
            text.member(.number, client.id)
            text.member(.connected, client.isPresent)
            append(client.nanojoules, .joules, to: &text)
            text.endElement()
        }
        text.endArray()
    }

    /// Appends an energy in joules with all nine decimals, so that a client's sums are as exact as the daemon's.
    private static func append(_ nanojoules: Int64, _ key: MemberKey, to text: inout TextBuffer) {
        text.append(key: key.text)
        append(nanojoules, to: &text)
    }

    private static func append(_ nanojoules: Int64, named name: StaticString, to text: inout TextBuffer) {
        text.append(key: name)
        append(nanojoules, to: &text)
    }

    private static func append(_ nanojoules: Int64, to text: inout TextBuffer) {
        text.append(nanojoules, decimals: 9)
        text.append(0x2C)
    }

    private static func name(of state: EnergyLedger.State) -> StaticString {
        switch state {
        case .acquiring: "acquiring"
        case .tracking: "tracking"
        case .cyclic: "cyclic"
        case .softwareSleep: "softwareSleep"
        case .hardwareSleep: "hardwareSleep"
        case .off: "off"
        }
    }
}
