internal import Hardware
internal import Receivers

/// One line of a scenario.
enum Step: Equatable, Sendable {
    case placeReceiver(ReceiverModel, isCold: Bool, speed: Double)
    case carryReceiver(file: String)
    case wireMotion
    case startDaemon
    case stopDaemon
    case killDaemon
    case startClient(name: String, [String])
    case endClient(name: String)
    case reboot
    case letGo(LineRole)
    case turnField(degrees: Double)
    case shake(Bool)
    case silence(I2CAddress, Bool)
    case holdBus(Bool)
    case removeChip(I2CAddress, Bool)
    case unplugUART
    case replugUART(baud: Int)
    case unplugBridge
    case plugBridge
    case plugUSBReceiver
    case unplugUSBReceiver
    case setClock(unixSeconds: Int?)
    case fillDisk
    case emptyDisk
    case remount(isReadOnly: Bool)
    case calibrateCompass
    case wait(Double)
    /// Installs the Debian package of this name, or upgrades it.
    case installPackage(String)
    /// Installs Sextant's Debian package, or brings an installed one into the state of a new installation.
    case havePackage
    case editLine(String, file: String)
    case run(String)
    /// Repeats a command until it succeeds; the step fails after `within` seconds.
    case retry(String, within: Double)
    /// Runs a command that must fail with an error that contains this text.
    case refuse(String, saying: String)
    case runInside(String)
    case refuseInside(String, saying: String)
    case expectLevels(LineRole, [Bool])
    case expectFix(within: Double)
    case expectNoFix(lasting: Double)
    case expectLocation(metres: Double, within: Double)
    case expectLocationHeld(metres: Double, percent: Double, lasting: Double)
    case expectLine(LineRole, Bool, within: Double)
    case expectLineStays(LineRole, Bool, lasting: Double)
    case expectDriven(LineRole, Bool, within: Double)
    case expectStarts(count: Int, tolerance: Double, within: Double)
    case expectHeading(degrees: Double, tolerance: Double, within: Double)
    case expectStatus(path: String, value: String, within: Double)
    case expectLog(String, within: Double)
    case hostSleep(HostSleepStep)
}

extension Step {
    /// A copy of the step in which the time limit for an expected state is `bound` seconds.
    ///
    /// Steps that watch for a fixed time keep that time, because a slow machine cannot make them fail. A limit of 0,
    /// which checks the state at this moment, is also kept.
    func waiting(atMost bound: Double) -> Step {
        func longer(_ seconds: Double) -> Double { seconds == 0 ? 0 : bound }
        return switch self {
        case .retry(let command, let seconds): .retry(command, within: longer(seconds))
        case .expectFix(let seconds): .expectFix(within: longer(seconds))
        case .expectLocation(let metres, let seconds): .expectLocation(metres: metres, within: longer(seconds))
        case .expectLine(let role, let level, let seconds): .expectLine(role, level, within: longer(seconds))
        case .expectDriven(let role, let isDriven, let seconds): .expectDriven(role, isDriven, within: longer(seconds))
        case .expectStarts(let count, let tolerance, let seconds):
            .expectStarts(count: count, tolerance: tolerance, within: longer(seconds))
        case .expectHeading(let degrees, let tolerance, let seconds):
            .expectHeading(degrees: degrees, tolerance: tolerance, within: longer(seconds))
        case .expectStatus(let path, let value, let seconds):
            .expectStatus(path: path, value: value, within: longer(seconds))
        case .expectLog(let text, let seconds): .expectLog(text, within: longer(seconds))
        case .hostSleep(let step): .hostSleep(step.waiting(atMost: bound))
        case .placeReceiver, .carryReceiver, .wireMotion, .startDaemon, .stopDaemon, .killDaemon, .startClient,
            .endClient,
            .reboot, .letGo, .turnField, .shake, .silence, .holdBus, .removeChip, .unplugUART, .replugUART,
            .unplugBridge,
            .plugBridge, .plugUSBReceiver, .unplugUSBReceiver, .setClock, .fillDisk, .emptyDisk, .remount,
            .calibrateCompass, .wait, .installPackage, .havePackage, .editLine, .run, .refuse, .runInside,
            .refuseInside,
            .expectLevels,
            .expectNoFix, .expectLocationHeld, .expectLineStays:
            self
        }
    }

