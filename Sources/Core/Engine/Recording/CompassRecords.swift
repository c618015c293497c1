internal import Magnetism
internal import Parts
internal import SextantUnits

/// How a recording stores the compass: texts and numbers by `RecordWriter`, an absent accelerometer as an empty text.
extension CompassChips {
    func encode() -> [UInt8] {
        var record = RecordWriter()
        record.write(magnetometer)
        magnetometerMounting.write(to: &record)
        record.write(accelerometer ?? "")
        accelerometerMounting.write(to: &record)
        record.write(place)
        return record.bytes
    }

    static func decode(_ bytes: Span<UInt8>) -> CompassChips? {
        var record = RecordReader(bytes)
        guard let magnetometer = record.text(), let magnetometerMounting = Mounting(from: &record),
            let accelerometer = record.text(), let accelerometerMounting = Mounting(from: &record),
            let place = record.text(), record.isAtEnd
        else { return nil }
        return CompassChips(
            magnetometer: magnetometer, magnetometerMounting: magnetometerMounting,
            accelerometer: accelerometer.isEmpty ? nil : accelerometer, accelerometerMounting: accelerometerMounting,
            place: place)
    }
}

extension Mounting {
    fileprivate func write(to record: inout RecordWriter) {
        record.write(x.rawValue)
        record.write(y.rawValue)
        record.write(turn)
    }

    fileprivate init?(from record: inout RecordReader) {
        guard let x = record.text().flatMap(DeviceDirection.init), let y = record.text().flatMap(DeviceDirection.init),
            let turn = record.double(), let mounting = try? Mounting(x: x, y: y, turn: turn)
        else { return nil }
        self = mounting
    }
}

extension CompassSample {
    func encode() -> [UInt8] {
        var record = RecordWriter()
        record.write(instant.nanoseconds)
        record.write((isSaturated ? 1 : 0) as UInt8)
        record.write(field)
        if let acceleration { record.write(acceleration) }
        return record.bytes
    }

    static func decode(_ bytes: Span<UInt8>) -> CompassSample? {
        var record = RecordReader(bytes)
        guard let nanoseconds = record.integer(Int64.self), let flags = record.integer(UInt8.self),
            let field = record.vector()
        else { return nil }
        var sample = CompassSample(
            instant: MonotonicInstant(nanoseconds: nanoseconds), field: field, isSaturated: flags != 0)
        if !record.isAtEnd {
            guard let acceleration = record.vector() else { return nil }
            sample.acceleration = acceleration
        }
        return record.isAtEnd ? sample : nil
    }
}

extension RecordWriter {
    fileprivate mutating func write(_ vector: SIMD3<Double>) {
        for axis in 0..<3 { write(vector[axis]) }
    }
}

extension RecordReader {
    fileprivate mutating func vector() -> SIMD3<Double>? {
        guard let x = double(), let y = double(), let z = double() else { return nil }
        return SIMD3(x, y, z)
    }
}
