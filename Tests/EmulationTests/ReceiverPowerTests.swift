import Emulation
import Receivers
import SextantUnits
import Testing
import UBX

@Suite("EmulatedReceiver: supplies and sleep") struct ReceiverPowerTests {
    private func sleepRequest(
        _ milliseconds: UInt32, force: Bool = true, until sources: RxmPMREQ.WakeupSources
    ) -> RxmPMREQ {
        RxmPMREQ(durationMilliseconds: milliseconds, isBackup: true, form: .long(force: force, wakeupSources: sources))
    }

    @Test func `with USB connected it sleeps only when forced, and then no byte from the host wakes it`() {
        for model in [ReceiverModel.neo6M, .neoM8N, .neoM9N] {
            var bench = HostBench(model) { $0.isAtUSB = true }
            bench.run(to: 10)
            bench.send(
                model == .neo6M
                    ? RxmPMREQ(durationMilliseconds: 60_000, isBackup: true, form: .short)
                    : sleepRequest(60_000, force: false, until: .uartRX))
            bench.run(to: 20)
            #expect(bench.receiver.powerState != .sleep(.software))
            guard model != .neo6M else { continue }
            bench.send(sleepRequest(60_000, until: .uartRX))
            bench.run(to: 30)
            #expect(bench.receiver.powerState == .sleep(.software))
            bench.send([0xFF, 0xFF])
            bench.run(to: 31)
            #expect(bench.receiver.powerState == .sleep(.software))
        }
    }

    @Test func `draws the catalogue's power in each state`() throws {
        var bench = HostBench(.neoM8N) {
            $0.isPoweredAtStart = false
            $0.ephemerisAgeAtStart = 60
        }
        #expect(bench.receiver.powerState == .sleep(.hardware))
        bench.run(to: 1000)
        #expect(abs(bench.receiver.energy - 45) < 1e-9)
        bench.set(.backupSupply, false)
        #expect(bench.receiver.powerState == .off && bench.receiver.nextEvent == nil)
        bench.run(to: 2000)
        #expect(abs(bench.receiver.energy - 45) < 1e-9)
        bench.set(.powerEnable, true)
        #expect(bench.receiver.draw == 96)
        let found = bench.runUntilTracking(limit: 2100)
        let fix = try #require(found)
        #expect(bench.receiver.draw == 87)
        bench.run(to: fix + 10)
        #expect(abs(bench.receiver.energy - 45 - (fix - 2000) * 96 - 870) < 0.01)
    }

    @Test func `without power it neither hears nor sends anything`() {
        var bench = HostBench(.neoM8N) { $0.isPoweredAtStart = false }
        bench.run(to: 10)
        bench.poll(.monVER)
        bench.run(to: 20)
        #expect(bench.byteCount == 0)
    }

    @Test func `a sleep request with the UART wake bit ends at a byte, and unsaved settings are lost`() {
        var bench = HostBench(.neoM8N)
        bench.run(to: 2)
        bench.configureM8()
        bench.run(to: 5)
        #expect(bench.receiver.baud == 115_200)
        bench.send(sleepRequest(0, until: [.uartRX, .extint0]))
        bench.run(to: 6)
        #expect(bench.receiver.powerState == .sleep(.software))
        #expect(bench.receiver.draw == 0.06)
        bench.clear()
        bench.run(to: 3600)
        #expect(bench.byteCount == 0)
        bench.send([0xFF])
        bench.run(to: 3603)
        #expect(bench.receiver.powerState == .acquire)
        #expect(bench.receiver.baud == 9600)
        #expect(bench.frames.isEmpty && !bench.sentences.isEmpty)
    }

    @Test func `a sleep request without the UART wake bit and without a duration ends only by a power cycle`() {
        var bench = HostBench(.neoM8N)
        bench.run(to: 2)
        bench.send(sleepRequest(0, until: .extint0))
        bench.run(to: 3)
        bench.clear()
        bench.send([UInt8](repeating: 0xFF, count: 100))
        bench.run(to: 100_000)
        #expect(bench.receiver.powerState == .sleep(.software) && bench.byteCount == 0)
        bench.set(.powerEnable, false)
        bench.run(to: 100_001)
        bench.set(.powerEnable, true)
        bench.run(to: 100_005)
        #expect(bench.byteCount > 0)
    }

