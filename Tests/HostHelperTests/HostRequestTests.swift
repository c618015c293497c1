import HostSleep
import SextantUnits
import Testing

@Suite("Requests to switch the host off")
struct HostRequestTests {
    private func parsed(_ text: String) throws(HostFileError) -> HostRequest {
        try HostRequest(parsing: Array(text.utf8))
    }

    private func problem(_ text: String) -> HostFileError? {
        do throws(HostFileError) {
            _ = try parsed(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a request is read as it was written`() throws {
        let whole = HostRequest.sound()
        #expect(try parsed(whole.text) == whole)
        let least = HostRequest(
            order: SwitchOrder(alarm: Now.wall, backstop: nil, byMotion: false),
            hostSwitch: HostSwitchAddress(model: "rtc", bus: nil, address: nil), made: .zero,
            wall: UTCInstant(nanoseconds: 0))
        #expect(try parsed(least.text) == least)
    }

    @Test func `a request is one line of JSON with the CRC-32 of its other members in the order of their keys`() {
        let members = #""address":20,"alarm":1795003600,"backstopSeconds":7200,"bus":"/dev/i2c-1","#
        let rest = #""made":4999000,"model":"pijuice","motion":true,"wall":1794999999000}"#
        let digest = HostRequest.sound().digest
        let check = String(CRC32.of(Array("{\(members)\(rest)".utf8).span), radix: 16)
        #expect(digest == String(repeating: "0", count: 8 - check.count) + check)
        let line = "{\(members)\"digest\":\"\(digest)\",\(rest)\n"
        #expect(HostRequest.sound().text == line)
    }

    @Test func `SLEEP-17: a request that is damaged at any byte is refused`() {
        let bytes = Array(HostRequest.sound().text.utf8).dropLast()
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x01
            #expect(throws: HostFileError.self) { try HostRequest(parsing: Array(damaged)) }
        }
        for count in bytes.indices {
            #expect(throws: HostFileError.self) { try HostRequest(parsing: Array(bytes.prefix(count))) }
        }
    }

    @Test(arguments: [
        (#"{"digest":"00000000"}"#, HostFileError.wrongDigest),
        (#"{"alarm":1}"#, .missing("digest")),
        (#"{"digest":"a3a6bf43"}"#, .missing("alarm")),
        ("[]", .notJSON("another value")),
    ])
    func `SLEEP-17: a request without a right digest, or without a member, is refused`(
        text: String, wanted: HostFileError
    ) {
        #expect(problem(text) == wanted)
    }

    @Test(arguments: [
        (#""alarm":1795003600"#, #""alarm":1795003600.5"#, "alarm: must be a whole number from 0 to 9000000000"),
        (#""alarm":1795003600"#, #""alarm":-1"#, "alarm: must be a whole number from 0 to 9000000000"),
        (#""backstopSeconds":7200"#, #""backstopSeconds":59"#, "backstopSeconds: must be a whole number from 60"),
        (#""address":20"#, #""address":120"#, "address: must be a whole number from 8 to 119"),
        (#""bus":"/dev/i2c-1""#, #""bus":"/dev/mem""#, "bus: must be an I2C bus, such as /dev/i2c-1"),
        (#""bus":"/dev/i2c-1""#, #""bus":"/dev/i2c-/../mem""#, "bus: must be an I2C bus, such as /dev/i2c-1"),
        (#""motion":true"#, #""motion":1"#, "motion: must be true or false"),
        (#""model":"pijuice""#, #""model":3"#, "model: must be a text"),
        (#""motion":true"#, #""motion":true,"now":true"#, "now: unknown key"),
        (#""wall":1794999999000"#, #""wall":-1"#, "wall: must be a whole number from 0 to 9000000000000"),
    ])
    func `SLEEP-17: a request with an unknown key or an impossible value is refused, and the key named`(
        old: String, new: String, words: String
    ) {
        let body = HostRequest.sound().text.replacing(",\"digest\":\"\(HostRequest.sound().digest)\"", with: "")
            .replacing(old, with: new).dropLast()
        let digits = String(CRC32.of(Array(body.utf8).span), radix: 16)
        let digest = String(repeating: "0", count: 8 - digits.count) + digits
        let text = body.dropLast() + ",\"digest\":\"\(digest)\"}"
        #expect(problem(String(text))?.description.hasPrefix(words) == true)
    }

    /// Seconds until the alarm, seconds since the request was made, and what is said.
    private static let bounds: [(ahead: Int64, age: Int64, wanted: HostRequestRefusal?)] = [
        (-1, 1, .alarmPast), (0, 1, .alarmPast), (59, 1, .alarmTooNear), (60, 1, nil),
        (27 * 86_400, 60, nil), (27 * 86_400 + 1, 1, .alarmTooFar), (3600, 61, .tooOld), (3600, -1, .notYetMade),
    ]

    @Test func `SLEEP-17: an alarm from 60 s to 27 days ahead, asked for within 60 s, may be obeyed, and no other`() {
        for (ahead, age, wanted) in HostRequestTests.bounds {
            let request = HostRequest.sound(ahead: ahead, age: age)
            for host in [Now.wall, nil] {
                let refusal = request.refusal(host: host, uptime: Now.uptime)
                #expect(refusal == wanted, "\(ahead) s ahead, \(age) s old")
            }
        }
    }

    @Test(arguments: ["/dev/i2c-0", "/dev/i2c-9999", "/dev/sextant/i2c", "CP2112 SMBus Bridge on hidraw0"])
    func `a bus is a device of I2C or the name of an adapter`(bus: String) throws {
        let hostSwitch = HostSwitchAddress(model: "pijuice", bus: bus, address: nil)
        #expect(try HostSwitchAddress(parsing: Array(hostSwitch.text.utf8)) == hostSwitch)
    }

    @Test(arguments: ["", "/dev/mem", "/dev/i2c-", "/dev/i2c-1/../mem", "/dev/i2c-1x", "../i2c-1"])
    func `SLEEP-17: a bus that may be another file is refused`(bus: String) {
        let hostSwitch = HostSwitchAddress(model: "pijuice", bus: bus, address: nil)
        #expect(throws: HostFileError.wrong(key: "bus", expected: "an I2C bus, such as /dev/i2c-1")) {
            try HostSwitchAddress(parsing: Array(hostSwitch.text.utf8))
        }
    }

    @Test func `the place of a switch and an answer are read as they were written`() throws {
        #expect(try HostSwitchAddress(parsing: Array(HostSwitchAddress.pijuice.text.utf8)) == .pijuice)
        let refusal = HostAnswer.Refusal(reason: "somebody needs the host", by: ["the session of \"ann\""])
        for answer in [HostAnswer(to: "0badcafe", refusal: nil), HostAnswer(to: "", refusal: refusal)] {
            #expect(try HostAnswer(parsing: Array(answer.text.utf8)) == answer)
        }
    }
}
