public import Emulation
internal import Hardware

extension EmulatedBus {
    /// Carries out the daemon's I2C transfer on the emulated bus and returns the answer.
    public func carryOut(_ transfer: Transfer) -> BenchTransferAnswer {
        do throws(BusError) {
            switch transfer {
            case .read(let address, let register, let count):
                let row = try read(count, from: register, at: address)
                return .bytes((0..<row.count).map { row[$0] })
            case .write(let address, let register, let value):
                try write(value, to: register, at: address)
                return .bytes([])
            case .writeRow(let address, let register, let values):
                try write(RegisterBytes(values), to: register, at: address)
                return .bytes([])
            case .wait(let microseconds):
                wait(microseconds: microseconds)
                return .bytes([])
            }
        } catch {
            return .fault(error.kind)
        }
    }
}