    @Test func `an edge on the wake line also ends that sleep`() {
        var bench = HostBench(.neoM8N)
        bench.run(to: 2)
        bench.send(sleepRequest(0, until: .extint0))
        bench.run(to: 10)
        bench.set(.wake, false)
        #expect(bench.receiver.powerState == .acquire)
    }

    @Test func `a sleep with a duration ends by itself`() {
        var bench = HostBench(.maxM10S)
        bench.run(to: 2)
        bench.send(sleepRequest(60_000, until: .uartRX))
        bench.run(to: 62)
        #expect(bench.receiver.powerState == .sleep(.software))
        bench.run(to: 62.2)
        #expect(bench.receiver.powerState == .acquire)
    }

    @Test func `a u-blox 10 acknowledges a sleep request without force and stays awake`() {
        var bench = HostBench(.maxM10S)
        bench.run(to: 2)
        bench.clear()
        bench.send(sleepRequest(60_000, force: false, until: .uartRX))
        bench.run(to: 5)
        #expect(bench.receiver.powerState == .acquire)
        #expect(bench.frames(.ackAck).map(\.payload) == [[0x02, 0x41]])
        bench.send(RxmPMREQ(durationMilliseconds: 60_000, isBackup: true, form: .short))
        bench.run(to: 8)
        #expect(bench.receiver.powerState == .acquire)
    }

    @Test func `bytes received in the first 0.3 s after waking are lost`() {
        var bench = HostBench(.maxM10S)
        bench.run(to: 2)
        bench.send(sleepRequest(0, until: .uartRX))
        bench.run(to: 3)
        bench.send([0xFF] + CfgRST(clearedSections: 0, mode: .stopGNSS).frame)
        bench.run(to: 3.2)
        bench.poll(.monVER)
        bench.run(to: 3.9)
        #expect(bench.frames.isEmpty)
        bench.poll(.monVER)
        bench.run(to: 4)
        bench.run(to: 4.5)
        #expect(bench.frames(.monVER).count == 1)
    }

    @Test func `a u-blox 10 keeps settings in battery-backed RAM through sleep`() {
        var bench = HostBench(.maxM10S)
        bench.run(to: 2)
        bench.set(.uart1Baud, 115_200, in: [.ram, .batteryBackedRAM])
        bench.set(.uart1NavPVT, 1, in: .ram)
        bench.run(to: 4)
        #expect(bench.receiver.baud == 115_200 && !bench.frames(.navPVT).isEmpty)
        bench.set(.powerEnable, false)
        bench.run(to: 10)
        bench.set(.powerEnable, true)
        bench.clear()
        bench.run(to: 14)
        #expect(bench.receiver.baud == 115_200 && bench.frames(.navPVT).isEmpty)
        bench.set(.powerEnable, false)
        bench.set(.backupSupply, false)
        bench.run(to: 15)
        bench.set(.backupSupply, true)
        bench.set(.powerEnable, true)
        #expect(bench.receiver.baud == 9600)
    }

    @Test func `without a working backup supply every start is cold`() throws {
        var bench = HostBench(.neoM8N) {
            $0.ephemerisAgeAtStart = 60
            $0.backupDies = HostBench.instant(500)
        }
        bench.run(to: 100)
        bench.set(.powerEnable, false)
        bench.run(to: 499)
        #expect(bench.receiver.powerState == .sleep(.hardware))
        bench.run(to: 501)
        #expect(bench.receiver.powerState == .off)
        bench.run(to: 600)
        bench.set(.powerEnable, true)
        let found = bench.runUntilTracking(limit: 700)
        let fix = try #require(found)
        #expect(fix > 617)
    }

    @Test func `the backup cell discharges and charges`() {
        // 45 µW: 10 s a millijoule at 0.1 mW of charge, 22.2 s a millijoule when it feeds the receiver.
        var bench = HostBench(.neoM8N) {
            $0.isPoweredAtStart = false
            $0.backup = .cell(millijoules: 0.9, chargingMilliwatts: 0.1)
        }
        bench.run(to: 19.9)
        #expect(bench.receiver.powerState == .sleep(.hardware))
        bench.run(to: 20.1)
        #expect(bench.receiver.powerState == .off)
        bench.set(.powerEnable, true)
        bench.run(to: 24.6)
        bench.set(.powerEnable, false)
        #expect(bench.receiver.powerState == .sleep(.hardware))
        bench.run(to: 34.5)
        #expect(bench.receiver.powerState == .sleep(.hardware))
        bench.run(to: 34.7)
        #expect(bench.receiver.powerState == .off)
    }

