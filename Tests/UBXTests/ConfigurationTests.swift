import Testing
import UBX

@Suite("Configuration")
struct ConfigurationTests {
    @Test func `RXM-PMREQ has a short and a long form`() throws {
        let short = RxmPMREQ(durationMilliseconds: 60_000, isBackup: true, form: .short)
        #expect(short.payload == [0x60, 0xEA, 0, 0, 2, 0, 0, 0])
        let long = RxmPMREQ(
            durationMilliseconds: 60_000, isBackup: true, form: .long(force: true, wakeupSources: [.uartRX, .extint0]))
        #expect(long.payload == [0, 0, 0, 0, 0x60, 0xEA, 0, 0, 6, 0, 0, 0, 0x28, 0, 0, 0])
        try expectRoundTrip(short)
        try expectRoundTrip(long)
        expectOnlyLengths([8, 16], RxmPMREQ.self)
        #expect(throws: UBXPayloadError.outOfRange(field: .version, value: 1)) {
            try RxmPMREQ(bytes: long.payload.putting(UInt8(1), at: 0))
        }
    }

    @Test func `CFG-RST names what it clears and how it resets`() throws {
        #expect(CfgRST(clearedSections: CfgRST.coldStart, mode: .softwareGNSS).payload == [0xFF, 0xFF, 2, 0])
        #expect(CfgRST(clearedSections: CfgRST.hotStart, mode: .stopGNSS).payload == [0, 0, 8, 0])
        try expectRoundTrip(CfgRST(clearedSections: 0x0001, mode: .startGNSS))
        expectOnlyLengths([4], CfgRST.self)
        #expect(throws: UBXPayloadError.outOfRange(field: .resetMode, value: 3)) { try CfgRST(bytes: [0, 0, 3, 0]) }
    }

    @Test func `CFG-PRT sets a UART to 115200 and UBX output`() throws {
        let port = CfgPRT(uart1Baud: 115_200, inputProtocols: CfgPRT.ubx | CfgPRT.nmea, outputProtocols: CfgPRT.ubx)
        #expect(port.payload == [1, 0, 0, 0, 0xD0, 8, 0, 0, 0, 0xC2, 1, 0, 3, 0, 1, 0, 0, 0, 0, 0])
        try expectRoundTrip(port)
        expectOnlyLengths([20], CfgPRT.self)
        #expect(throws: UBXPayloadError.outOfRange(field: .portID, value: 4)) {
            try CfgPRT(bytes: port.payload.putting(UInt8(4), at: 0))
        }
    }

    @Test func `CFG-PRT for USB has neither mode nor baud rate`() throws {
        let port = CfgPRT(usbInputProtocols: CfgPRT.ubx | CfgPRT.nmea, outputProtocols: CfgPRT.ubx)
        #expect(port.payload == [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 1, 0, 0, 0, 0, 0])
        try expectRoundTrip(port)
    }

    @Test(
        arguments: zip(
            [
                UBXConfigurationKey.uart1InputUBX, .uart1OutputUBX, .uart1OutputNMEA, .uart1NavPVT, .uart1NavSAT,
                .uart1NavEOE, .uart1MonRXR,
            ], [0x1077_0001, 0x1078_0001, 0x1078_0002, 0x2091_0009, 0x2091_0018, 0x2091_0162, 0x2091_018A] as [UInt32]))
    func `each configuration key for UART1 has its counterpart for USB`(item: UBXConfigurationKey, usb: UInt32) {
        #expect(item.atUSB?.rawValue == usb)
        #expect(UBXConfigurationKey.uart1Baud.atUSB == nil && UBXConfigurationKey.powerOperateMode.atUSB == nil)
    }

    @Test func `CFG-RATE and CFG-MSG set the rates of measurements and messages`() throws {
        let rate = CfgRATE(measurementPeriodMilliseconds: 1000, navigationRatio: 1, timeReference: 1)
        #expect(rate.payload == [0xE8, 3, 1, 0, 1, 0])
        try expectRoundTrip(rate)
        expectOnlyLengths([6], CfgRATE.self)
        #expect(throws: UBXPayloadError.outOfRange(field: .timeRef, value: 6)) {
            try CfgRATE(bytes: [0xE8, 3, 1, 0, 6, 0])
        }

        let here = CfgMSG(subject: .navPVT, rate: .thisPort(1))
        #expect(here.payload == [1, 7, 1])
        let everywhere = CfgMSG(
            subject: .navSAT, rate: .ports(.init(i2c: 1, uart1: 2, uart2: 3, usb: 4, spi: 5)))
        #expect(everywhere.payload == [1, 0x35, 1, 2, 3, 4, 5, 0])
        try expectRoundTrip(here)
        try expectRoundTrip(everywhere)
        expectOnlyLengths([3, 8], CfgMSG.self)
    }

    @Test func `CFG-NAV5 changes only the dynamic model`() throws {
        let message = CfgNAV5(model: .automotive)
        #expect(message.payload == [1, 0, 4] + [UInt8](repeating: 0, count: 33))
        try expectRoundTrip(message)
        expectOnlyLengths([36], CfgNAV5.self)
        #expect(throws: UBXPayloadError.outOfRange(field: .dynModel, value: 1)) {
            try CfgNAV5(bytes: message.payload.putting(UInt8(1), at: 2))
        }
        #expect(throws: UBXPayloadError.outOfRange(field: .fixMode, value: 4)) {
            try CfgNAV5(bytes: message.payload.putting(UInt16(4), at: 0).putting(UInt8(4), at: 3))
        }
        let counted36 = try CfgNAV5(bytes: counting(36).putting(UInt16(0), at: 0))
        #expect((counted36.fixedAltitudeCentimetres, counted36.fixedAltitudeVarianceE4) == (counted(4), counted(8)))
        #expect((counted36.minimumElevationDegrees, counted36.deadReckoningLimitSeconds) == (12, 13))
        #expect((counted36.positionDOPMaskE1, counted36.timeDOPMaskE1) == (counted(14), counted(16)))
        #expect((counted36.positionAccuracyMaskMetres, counted36.timeAccuracyMaskMetres) == (counted(18), counted(20)))
        #expect((counted36.staticHoldCentimetresPerSecond, counted36.differentialTimeoutSeconds) == (22, 23))
        #expect((counted36.signalThresholdCount, counted36.signalThreshold) == (24, 25))
        #expect((counted36.staticHoldMetres, counted36.utcStandard) == (counted(28), 30))
        try expectRoundTrip(counted36)
    }

    @Test func `CFG-CFG has a form with and a form without storage devices`() throws {
        let short = CfgCFG(clearMask: 0, saveMask: 0xFFFF, loadMask: 0, devices: nil)
        #expect(short.payload == [0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0])
        let long = CfgCFG(clearMask: 1, saveMask: 2, loadMask: 4, devices: [.batteryBackedRAM, .eeprom])
        #expect(long.payload == [1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 0x05])
        try expectRoundTrip(short)
        try expectRoundTrip(long)
        expectOnlyLengths([12, 13], CfgCFG.self)
    }

    @Test func `CFG-RXM switches power save mode on and off`() throws {
        #expect(CfgRXM(reserved: 8, lowPowerMode: 1).payload == [8, 1])
        try expectRoundTrip(CfgRXM(reserved: 8, lowPowerMode: 0))
        expectOnlyLengths([2], CfgRXM.self)
        #expect(throws: UBXPayloadError.outOfRange(field: .lpMode, value: 5)) { try CfgRXM(bytes: [8, 5]) }
    }

    @Test func `CFG-PM2 has the power save settings in both versions`() throws {
        var message = CfgPM2()
        message.maximumStartupSeconds = 60
        message.updatePeriodMilliseconds = 10_000
        message.searchPeriodMilliseconds = 20_000
        message.gridOffsetMilliseconds = 3
        message.onTimeSeconds = 4
        message.minimumAcquisitionSeconds = 5
        message.updatesEphemeris = true
        message.extintForcesBackup = true
        message.setMode(.cyclicTracking)
        #expect(message.flags == 0x0002_1040)
        let expected: [UInt8] =
            [1, 0, 60, 0, 0x40, 0x10, 2, 0, 0x10, 0x27, 0, 0, 0x20, 0x4E, 0, 0, 3, 0, 0, 0, 4, 0, 5, 0]
            + [UInt8](repeating: 0, count: 20)
        #expect(message.payload == expected)
        try expectRoundTrip(message)
        message.extintInactivityMilliseconds = 0x0102
        #expect(message.payload == [2] + expected.dropFirst() + [2, 1, 0, 0])
        try expectRoundTrip(message)
        expectOnlyLengths([44, 48], CfgPM2.self)
        #expect(throws: UBXPayloadError.outOfRange(field: .version, value: 2)) {
            try CfgPM2(bytes: expected.putting(UInt8(2), at: 0))
        }
    }

    static let items = [
        UBXConfigurationItem(key: .powerUpdateEphemeris, value: 1), UBXConfigurationItem(key: .dynamicModel, value: 4),
        UBXConfigurationItem(key: .measurementPeriodMilliseconds, value: 1000),
        UBXConfigurationItem(key: .uart1Baud, value: 115_200),
        UBXConfigurationItem(key: UBXConfigurationKey(rawValue: 0x5000_0001), value: 0x0102_0304_0506_0708),
    ]

    @Test func `CFG-VALSET writes each value with the size given by its key`() throws {
        var frame: [UInt8] = []
        CfgVALSET.encode(layers: [.ram, .batteryBackedRAM], items: Self.items.span, into: &frame)
        #expect(UBXFraming.match(frame.span) == .frame(length: frame.count))
        let payload = Array(frame[6..<(frame.count - 2)])
        #expect(
            payload == [0, 3, 0, 0, 0x0A, 0, 0xD0, 0x10, 1, 0x21, 0, 0x11, 0x20, 4, 1, 0, 0x21, 0x30, 0xE8, 3] + [
                1, 0, 0x52, 0x40, 0, 0xC2, 1, 0, 1, 0, 0, 0x50, 8, 7, 6, 5, 4, 3, 2, 1,
            ])
        let message = try CfgVALSET(payload: payload.span)
        #expect((message.layers, message.count) == ([.ram, .batteryBackedRAM], 5))
        #expect((0..<5).map { message.item(at: $0, in: payload.span) } == Self.items)
        let whole: Set = [4, 9, 14, 20, 28, 40]
        for count in 0..<payload.count where !whole.contains(count) {
            #expect(throws: UBXPayloadError.self) { try CfgVALSET(payload: payload.span.extracting(0..<count)) }
        }
        #expect(throws: UBXPayloadError.outOfRange(field: .key, value: 0x0011_0021)) {
            try CfgVALSET(payload: payload.putting(UInt8(0x00), at: 12).span)
        }
        #expect(throws: UBXPayloadError.outOfRange(field: .layers, value: 8)) {
            try CfgVALSET(payload: payload.putting(UInt8(8), at: 1).span)
        }
    }

    @Test func `CFG-VALGET asks by key and answers with values`() throws {
        var question: [UInt8] = []
        let keys = [UBXConfigurationKey.uart1Baud, .dynamicModel]
        CfgVALGET.appendPoll(layer: .factoryDefault, position: 258, keys: keys.span, into: &question)
        #expect(Array(question[6..<18]) == [0, 7, 2, 1, 1, 0, 0x52, 0x40, 0x21, 0, 0x11, 0x20])

        var answer: [UInt8] = []
        CfgVALGET.encode(layer: .batteryBackedRAM, position: 64, items: Self.items.span, into: &answer)
        let payload = Array(answer[6..<(answer.count - 2)])
        let message = try CfgVALGET(payload: payload.span)
        #expect((message.layer, message.position, message.count) == (.batteryBackedRAM, 64, 5))
        #expect((0..<5).map { message.item(at: $0, in: payload.span) } == Self.items)
        #expect(message.value(of: .uart1Baud, in: payload.span) == 115_200)
        #expect(message.value(of: .fixMode, in: payload.span) == nil)
        #expect(throws: UBXPayloadError.wrongLength(expected: 4, actual: 3)) {
            try CfgVALGET(payload: payload.span.extracting(0..<3))
        }
        #expect(throws: UBXPayloadError.wrongLength(expected: 40, actual: 39)) {
            try CfgVALGET(payload: payload.span.extracting(0..<39))
        }
        #expect(throws: UBXPayloadError.outOfRange(field: .version, value: 0)) {
            try CfgVALGET(payload: payload.putting(UInt8(0), at: 0).span)
        }
        #expect(throws: UBXPayloadError.outOfRange(field: .layer, value: 3)) {
            try CfgVALGET(payload: payload.putting(UInt8(3), at: 1).span)
        }
    }

    @Test func `CFG-NAVX5 changes only the acknowledgement of aiding messages`() throws {
        let message = CfgNAVX5(version: 2, mask: CfgNAVX5.appliesAcknowledgedAiding, acknowledgesAiding: true)
        var expected = [UInt8](repeating: 0, count: 40)
        expected[0] = 2
        expected[3] = 4
        expected[17] = 1
        #expect(message.payload == expected)
        try expectRoundTrip(message)
        expectOnlyLengths([40], CfgNAVX5.self)
    }
}
