internal import Programs
internal import SextantUplink

/// Carries out the orders of the reducer (the uplink's state machine) for the broker's connection, and passes on the
/// connection's events.
extension UplinkService {
    func connect(_ will: UplinkMessage?) {
        var options = BrokerOptions(
            host: settings.broker.host, port: settings.broker.port, client: "sextant-\(settings.uplink.id)")
        options.keepAlive = Int32(settings.uplink.keepAlive)
        if let user = settings.user { options.login = BrokerOptions.Login(user: user, password: keys.password) }
        if settings.broker.usesTLS { options.tls = keys.tls }
        options.will = will.map {
            BrokerOptions.Will(topic: $0.topic, bytes: $0.payload, isRetained: $0.isRetained)
        }
        tokens = [:]
        link?.connect(options)
    }

    /// Ends the broker's connection; one that is meant to be permanent is ended without DISCONNECT, so that the broker
    /// publishes the will message, which says "offline".
    func leave() {
        if settings.uplink.connection == .kept { link?.drop() } else { link?.disconnect() }
    }

    func publish(_ message: UplinkMessage, _ token: UInt32) {
        let bytes = message.isCompressed ? Deflate.zlib(message.payload) : message.payload
        guard let bytes, let number = link?.publish(message.topic, bytes, isRetained: message.isRetained) else {
            return
        }
        tokens[number] = token
        counters.published += 1
        counters.sentBytes += bytes.count
    }

    func happened(_ event: BrokerEvent) {
        switch event {
        case .connected(let hadSession):
            counters.accepted += 1
            // Memory that was needed only to connect, mostly for TLS, is returned to the system.
            ProgramMemory.giveBack()
            feed(.connected(hadSession: hadSession))
        case .delivered(let number):
            guard let token = tokens.removeValue(forKey: number) else { return }
            counters.delivered += 1
            feed(.delivered(token: token))
        case .subscribed(let isGranted):
            if !isGranted { log("the broker refuses a subscription; let \(settings.uplink.id) read its own topics") }
        case .received(let topic, let bytes, let isRetained):
            feed(.message(topic: topic, payload: bytes, isRetained: isRetained))
        case .ended(let failure):
            tokens = [:]
            let isRefusal = failure.kind != .lost
            if isRefusal { counters.refused += 1 } else { counters.failed += 1 }
            feed(.connectionEnded(isRefusal ? .refused(failure.description) : .lost(failure.description)))
        }
    }
}
