internal import Accelerometers
public import Boards
internal import Hardware
internal import LinuxHardware
internal import Magnetometers

/// What this machine's own drivers tell.
extension LiveFacts {
    /// Looks at the GPIO chips, and asks the board's sensors who they are.
    ///
    /// Nothing is held, and nothing is written to a chip: one that must be written to before it says who it is stays
    /// unasked, so that a daemon that uses it is not disturbed.
    public init(of board: Board?) {
        let chips = GPIOSurvey.all().map { chip in
            GPIOChipFacts(
                label: chip.label,
                lines: chip.lines.map { GPIOChipFacts.Line(name: $0.name, consumer: $0.consumer) })
        }
        self.init(gpioChips: chips, sensors: board?.sensors.flatMap(LiveFacts.answers))
    }

    /// Nil where the bus is missing or this process may not use it: that is reported elsewhere.
    private static func answers(of sensors: BoardSensors) -> [SensorAnswer]? {
        guard var bus = try? LinuxI2CBus(sensors.bus) else { return nil }
        var answers: [SensorAnswer] = []
        if let chip = sensors.magnetometer {
            let chips: [any IdentifiableChip.Type] = MagnetometerCatalogue.chips.filter {
                chip.model == nil || $0.model == chip.model
            }
            let search = ChipSearch(
                kind: chip.model?.rawValue ?? "magnetometer", chips: chips, address: chip.address,
                isNamed: chip.model != nil)
            answers += answer("magnetometer", search, over: &bus)
        }
        if let chip = sensors.accelerometer {
            let chips: [any IdentifiableChip.Type] = AccelerometerCatalogue.chips.filter {
                chip.model == nil || $0.model == chip.model
            }
            let search = ChipSearch(
                kind: chip.model?.rawValue ?? "accelerometer", chips: chips, address: chip.address,
                isNamed: chip.model != nil)
            answers += answer("accelerometer", search, over: &bus)
        }
        return answers
    }

    private static func answer(
        _ role: String, _ search: ChipSearch, over bus: inout LinuxI2CBus
    ) -> [SensorAnswer] {
        guard !search.chips.contains(where: { $0.writesToIdentify }) else { return [] }
        do throws(ChipSearchError) {
            _ = try search.run(over: &bus)
            return [SensorAnswer(role: role, problem: nil)]
        } catch {
            return [SensorAnswer(role: role, problem: error.description)]
        }
    }
}
