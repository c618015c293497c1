import Receivers
import Testing
import UBX

@Suite("Receiver controller: configuration")
struct ConfigurationTests {
    @Test func `u-blox 10 is configured by key in RAM and battery-backed RAM, with NMEA off`() {
        let bench = Bench.awake(.plain())
        let valsets = bench.writes.filter { $0.count > 4 && $0[2] == 0x06 }
        #expect(valsets.allSatisfy { $0[3] == 0x8A && $0[6] == 0 && $0[7] == 0x03 })
        let reports: [UInt8] = [
            0xB5, 0x62, 0x06, 0x8A, 34, 0, 0, 0x03, 0, 0,  //
            0x01, 0x00, 0x73, 0x10, 1,  // UART1INPROT_UBX
            0x01, 0x00, 0x74, 0x10, 1,  // UART1OUTPROT_UBX
            0x02, 0x00, 0x74, 0x10, 0,  // UART1OUTPROT_NMEA
            0x07, 0x00, 0x91, 0x20, 1,  // NAV_PVT
            0x16, 0x00, 0x91, 0x20, 5,  // NAV_SAT
            0x60, 0x01, 0x91, 0x20, 1,  // NAV_EOE
        ]
        #expect(valsets.contains { $0.dropLast(2) == reports[...] })
        #expect(!bench.receiver.reportsSentences)
    }

