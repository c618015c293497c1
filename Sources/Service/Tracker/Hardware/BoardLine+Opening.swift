internal import Boards
internal import Hardware
internal import LinuxHardware

/// Opens the line that a board's file names: one of a GPIO chip, or one of an emulated board in its place.
extension BoardLine {
    /// - Parameter active: The line's first level.
    func openOutput(active: Bool) throws(LineError) -> any SettableLine {
        guard let emulated = EmulatedLineName(name) else {
            return HeldOutput(try GPIOOutputLine(name: name, activeLow: activeLow, active: active))
        }
        return HeldOutput(try EmulatedOutputLine(emulated, active: active))
    }

    func openInput() throws(LineError) -> GPIOInputLine {
        if let emulated = EmulatedLineName(name) { throw emulated.isNoInput }
        return try GPIOInputLine(name: name, activeLow: activeLow, bias: bias)
    }
}