    /// Whether the step changes the board's hardware; if such a step is skipped on a real board, all later steps are
    /// skipped too.
    var changesHardware: Bool {
        switch self {
        case .carryReceiver, .turnField, .shake, .silence, .holdBus, .removeChip, .unplugUART, .replugUART,
            .unplugBridge, .plugBridge, .plugUSBReceiver, .unplugUSBReceiver, .reboot, .setClock, .fillDisk,
            .emptyDisk, .remount, .hostSleep:
            true
        // Skipping these steps on a real board does no harm: the board has its own receiver, and its kernel releases
        // GPIO lines by itself.
        case .placeReceiver, .wireMotion, .letGo, .calibrateCompass, .startDaemon, .stopDaemon, .killDaemon,
            .startClient, .endClient, .wait, .installPackage, .havePackage, .editLine, .run, .retry, .refuse,
            .runInside,
            .refuseInside,
            .expectFix, .expectNoFix, .expectLocation, .expectLocationHeld, .expectLine, .expectLineStays,
            .expectDriven, .expectStarts, .expectLevels, .expectHeading, .expectStatus, .expectLog:
            false
        }
    }
}

/// The pattern of one kind of step: the words with which a scenario states it, and how these words are converted to a
/// step.
struct StepPattern: Sendable {
    /// The pattern's words; a word in angle brackets stands for a value, and `<words...>` stands for all remaining
    /// words.
    let words: String
    /// A sentence about the step, for the help text.
    let meaning: String
    let needsEmulation: Bool
    /// Makes the step from the words that stand for the pattern's values; nil if a value is invalid.
    let make: @Sendable ([String]) -> Step?

    init(
        _ words: String, _ meaning: String, needsEmulation: Bool = true, _ make: @escaping @Sendable ([String]) -> Step?
    ) {
        self.words = words
        self.meaning = meaning
        self.needsEmulation = needsEmulation
        self.make = make
    }

    /// The words of a scenario's line that stand for the pattern's values; nil if the line does not match the pattern.
    func values(in line: [String]) -> [String]? {
        let pattern = words.split(separator: " ")
        var values: [String] = []
        for (index, word) in pattern.enumerated() {
            if word == "<words...>" { return index < line.count ? values + line[index...] : nil }
            guard index < line.count else { return nil }
            if word.hasPrefix("<") {
                values.append(line[index])
            } else if word != line[index] {
                return nil
            }
        }
        return line.count == pattern.count ? values : nil
    }
}

/// Converts the words of a step into values.
enum StepValue {
    static func role(_ text: String) -> LineRole? { EmulatedBoard.lines.first { "\($0.role)" == text }?.role }

    static func level(_ text: String) -> Bool? { ["on": true, "off": false][text] }

    static func address(_ text: String) -> I2CAddress? {
        guard text.hasPrefix("0x"), let value = UInt8(text.dropFirst(2), radix: 16), value < 0x80 else { return nil }
        return I2CAddress(value)
    }

    /// Reads a number of seconds, degrees or metres per second; nil if it is not finite or is negative.
    static func number(_ text: String) -> Double? { Double(text).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } }

    /// The seconds from 1970-01-01 to midnight UTC of a date such as `2026-11-21`; nil if the text is no date.
    static func date(_ text: String) -> Int? {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, (1...12).contains(parts[1]), (1...31).contains(parts[2]) else { return nil }
        // The number of days since 0000-03-01 in the proleptic Gregorian calendar; years begin in March, so that the
        // leap day is last.
        let year = parts[1] <= 2 ? parts[0] - 1 : parts[0]
        let month = (parts[1] + 9) % 12
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + parts[2] - 1
        return (days - 719_468) * 86_400
    }
}
