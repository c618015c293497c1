public import Magnetism
public import SextantUnits

/// How a flight recording stores the compass's chips; an empty name of the accelerometer says that there is none.
extension CompassChips: Recorded {
    public static var blank: CompassChips { CompassChips(magnetometer: "", busAddress: "") }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&magnetometer)
        try magnetometerMounting.code(&record)
        try record.code(&accelerometer)
        try accelerometerMounting.code(&record)
        try record.code(&busAddress)
    }
}

extension Mounting {
    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var (right, forward, turn) = (x.rawValue, y.rawValue, turn)
        try record.code(&right)
        try record.code(&forward)
        try record.code(&turn)
        guard let x = DeviceDirection(rawValue: right), let y = DeviceDirection(rawValue: forward),
            let read = try? Mounting(x: x, y: y, turn: turn)
        else { throw DamagedRecord() }
        self = read
    }
}

extension CompassSample: Recorded {
    public static var blank: CompassSample { CompassSample(instant: .zero, field: .zero) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try instant.code(&record)
        try record.code(&isSaturated)
        try field.code(&record)
        try record.code(&acceleration, where: record.hasMore(acceleration != nil))
    }
}
