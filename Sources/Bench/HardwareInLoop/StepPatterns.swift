internal import Receivers

extension StepPattern {
    static let all: [StepPattern] = daemon + receiver + sensors + machine + installation + hostSleep + expectations

    private static let daemon: [StepPattern] = [
        StepPattern(
            "start daemon", "starts sextantd, which records its inputs, and waits until it serves",
            needsEmulation: false
        ) { _ in
            .startDaemon
        },
        StepPattern("stop daemon", "SIGTERM; it must end well within 10 s", needsEmulation: false) { _ in .stopDaemon },
        StepPattern("kill daemon", "SIGKILL", needsEmulation: false) { _ in .killDaemon },
        StepPattern(
            "client <name> <words...>", "starts `sextant <words> --json`, which goes on beside the scenario",
            needsEmulation: false
        ) { $0.count > 1 ? .startClient(name: $0[0], Array($0[1...])) : nil },
        StepPattern("end client <name>", "ends it", needsEmulation: false) { .endClient(name: $0[0]) },
        StepPattern("wait <seconds> s", "lets time pass", needsEmulation: false) {
            StepValue.number($0[0]).map { .wait($0) }
        },
    ]

    private static let receiver: [StepPattern] = [
        StepPattern("receiver <model> cold", "puts in a receiver that knows nothing, and rests") {
            ReceiverModel(rawValue: $0[0]).map { .placeReceiver($0, isCold: true, speed: 0) }
        },
        StepPattern("receiver <model> hot", "puts in a receiver that had its orbits ten minutes ago, and rests") {
            ReceiverModel(rawValue: $0[0]).map { .placeReceiver($0, isCold: false, speed: 0) }
        },
        StepPattern("receiver <model> hot moving at <speed> m/s", "the same, on its way east") { values in
            ReceiverModel(rawValue: values[0]).flatMap { model in
                StepValue.number(values[1]).map { .placeReceiver(model, isCold: false, speed: $0) }
            }
        },
        StepPattern(
            "carry receiver along <file>",
            "moves it from now on, and from where it is, as a CSV file of this folder says: "
                + "`time,latitude,longitude`, seconds from its first line on"
        ) { $0[0].contains("/") ? nil : .carryReceiver(file: $0[0]) },
        StepPattern("unplug uart", "both wires of the UART are cut, and the receiver loses its supply") { _ in
            .unplugUART
        },
        StepPattern("replug uart at <baud>", "a receiver with that rate is wired in") {
            Int($0[0]).map { .replugUART(baud: $0) }
        },
        StepPattern(
            "let go of line <role>",
            "what a Raspberry Pi's kernel does by itself with a line whose holder is gone: the pin becomes an input"
        ) { StepValue.role($0[0]).map { .letGo($0) } },
    ]

    private static let sensors: [StepPattern] = [
        StepPattern("turn field to <degrees> degrees", "turns the board: its top points there, from magnetic north") {
            StepValue.number($0[0]).map { .turnField(degrees: $0) }
        },
        StepPattern("calibrate compass", "has the daemon take the emulated chip for calibrated") { _ in
            .calibrateCompass
        },
        StepPattern("wire motion interrupt", "the accelerometer's INT1 leads to a line; before the daemon is started") {
            _ in
            .wireMotion
        },
        StepPattern("shake board", "the accelerometer feels 3 m/s² to and fro") { _ in .shake(true) },
        StepPattern("rest board", "it does no longer") { _ in .shake(false) },
        StepPattern("nack <address>", "the chip acknowledges nothing") {
            StepValue.address($0[0]).map { .silence($0, true) }
        },
        StepPattern("answer <address>", "it does again") { StepValue.address($0[0]).map { .silence($0, false) } },
        StepPattern("hold bus", "a chip holds SDA low: no transfer ends") { _ in .holdBus(true) },
        StepPattern("free bus", "it lets go") { _ in .holdBus(false) },
        StepPattern("remove chip <address>", "the chip loses its supply") {
            StepValue.address($0[0]).map { .removeChip($0, true) }
        },
        StepPattern("restore chip <address>", "it has it again, and is as at power-up") {
            StepValue.address($0[0]).map { .removeChip($0, false) }
        },
        StepPattern("unplug bridge", "the USB bridge with bus and lines is pulled out") { _ in .unplugBridge },
        StepPattern("plug bridge", "it is plugged in again") { _ in .plugBridge },
    ]

    private static let machine: [StepPattern] = [
        StepPattern("reboot", "the guest is reset; the daemon's disk stays") { _ in .reboot },
        StepPattern("set clock to <date>", "steps the guest's wall clock to midnight UTC of YYYY-MM-DD") {
            StepValue.date($0[0]).map { .setClock(unixSeconds: $0) }
        },
        StepPattern("set clock right", "steps it to the host's") { _ in .setClock(unixSeconds: nil) },
        StepPattern("fill disk", "fills the file system of the daemon's state") { _ in .fillDisk },
        StepPattern("empty disk", "frees it") { _ in .emptyDisk },
        StepPattern("remount read-only", "the file system of the daemon's state") { _ in .remount(isReadOnly: true) },
        StepPattern("remount writable", "the same") { _ in .remount(isReadOnly: false) },
    ]

