internal import Power
internal import Receivers
public import SextantUnits

/// How a flight recording stores a power configuration.
///
/// Nine numbers (the power draws, the host's energy per wake-up, the battery's capacity), the UART rate, flags, the
/// model's name; the times to first fix and the longest time off without a working motion sensor, each only where it is
/// not the usual one; the radio's power draw where it is known; the learned state.
extension PowerConfiguration: Recorded {
    public static var blank: PowerConfiguration {
        PowerConfiguration(
            model: .neo6M, draw: ReceiverModel.neo6M.powerDraw, baud: nil, hasPersistentBackup: false,
            motionSensorDraw: nil, hostIdleMilliwatts: 0, hostWakeMillijoules: 0, batteryWattHours: nil, learned: nil)
    }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var (cyclic, sensor, battery) = (draw.cyclic ?? 0, motionSensorDraw ?? 0, batteryWattHours ?? 0)
        try record.code(&draw.acquiring)
        try record.code(&draw.tracking)
        try record.code(&cyclic)
        try record.code(&draw.softwareSleep)
        try record.code(&draw.hardwareSleep)
        try record.code(&sensor)
        try record.code(&hostIdleMilliwatts)
        try record.code(&hostWakeMillijoules)
        try record.code(&battery)
        try record.code(rate: &baud)
        var flags: InlineArray<8, Bool> = [
            hasPersistentBackup, draw.cyclic != nil, motionSensorDraw != nil, batteryWattHours != nil, learned != nil,
            startTimes != model.startTimes, longestUnwatchedRest != PolicySettings.usualUnwatchedRest, radioDraw != nil,
        ]
        try record.code(&flags)
        hasPersistentBackup = flags[0]
        draw.cyclic = flags[1] ? cyclic : nil
        (motionSensorDraw, batteryWattHours) = (flags[2] ? sensor : nil, flags[3] ? battery : nil)
        var name = model.rawValue
        try record.code(&name, count: UInt8.self)
        guard let known = ReceiverModel(rawValue: name) else { throw DamagedRecord() }
        model = known
        if flags[5] { try startTimes.code(&record) } else { startTimes = model.startTimes }
        if flags[6] { try record.code(&longestUnwatchedRest) }
        if flags[7] {
            var draw = radioDraw ?? 0
            try record.code(&draw)
            radioDraw = draw
        }
        var rest = learned ?? []
        try record.code(rest: &rest)
        learned = flags[4] ? rest : nil
    }
}

extension StartTimes {
    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&boot)
        try hot.code(&record)
        try warm.code(&record)
        try cold.code(&record)
        try record.code(&ephemerisFades)
        try record.code(&ephemerisGone)
    }
}

extension StartTimes.Search {
    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&median)
        try record.code(&spread)
    }
}

extension RecordFields {
    /// Reads or writes a rate in bits per second (4 bytes), 0 for nil.
    mutating func code(rate: inout Int?) throws(DamagedRecord) {
        var known = rate ?? 0
        try code(count: &known)
        rate = known == 0 ? nil : known
    }

    /// Reads or writes a count (4 bytes); a count above the largest `Int32` is read as the largest `Int32`, so that
    /// every machine reads the same number.
    mutating func code(count: inout Int) throws(DamagedRecord) {
        var bounded = UInt32(clamping: count)
        try code(&bounded)
        count = Int(Int32(clamping: bounded))
    }
}