    @Test func `the satellite view can be set to every epoch or to never`() {
        for interval in [UInt8(0), 1] {
            var configuration = ReceiverControllerConfiguration.plain(.maxM10S)
            configuration.skyInterval = interval
            let bench = Bench.awake(configuration)
            #expect(
                bench.writes.contains { $0.count == 42 && Array($0[30..<35]) == [0x16, 0x00, 0x91, 0x20, interval] })
        }
    }

    @Test func `u-blox 8 is configured by messages and then saved to battery-backed memory`() {
        var receiver = StandIn()
        receiver.version = .m8N
        let bench = Bench.awake(.plain(), receiver)
        #expect(bench.controller.identity?.family == .ublox6to8)
        #expect(bench.controller.identity?.model == .neoM8N)
        #expect(
            bench.receiver.commands == [
                .monVER, .cfgRATE, .cfgMSG, .cfgMSG, .cfgMSG, .cfgMSG, .cfgPRT, .cfgRXM, .cfgNAVX5, .cfgCFG,
            ])
        // CFG-CFG: save ports, messages, INF, navigation, receiver manager to battery-backed RAM alone.
        #expect(
            bench.writes.last?.dropLast(2)
                == [0xB5, 0x62, 0x06, 0x09, 13, 0, 0, 0, 0, 0, 0x1F, 0, 0, 0, 0, 0, 0, 0, 0x01][...])
    }

    @Test(arguments: [MonVER.neo6M, .m8N, .m9N, .f9P])
    func `on its own USB the receiver's USB port is configured, and it is never put to sleep`(version: MonVER) {
        var receiver = StandIn()
        receiver.version = version
        receiver.isAtUSB = true
        var bench = Bench.awake(.plain(baud: 115_200), receiver, at: .usb)
        #expect(bench.controller.state == .ready && bench.controller.baud == nil)
        #expect(!bench.receiver.reportsSentences && bench.receiver.baud == 9600)
        #expect(bench.controller.sleepKinds.isEmpty)
        bench.forget()
        bench.sleep(.software, for: 300)
        bench.run(for: 60)
        #expect(!bench.receiver.commands.contains(.rxmPMREQ) && bench.receiver.sleepsUntil == nil)
        #expect(bench.controller.state == .ready)
    }

    @Test func `on its own USB a u-blox 9 gets the configuration items of USB`() {
        var receiver = StandIn()
        receiver.version = .m9N
        receiver.isAtUSB = true
        let bench = Bench.awake(.plain(), receiver, at: .usb)
        let reports: [UInt8] = [
            0xB5, 0x62, 0x06, 0x8A, 34, 0, 0, 0x03, 0, 0,  //
            0x01, 0x00, 0x77, 0x10, 1,  // USBINPROT_UBX
            0x01, 0x00, 0x78, 0x10, 1,  // USBOUTPROT_UBX
            0x02, 0x00, 0x78, 0x10, 0,  // USBOUTPROT_NMEA
            0x09, 0x00, 0x91, 0x20, 1,  // NAV_PVT
            0x18, 0x00, 0x91, 0x20, 5,  // NAV_SAT
            0x62, 0x01, 0x91, 0x20, 1,  // NAV_EOE
        ]
        #expect(bench.writes.contains { $0.dropLast(2) == reports[...] })
    }

    @Test func `u-blox 6 is configured without NAV-PVT and without MGA assistance`() {
        var receiver = StandIn()
        receiver.version = .neo6M
        let bench = Bench.awake(.plain(.neo6M), receiver)
        let subjects = bench.writes.filter { $0.count == 11 && $0[3] == 0x01 && $0[2] == 0x06 }.map { $0[7] }
        #expect(subjects == [0x02, 0x06, 0x12, 0x21, 0x30, 0x21])
        #expect(!bench.receiver.commands.contains(.cfgNAVX5))
    }

    @Test func `MediaTek is set to normal power, then RMC, GGA, GSA and GSV, never PMTK291, which hung receivers`() {
        var bench = Bench.awake(.plain(.pa1616), StandIn(language: .mediaTek))
        #expect(
            bench.receiver.sentences == [
                "PMTK605", "PMTK225,0", "PMTK220,1000", "PMTK314,0,1,0,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0",
            ])
        bench.sleep(.software, for: 100)
        bench.run(for: 100)
        bench.wake()
        bench.run(for: 20)
        #expect(!bench.receiver.sentences.contains { $0.hasPrefix("PMTK291") })
        #expect(bench.writes.contains(Array("$PMTK225,0*2B\r\n".utf8)))
    }

    @Test func `Airoha and CASIC are configured with their own sentences`() {
        var bench = Bench.awake(.plain(.lc76G), StandIn(language: .airoha))
        #expect(
            bench.receiver.sentences == [
                "PAIR020", "PAIR002", "PAIR050,1000", "PAIR062,0,1", "PAIR062,1,0", "PAIR062,2,1", "PAIR062,3,1",
                "PAIR062,4,1", "PAIR062,5,0",
            ])
        bench = Bench.awake(.plain(.l76K), StandIn(language: .casic))
        #expect(bench.receiver.sentences == ["PCAS06,0", "PCAS06,0", "PCAS02,1000", "PCAS03,1,0,1,1,1,0,0,0"])
        #expect(bench.controller.identity?.model == .l76K)
    }

    @Test func `AssistNow Autonomous is never switched on, so that sleep need not wait for it`() {
        let bench = Bench.awake(.plain())
        #expect(
            !bench.writes.contains { write in
                write.indices.dropLast(4).contains { Array(write[$0..<$0 + 4]) == [0x01, 0x00, 0x23, 0x10] }
            })
    }

    @Test func `a refused message is reported, and the others are still sent`() {
        var receiver = StandIn()
        receiver.version = .m8N
        receiver.refuses = [.cfgRXM]
        let bench = Bench.awake(.plain(), receiver)
        #expect(bench.reports == [.identified, .configurationRefused("CFG-RXM"), .ready])
        #expect(bench.receiver.commands.last == .cfgCFG)
    }

    @Test func `an unanswered message is sent three times, then reported`() {
        var receiver = StandIn()
        receiver.version = .m8N
        receiver.ignores = [.cfgRXM]
        let bench = Bench.awake(.plain(), receiver)
        #expect(bench.receiver.commands.filter { $0 == .cfgRXM }.count == 3)
        #expect(bench.reports == [.identified, .configurationRefused("CFG-RXM"), .ready])
    }

    @Test func `a rate is raised in RAM, proven by an answer, and only then kept`() {
        let bench = Bench.awake(.plain(.maxM10S, baud: 115_200))
        #expect(bench.receiver.baud == 115_200)
        #expect(bench.controller.baud == 115_200)
        let bauds = bench.writes.filter { $0.count == 20 && Array($0[10..<14]) == [0x01, 0x00, 0x52, 0x40] }
        #expect(bauds.map { $0[7] } == [0x01, 0x03])
        #expect(bench.reports == [.identified, .ready])
    }

    @Test func `a rate that the receiver ignores is set back`() {
        for version in [MonVER.m8N, StandIn().version] {
            var receiver = StandIn()
            receiver.version = version
            receiver.obeysBaud = false
            var bench = Bench.awake(.plain(baud: 115_200), receiver)
            #expect(bench.controller.baud == 9600)
            #expect(bench.reports == [.identified, .configurationRefused("baud 115200"), .ready])
            // It is not tried again at each wake.
            bench.forget()
            bench.sleep(.software, for: 60)
            bench.run(for: 60)
            bench.wake()
            bench.run(for: 10)
            #expect(bench.controller.state == .ready)
            #expect(!bench.acts.contains(.baud(115_200)))
        }
    }

    @Test func `MediaTek's rate is raised with PMTK251`() {
        let bench = Bench.awake(.plain(.pa1616, baud: 115_200), StandIn(language: .mediaTek))
        #expect(bench.receiver.baud == 115_200)
        #expect(bench.controller.state == .ready)
    }

    @Test func `a receiver that lost its backup is found at its default rate, which is raised again`() {
        var receiver = StandIn()
        receiver.hasBackup = false
        var bench = Bench.awake(.plain(.maxM10S, lines: [.powerEnable], baud: 115_200, backup: true), receiver)
        #expect(bench.receiver.baud == 115_200)
        bench.sleep(.hardware)
        bench.run(for: 600)
        bench.forget()
        bench.wake()
        bench.run(for: 20)
        #expect(bench.controller.state == .ready)
        #expect(bench.receiver.baud == 115_200)
        #expect(bench.acts.filter { if case .baud = $0 { true } else { false } } == [.baud(9600), .baud(115_200)])
    }

    @Test func `a receiver that only identifies itself is used as it is`() {
        var receiver = StandIn()
        receiver.ignores = [.cfgVALSET]
        let bench = Bench.awake(.plain(), receiver)
        #expect(bench.controller.state == .ready)
        #expect(bench.reports.filter { $0 == .identified }.count == 1)
        #expect(bench.reports.filter { if case .configurationRefused = $0 { true } else { false } }.count >= 6)
    }
}