    private static let installation: [StepPattern] = [
        StepPattern(
            "on debian", "the first step of a scenario that wants Debian with systemd, and Sextant's package"
        ) { _ in nil },
        StepPattern("install package", "installs the package sextant, or upgrades to it") { _ in
            .installPackage("sextant")
        },
        StepPattern("install package <name>", "the same for a further package that was made with it") { values in
            .installPackage(values[0])
        },
        StepPattern(
            "have package", "installs the package sextant, or makes the one that another scenario left as good as new"
        ) { _ in .havePackage },
        StepPattern("edit <file>: <words...>", "puts the line in the place of the one that begins with its first word")
        { values in
            guard values[0].hasSuffix(":") else { return nil }
            return .editLine(values[1...].joined(separator: " "), file: String(values[0].dropLast()))
        },
        StepPattern(
            "plug usb receiver", "a NEO-M9N that had its orbits ten minutes ago is plugged in by its own USB"
        ) { _ in .plugUSBReceiver },
        StepPattern("unplug usb receiver", "it is pulled out") { _ in .unplugUSBReceiver },
        StepPattern(
            "run within <seconds> s: <words...>", "a shell's command, as root, which is tried again until it goes well"
        ) { values in
            StepValue.number(values[0]).map { .retry(values[1...].joined(separator: " "), within: $0) }
        },
        StepPattern("run <words...>", "a shell's command, as root, which must go well") {
            .run($0.joined(separator: " "))
        },
        StepPattern("refused: <words...>", "one that must fail; behind `=>` the words that its error must have") {
            refusal($0).map { .refuse($0, saying: $1) }
        },
        StepPattern("inside: <words...>", "a shell's command inside the daemon's sandbox, which must go well") {
            .runInside($0.joined(separator: " "))
        },
        StepPattern(
            "refused inside: <words...>",
            "one that must fail there with the error behind `=>`, and must go well for the daemon's user elsewhere"
        ) {
            refusal($0).map { .refuseInside($0, saying: $1) }
        },
    ]

    private static let expectations: [StepPattern] = [
        StepPattern(
            "expect line <role> went <words...>",
            "the levels that it took since the last command was run, `off on`; none of them undriven and on"
        ) { values in
            let levels = values[1...].map(StepValue.level)
            guard let role = StepValue.role(values[0]), !levels.contains(nil) else { return nil }
            return .expectLevels(role, levels.compactMap { $0 })
        },
        StepPattern("expect fix within <seconds> s", "a client is told a position", needsEmulation: false) {
            StepValue.number($0[0]).map { .expectFix(within: $0) }
        },
        StepPattern("expect no fix for <seconds> s", "no client is told one", needsEmulation: false) {
            StepValue.number($0[0]).map { .expectNoFix(lasting: $0) }
        },
        StepPattern(
            "expect location within <metres> m of the truth within <seconds> s",
            "the last location that a client was told is so near to where the receiver is"
        ) { values in
            let numbers = values.compactMap(StepValue.number)
            return numbers.count == 2 ? .expectLocation(metres: numbers[0], within: numbers[1]) : nil
        },
        StepPattern(
            "expect location within <metres> m of the truth for <percent> % of <seconds> s",
            "it is so near for so much of the time from now on"
        ) { values in
            let numbers = values.compactMap(StepValue.number)
            guard numbers.count == 3, numbers[1] <= 100 else { return nil }
            return .expectLocationHeld(metres: numbers[0], percent: numbers[1], lasting: numbers[2])
        },
        StepPattern("expect line <role> driven within <seconds> s", "the host drives it") { values in
            driven(values, true)
        },
        StepPattern("expect line <role> undriven within <seconds> s", "no program drives the line") {
            values in
            driven(values, false)
        },
        StepPattern("expect line <role> <on/off> within <seconds> s", "its level, seen from outside") { values in
            line(values).map { .expectLine($0, $1, within: $2) }
        },
        StepPattern("expect line <role> stays <on/off> for <seconds> s", "the same, all the time") { values in
            line(values).map { .expectLineStays($0, $1, lasting: $2) }
        },
        StepPattern(
            "expect <count> starts as announced to <seconds> s within <seconds> s",
            "the power or the wake line rises so often when the daemon's status had said it would"
        ) { values in
            guard let count = Int(values[0]), let tolerance = StepValue.number(values[1]),
                let time = StepValue.number(values[2])
            else { return nil }
            return .expectStarts(count: count, tolerance: tolerance, within: time)
        },
        StepPattern("expect heading <degrees> to <degrees> degrees within <seconds> s", "where the board points") {
            values in
            let numbers = values.compactMap(StepValue.number)
            guard numbers.count == 3 else { return nil }
            return .expectHeading(degrees: numbers[0], tolerance: numbers[1], within: numbers[2])
        },
        StepPattern(
            "expect status <path> is <value> within <seconds> s",
            "a member of the daemon's status, such as power.state",
            needsEmulation: false
        ) { values in
            StepValue.number(values[2]).map { .expectStatus(path: values[0], value: values[1], within: $0) }
        },
        StepPattern(
            "expect log within <seconds> s: <words...>", "the words, in a line of the daemon's since its start",
            needsEmulation: false
        ) { values in
            StepValue.number(values[0]).map { .expectLog(values[1...].joined(separator: " "), within: $0) }
        },
    ]

    /// Splits the words at the last `=>`: before it is a command, after it the text that the command's error message
    /// must contain.
    private static func refusal(_ words: [String]) -> (command: String, error: String)? {
        guard let arrow = words.lastIndex(of: "=>"), arrow > 0, arrow + 1 < words.count else { return nil }
        return (words[..<arrow].joined(separator: " "), words[(arrow + 1)...].joined(separator: " "))
    }

    private static func line(_ values: [String]) -> (LineRole, Bool, Double)? {
        guard let role = StepValue.role(values[0]), let level = StepValue.level(values[1]),
            let time = StepValue.number(values[2])
        else { return nil }
        return (role, level, time)
    }

    private static func driven(_ values: [String], _ isDriven: Bool) -> Step? {
        guard let role = StepValue.role(values[0]), let time = StepValue.number(values[1]) else { return nil }
        return .expectDriven(role, isDriven, within: time)
    }
}