    @Test func `a backup cell that is switched off keeps its charge`() {
        var bench = HostBench(.neoM8N) {
            $0.isPoweredAtStart = false
            $0.backup = .cell(millijoules: 0.9, chargingMilliwatts: 0.1)
        }
        bench.run(to: 10)
        bench.set(.backupSupply, false)
        #expect(bench.receiver.powerState == .off)
        bench.run(to: 30)
        bench.set(.backupSupply, true)
        bench.run(to: 39.9)
        #expect(bench.receiver.powerState == .sleep(.hardware))
        bench.run(to: 40.1)
        #expect(bench.receiver.powerState == .off)
    }

    @Test func `the reset line holds the receiver in reset and restarts it`() {
        var bench = HostBench(.neoM8N) { $0.ephemerisAgeAtStart = 60 }
        bench.run(to: 100)
        bench.set(.reset, true)
        bench.clear()
        bench.run(to: 110)
        #expect(bench.byteCount == 0 && bench.receiver.powerState == .acquire)
        bench.set(.reset, false)
        bench.run(to: 112)
        #expect(bench.byteCount > 0)
    }

    @Test func `cyclic tracking draws its own power after ten seconds`() throws {
        var bench = HostBench(.maxM10S) { $0.ephemerisAgeAtStart = 60 }
        bench.run(to: 2)
        bench.set(.powerOperateMode, 2, in: .ram)
        let found = bench.runUntilTracking(limit: 100)
        let fix = try #require(found)
        bench.run(to: fix + 9.9)
        #expect(bench.receiver.draw == 27)
        bench.run(to: fix + 10.1)
        #expect(bench.receiver.draw == 12 && bench.receiver.powerState == .track)
    }

    @Test func `on-off operation sleeps after the fix and wakes for the next`() throws {
        var bench = HostBench(.neoM8N) { $0.ephemerisAgeAtStart = 60 }
        bench.run(to: 2)
        var management = CfgPM2()
        management.updatePeriodMilliseconds = 600_000
        management.onTimeSeconds = 5
        management.setMode(.onOff)
        bench.send(management)
        bench.send(CfgRXM(reserved: 8, lowPowerMode: 1))
        let found = bench.runUntilTracking(limit: 100)
        let fix = try #require(found)
        bench.run(to: fix + 5.1)
        #expect(bench.receiver.powerState == .sleep(.software))
        bench.run(to: 599)
        #expect(bench.receiver.powerState == .sleep(.software))
        bench.run(to: 601)
        #expect(bench.receiver.powerState == .acquire)
    }

    @Test func `on-off operation abandons a search and tries again later`() {
        let indoors = MaskIntervals(intervals: [HostBench.start - 10..<HostBench.start + 5000])
        var bench = HostBench(.maxM10S, mask: indoors)
        bench.run(to: 2)
        for (key, value) in [
            (UBXConfigurationKey.powerMaximumAcquisitionSeconds, 60 as UInt64), (.powerAcquisitionPeriodSeconds, 300),
            (.powerOperateMode, 1),
        ] { bench.set(key, value, in: [.ram, .batteryBackedRAM]) }
        bench.run(to: 61.9)
        #expect(bench.receiver.powerState == .acquire)
        bench.run(to: 62.1)
        #expect(bench.receiver.powerState == .sleep(.software))
        bench.run(to: 362.1)
        #expect(bench.receiver.powerState == .acquire)
        bench.run(to: 423.1)
        #expect(bench.receiver.powerState == .sleep(.software))
    }

    @Test func `injected sleep faults make it ignore sleep requests or wake by itself`() {
        var deaf = HostBench(.neoM8N) { $0.faults = .ignoresSleep }
        deaf.run(to: 2)
        deaf.send(sleepRequest(0, until: .uartRX))
        deaf.run(to: 60)
        #expect(deaf.receiver.powerState != .sleep(.software))
        var restless = HostBench(.neoM8N) { $0.wakesBySelfAfter = 30 }
        restless.run(to: 2)
        restless.send(sleepRequest(0, until: .uartRX))
        restless.run(to: 32)
        #expect(restless.receiver.powerState == .sleep(.software))
        restless.run(to: 32.2)
        #expect(restless.receiver.powerState == .acquire)
    }
}
