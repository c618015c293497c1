import BenchControl
import Emulation
import Hardware
import Receivers
import SextantUnits
import Testing

@Suite("The bench's control protocol")
struct BenchControlTests {
    private static let instant = MonotonicInstant(nanoseconds: 3_600_000_000_001)

    @Test(
        arguments: [
            ([.advance(to: instant)], "{\"advance\":3600000000001}"),
            ([.uart([0xB5, 0x62, 0x0A]), .advance(to: instant)], "{\"uart\":\"b5620a\",\"advance\":3600000000001}"),
            ([.line(.motionInterrupt, true)], "{\"line\":\"motionInterrupt\",\"level\":true}"),
            ([.utc(-86_400)], "{\"utc\":-86400}"),
            ([.utc(nil)], "{\"utc\":null}"),
            ([.unplug, .plug, .quit], "{\"unplug\":true,\"plug\":true,\"quit\":true}"),
            ([], "{}"),
        ] as [([BenchCommand], String)])
    func `each command is written as one line, and read back in order`(commands: [BenchCommand], line: String) throws {
        #expect(BenchCommand.encode(commands) == Array((line + "\n").utf8))
        #expect(try BenchCommand.decode(Array(line.utf8)) == commands)
    }

    @Test(
        arguments: [
            (.uart([0, 255]), "{\"uart\":\"00ff\"}"),
            (.setLine(.powerEnable, false), "{\"setLine\":\"powerEnable\",\"level\":false}"),
            (.setBaud(9600), "{\"setBaud\":9600}"),
            (.transmitterLow(true), "{\"transmitterLow\":true}"),
            (.error("a \"b\" \\c"), "{\"error\":\"a \\\"b\\\" \\\\c\"}"),
            (
                .idle(BenchIdle(now: instant, wake: nil, wakeUps: 3)),
                "{\"idle\":{\"now\":3600000000001,\"wake\":null,\"wakeUps\":3}}"
            ),
            (
                .idle(BenchIdle(now: .zero, wake: instant, wakeUps: 0)),
                "{\"idle\":{\"now\":0,\"wake\":3600000000001,\"wakeUps\":0}}"
            ),
        ] as [(BenchReport, String)])
    func `each report is written as one line and read back`(report: BenchReport, line: String) throws {
        #expect(report.encoded() == Array((line + "\n").utf8))
        #expect(try BenchReport.decode(Array(line.utf8)) == report)
    }

    @Test func `white space and upper-case hexadecimal digits are accepted`() throws {
        let line = " { \"uart\" : \"B5aF\" ,\t\"plug\" : true } "
        #expect(try BenchCommand.decode(Array(line.utf8)) == [.uart([0xB5, 0xAF]), .plug])
    }

    @Test(arguments: [
        ("", "byte 0: no {"),
        ("{\"advance\":1} x", "byte 14: something after the object"),
        ("{\"advance\":\"1\"}", "advance: no such command, or not with this value"),
        ("{\"advance\":9223372036854775808}", "byte 29: a number of more than 64 bits"),
        ("{\"advance\":-}", "byte 12: no digits"),
        ("{\"advance\":}", "byte 11: no value"),
        ("{\"dance\":1}", "dance: no such command, or not with this value"),
        ("{\"plug\":false}", "plug: no such command, or not with this value"),
        ("{\"utc\":9000000001}", "utc: no such command, or not with this value"),
        ("{\"uart\":\"b5x2\"}", "uart: not hexadecimal digits alone"),
        ("{\"uart\":\"b56\"}", "uart: an odd number of hexadecimal digits"),
        ("{\"uart\":\"b5", "byte 11: no \""),
        ("{\"uart\":\"\\n\"}", "byte 10: an escape that the protocol does not use"),
        ("{\"level\":true}", "level: no line is named before it"),
        ("{\"line\":\"wake\"}", "line: wake has no level"),
        (
            "{\"line\":\"sleep\",\"level\":true}",
            "sleep: no line; the lines are powerEnable, backupSupply, reset, wake, pulsePerSecond, motionInterrupt, "
                + "indicator"
        ),
        ("{\"a\":{\"a\":{\"a\":{\"a\":{}}}}}", "byte 20: too many objects in each other"),
    ])
    func `an invalid command gives an error that says what is wrong`(line: String, problem: String) {
        let error = #expect(throws: BenchFormatError.self) { _ = try BenchCommand.decode(Array(line.utf8)) }
        #expect(error?.description == problem)
    }

    @Test(arguments: [
        ("{}", "{}: no such report, or not with this value"),
        ("{\"setLine\":\"wake\"}", "setLine: wake has no level"),
        ("{\"idle\":{\"now\":true}}", "idle: now: no such member, or not with this value"),
    ])
    func `an invalid report gives an error that says what is wrong`(line: String, problem: String) {
        let error = #expect(throws: BenchFormatError.self) { _ = try BenchReport.decode(Array(line.utf8)) }
        #expect(error?.description == problem)
    }

