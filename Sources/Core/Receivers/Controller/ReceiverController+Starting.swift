internal import Epochs
internal import NMEA0183
internal import SextantUnits
internal import UBX

/// Starting the receiver, from switching its supply on until it answers.
extension ReceiverController {
    /// Nanoseconds that a supply takes to rise before the receiver's pins can safely be driven.
    static let supplyRise: Int64 = 50_000_000
    /// Nanoseconds from switching on the supply until a receiver listens; a message from it ends the wait sooner.
    static let boot: Int64 = 1_000_000_000

    mutating func start(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        state = .starting
        guard configuration.lines.contains(.powerEnable), isSupplied != true else {
            rouse(wasUnsupplied: false, at: instant, into: &orders)
            return
        }
        if configuration.lines.contains(.backupSupply) { orders.append(.setLine(.backupSupply, true)) }
        orders.append(.setLine(.powerEnable, true))
        wasSupplyUnknown = isSupplied == nil
        isSupplied = true
        phase = .powering
        deadline = instant.advanced(byNanoseconds: ReceiverController.supplyRise)
    }

    mutating func supplyIsUp(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        rouse(wasUnsupplied: true, at: instant, into: &orders)
    }

    /// Wakes a receiver that has its supply.
    ///
    /// An earlier run of the program may have left the receiver asleep, so even an unknown receiver is sent wake bytes.
    mutating func rouse(wasUnsupplied: Bool, at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        isInContact = false
        if isTransmitterHeld {
            isTransmitterHeld = false
            orders.append(.port(.holdTransmitterLow(false)))
        }
        if configuration.lines.contains(.wake) { orders.append(.setLine(.wake, true)) }
        guard isPortOpen else {
            awaitPort()
            return
        }
        if wasUnsupplied, assistance.isDatabaseGone, let rate = identity?.nearestModel.defaultBauds.first {
            // A receiver without its backup supply has also forgotten its rate.
            order(baud: rate, into: &orders)
        }
        if !wasUnsupplied || wasSupplyUnknown {
            orders.transmit(identity == nil ? UBlox.wakeBytes : behaviour.wakeBytes)
        }
        wasSupplyUnknown = false
        phase = .booting
        deadline = instant.advanced(
            byNanoseconds: wasUnsupplied ? ReceiverController.boot : behaviour.wakeNanoseconds)
    }

    mutating func awaitPort() {
        state = .starting
        phase = .noPort
        deadline = nil
    }

    /// Configures the receiver, which should listen by now, or first asks for its identity.
    mutating func proceed(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        // The identity is queried first, because a database fits only one receiver, and a lost receiver may be at any
        // rate.
        guard isConfirmed, !assistance.isDatabaseGone, !recovery.isLost else {
            beginContact(at: instant, into: &orders)
            return
        }
        configure(at: instant, into: &orders)
    }

    mutating func takeUnsettled(
        _ message: ReceiverStream.Message, fields: borrowing NMEAFields, bytes: borrowing Span<UInt8>,
        at instant: MonotonicInstant, into orders: inout [ReceiverOrder]
    ) {
        switch phase {
        case .booting: proceed(at: instant, into: &orders)
        case .lost: beginContact(at: instant, into: &orders)
        case .asleep: heardAsleep(at: instant, into: &orders)
        case .contacting:
            contact.hasHeard = true
            let reply = ReceiverReply(message, fields: fields, bytes: bytes)
            guard case .identity(let identity) = reply else {
                scriptHeard(reply, at: instant, into: &orders)
                return
            }
            adopt(identity, at: instant, into: &orders)
        case .dumping: takeDump(message, fields: fields, bytes: bytes, at: instant, into: &orders)
        case .confirmingSleep, .goingToSleep:
            let reply = ReceiverReply(message, fields: fields, bytes: bytes)
            if case .power(isAwake: false) = reply {
                fellAsleep(at: instant, into: &orders)
            } else if phase == .confirmingSleep {
                sleepDisturbed(at: instant, into: &orders)
            } else {
                scriptHeard(reply, at: instant, into: &orders)
            }
        case .checkingBackup:
            let reply = ReceiverReply(message, fields: fields, bytes: bytes)
            if case .backup(.restoration(.restored)) = reply, assistance.isInFlash {
                assistance.isInFlash = false
                orders.report(.databaseRestored(messages: 0))
            }
            scriptHeard(reply, at: instant, into: &orders)
        case .configuring, .quieting, .savingInFlash, .enteringCyclic, .leavingCyclic:
            scriptHeard(ReceiverReply(message, fields: fields, bytes: bytes), at: instant, into: &orders)
        case .off, .noPort, .powering, .aiding, .ready, .renewing, .powerCycling:
            break
        }
    }
}
