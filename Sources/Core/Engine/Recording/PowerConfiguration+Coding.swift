internal import Power
internal import Receivers

/// How a recording stores a power configuration.
///
/// Nine numbers, the rate, flags, the model's name; the start times and the longest unwatched rest, each only where it
/// is not the usual one; the radio's draw where it is known; the learned state.
extension PowerConfiguration {
    private enum Flag {
        static let persistentBackup: UInt8 = 1
        static let cyclic: UInt8 = 2
        static let motionSensor: UInt8 = 4
        static let battery: UInt8 = 8
        static let learned: UInt8 = 16
        static let startTimes: UInt8 = 32
        static let unwatchedRest: UInt8 = 64
        static let radio: UInt8 = 128
    }

    /// Bytes before the model's name: nine numbers, the rate, the flags and the name's length.
    private static let headBytes = 9 * 8 + 4 + 2

    func append(to bytes: inout [UInt8]) {
        let numbers: [Double] = [
            draw.acquiring, draw.tracking, draw.cyclic ?? 0, draw.softwareSleep, draw.hardwareSleep,
            motionSensorDraw ?? 0, hostIdleMilliwatts, hostWakeMillijoules, batteryWattHours ?? 0,
        ]
        for number in numbers { FlightFormat.append(number.bitPattern, to: &bytes) }
        FlightFormat.append(UInt32(baud ?? 0), to: &bytes)
        var flags: UInt8 = hasPersistentBackup ? Flag.persistentBackup : 0
        if draw.cyclic != nil { flags |= Flag.cyclic }
        if motionSensorDraw != nil { flags |= Flag.motionSensor }
        if batteryWattHours != nil { flags |= Flag.battery }
        if learned != nil { flags |= Flag.learned }
        if startTimes != model.startTimes { flags |= Flag.startTimes }
        let isUsualRest = longestUnwatchedRest == PolicySettings.usualUnwatchedRest
        if !isUsualRest { flags |= Flag.unwatchedRest }
        if radioDraw != nil { flags |= Flag.radio }
        bytes.append(flags)
        bytes.append(UInt8(model.rawValue.utf8.count))
        bytes.append(contentsOf: model.rawValue.utf8)
        if startTimes != model.startTimes {
            for number in startTimes.numbers { FlightFormat.append(number.bitPattern, to: &bytes) }
        }
        if !isUsualRest { FlightFormat.append(longestUnwatchedRest.bitPattern, to: &bytes) }
        if let radioDraw { FlightFormat.append(radioDraw.bitPattern, to: &bytes) }
        bytes.append(contentsOf: learned ?? [])
    }

    init?(decoding bytes: [UInt8]) {
        guard bytes.count >= PowerConfiguration.headBytes else { return nil }
        func integer(at place: Int, count: Int) -> UInt64 {
            var value: UInt64 = 0
            for index in 0..<count { value |= UInt64(bytes[place + index]) << UInt64(8 * index) }
            return value
        }
        func number(_ index: Int) -> Double { Double(bitPattern: integer(at: 8 * index, count: 8)) }
        let baud = Int(clamping: integer(at: 72, count: 4))
        let flags = bytes[76]
        let name = bytes[PowerConfiguration.headBytes...].prefix(Int(bytes[77]))
        guard let model = ReceiverModel(rawValue: String(decoding: name, as: UTF8.self)) else { return nil }
        var rest = name.endIndex
        var times: StartTimes?
        if flags & Flag.startTimes != 0 {
            guard bytes.count - rest >= 8 * StartTimes.numberCount else { return nil }
            times = StartTimes(
                numbers: (0..<StartTimes.numberCount).map {
                    Double(bitPattern: integer(at: rest + 8 * $0, count: 8))
                })
            rest += 8 * StartTimes.numberCount
        }
        var unwatchedRest: Double?
        if flags & Flag.unwatchedRest != 0 {
            guard bytes.count - rest >= 8 else { return nil }
            unwatchedRest = Double(bitPattern: integer(at: rest, count: 8))
            rest += 8
        }
        var radio: Double?
        if flags & Flag.radio != 0 {
            guard bytes.count - rest >= 8 else { return nil }
            radio = Double(bitPattern: integer(at: rest, count: 8))
            rest += 8
        }
        self.init(
            model: model,
            draw: PowerDraw(
                acquiring: number(0), tracking: number(1), cyclic: flags & Flag.cyclic == 0 ? nil : number(2),
                softwareSleep: number(3), hardwareSleep: number(4)),
            startTimes: times, baud: baud == 0 ? nil : baud, hasPersistentBackup: flags & Flag.persistentBackup != 0,
            motionSensorDraw: flags & Flag.motionSensor == 0 ? nil : number(5), hostIdleMilliwatts: number(6),
            hostWakeMillijoules: number(7), batteryWattHours: flags & Flag.battery == 0 ? nil : number(8),
            longestUnwatchedRest: unwatchedRest, learned: flags & Flag.learned == 0 ? nil : Array(bytes[rest...]))
        radioDraw = radio
    }
}

extension StartTimes {
    fileprivate static let numberCount = 9

    fileprivate var numbers: [Double] {
        [
            boot, hot.median, hot.spread, warm.median, warm.spread, cold.median, cold.spread, ephemerisFades,
            ephemerisGone,
        ]
    }

    fileprivate init(numbers: [Double]) {
        self.init(
            boot: numbers[0], hot: Search(median: numbers[1], spread: numbers[2]),
            warm: Search(median: numbers[3], spread: numbers[4]),
            cold: Search(median: numbers[5], spread: numbers[6]), ephemerisFades: numbers[7],
            ephemerisGone: numbers[8])
    }
}