    private static let chip = I2CAddress(0x1E)

    @Test(
        arguments: [
            (
                .read(chip, register: 0x28, count: 6),
                "{\"i2c\":\"/dev/i2c-1\",\"at\":3600000000001,\"address\":30,\"read\":40,\"count\":6}"
            ),
            (
                .write(chip, register: 0x20, value: 255),
                "{\"i2c\":\"/dev/i2c-1\",\"at\":3600000000001,\"address\":30,\"write\":32,\"value\":255}"
            ),
            (
                .writeRow(chip, register: 0x61, values: [66, 0, 0xBD]),
                "{\"i2c\":\"/dev/i2c-1\",\"at\":3600000000001,\"address\":30,\"write\":97,\"row\":\"4200bd\"}"
            ),
            (.wait(microseconds: 6400), "{\"i2c\":\"/dev/i2c-1\",\"at\":3600000000001,\"wait\":6400}"),
        ] as [(EmulatedBus.Transfer, String)])
    func `an I2C transfer is reported with its bus and its time`(
        transfer: EmulatedBus.Transfer, line: String
    ) throws {
        let report = BenchReport.transfer(BenchTransfer(bus: "/dev/i2c-1", at: Self.instant, transfer))
        #expect(report.encoded() == Array((line + "\n").utf8))
        #expect(try BenchReport.decode(Array(line.utf8)) == report)
    }

    @Test(arguments: [
        ("{\"i2c\":\"B\",\"wait\":1}", "i2c: no transfer"),
        ("{\"i2c\":\"B\",\"at\":1,\"address\":30,\"read\":0,\"count\":33}", "i2c: no transfer"),
        ("{\"i2c\":\"B\",\"at\":1,\"address\":128,\"read\":0,\"count\":1}", "i2c: no transfer"),
        ("{\"i2c\":\"B\",\"at\":1,\"address\":30,\"write\":256,\"value\":1}", "i2c: no transfer"),
        ("{\"i2c\":\"B\",\"at\":1,\"address\":30,\"write\":1,\"row\":\"\"}", "i2c: no transfer"),
        ("{\"i2c\":\"B\",\"at\":1,\"address\":30,\"read\":1,\"row\":\"00\"}", "i2c: no transfer"),
        ("{\"i2c\":\"B\",\"at\":1,\"wait\":1,\"row\":\"00\"}", "i2c: no transfer"),
        ("{\"i2c\":\"B\",\"at\":1,\"wait\":1,\"read\":1}", "i2c: no transfer"),
        ("{\"i2c\":\"B\",\"at\":-1,\"wait\":1}", "i2c: at: no such member, or not with this value"),
        ("{\"i2c\":\"B\",\"at\":1,\"at\":1}", "i2c: at: no such member, or not with this value"),
    ])
    func `an invalid transfer gives an error that says what is wrong`(line: String, problem: String) {
        let error = #expect(throws: BenchFormatError.self) { _ = try BenchReport.decode(Array(line.utf8)) }
        #expect(error?.description == problem)
    }

    @Test(
        arguments: [
            (.bytes([0, 0x3D]), "{\"i2c\":\"003d\"}"),
            (.bytes([]), "{\"i2c\":\"\"}"),
            (.fault(.noAcknowledge), "{\"i2cFault\":\"noAcknowledge\"}"),
            (.fault(.timeout), "{\"i2cFault\":\"timeout\"}"),
        ] as [(BenchTransferAnswer, String)])
    func `each answer to a transfer is written as one line and read back`(answer: BenchTransferAnswer, line: String)
        throws
    {
        #expect(answer.encoded() == Array((line + "\n").utf8))
        #expect(try BenchTransferAnswer.decode(Array(line.utf8)) == answer)
    }

    @Test(arguments: [
        ("{}", "{}: no answer to a transfer"),
        ("{\"idle\":{}}", "idle: no answer to a transfer"),
        ("{\"i2cFault\":\"tired\"}", "i2cFault: tired: no such fault"),
        ("{\"i2c\":\"0\"}", "i2c: an odd number of hexadecimal digits"),
    ])
    func `an invalid transfer answer gives an error that says what is wrong`(line: String, problem: String) {
        let error = #expect(throws: BenchFormatError.self) { _ = try BenchTransferAnswer.decode(Array(line.utf8)) }
        #expect(error?.description == problem)
    }

    @Test func `an emulated bus carries out transfers and answers with its faults`() {
        let bus = EmulatedBus()
        #expect(bus.carryOut(.read(Self.chip, register: 0, count: 1)) == .fault(.noAcknowledge))
        bus.fault = .timeout
        #expect(bus.carryOut(.write(Self.chip, register: 0, value: 1)) == .fault(.timeout))
        #expect(bus.carryOut(.wait(microseconds: 5)) == .bytes([]))
        #expect(bus.transcript.count == 3)
    }
}
