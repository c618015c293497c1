internal import SextantUnits

/// The handling of the kernel's answers to commands, and of the events that it sends unasked.
extension BeaconRadio {
    mutating func answered(
        _ code: UInt16, _ index: UInt16, _ status: ManagementStatus, _ parameters: borrowing Span<UInt8>,
        at instant: MonotonicInstant
    ) {
        guard let asked = awaited, asked.command.code == code, asked.command.index == index else { return }
        let command = asked.command
        awaited = nil
        guard status == .success else { return refused(command, status, at: instant) }
        failures = 0
        switch command {
        case .readControllers: candidates = BeaconRadio.numbers(parameters, countAt: 0)
        case .readInformation:
            guard parameters.count >= 17 else { return failed(.refused(command: code, status), at: instant) }
            controller?.supports = ControllerSettings(rawValue: parameters.littleEndian(UInt32.self, at: 9))
            controller?.settings = ControllerSettings(rawValue: parameters.littleEndian(UInt32.self, at: 13))
        case .readMonitors:
            let listed = BeaconRadio.numbers(parameters, countAt: 11)
            let own = controller?.monitors.filter { listed.contains($0) } ?? []
            controller?.monitors = own
            controller?.leftovers = clearsMonitors ? listed.filter { !own.contains($0) } : []
            trouble = nil
        case .setPowered, .setLowEnergy:
            guard parameters.count >= 4 else { return }
            changed(ControllerSettings(rawValue: parameters.littleEndian(UInt32.self, at: 0)), at: instant)
        case .setScan(_, let timing):
            // The current advertisement monitor continues with the old scan timing; the next monitor uses the new one.
            settleScan(timing, at: instant)
        case .addMonitor:
            guard parameters.count >= 2 else { return failed(.refused(command: code, status), at: instant) }
            controller?.monitors.append(parameters.littleEndian(UInt16.self, at: 0))
            controller?.isCurrent = true
        case .removeMonitor(_, let handle): lost(handle)
        case .readAdvertising: foundAdvertising(parameters)
        case .addAdvertising(_, let instance, let data):
            controller?.freeInstance = nil
            // If another program removed all advertisements before this answer came, the daemon's own is gone too, and
            // is added again.
            guard !asked.isUndone else { return }
            controller?.instance = instance
            if data == advertisement { settleAdvertising() }
        case .removeAdvertising:
            controller?.instance = nil
            controller?.isSending = false
        }
    }

    /// Reads the answer to Read Advertising Features: flags (4 bytes), lengths (2), largest number of advertisements
    /// (1), their present number (1), and their instance numbers.
    private mutating func foundAdvertising(_ parameters: borrowing Span<UInt8>) {
        guard parameters.count >= 8 else { return refuse(.refused(.notSupported)) }
        let most = parameters[6]
        let taken = (8..<parameters.count).map { parameters[$0] }
        // The highest free instance number is used. bluetoothd uses the lowest number that is free by its own count,
        // and would replace an advertisement of another program with that number. Source: BlueZ, `src/advertising.c`.
        let free = most == 0 ? nil : (1...most).last { !taken.contains($0) }
        guard let free else { return refuse(.noneFree(of: Int(most))) }
        controller?.freeInstance = free
    }

    private mutating func settleScan(_ timing: ScanTiming, at instant: MonotonicInstant) {
        account(at: instant)
        controller?.scan = timing
        controller?.isCurrent = false
    }

    private mutating func refused(
        _ command: ManagementCommand, _ status: ManagementStatus, at instant: MonotonicInstant
    ) {
        switch (command, status) {
        case (.removeMonitor(_, let handle), _):
            // Even if removing a monitor fails, the monitor counts as gone: it is gone already, or disappears with the
            // controller.
            lost(handle)
            controller?.leftovers?.removeAll { $0 == handle }
        case (.readMonitors, .unknownCommand), (.addMonitor, .unknownCommand), (.readMonitors, .notSupported),
            (.addMonitor, .notSupported):
            failed(.noMonitors, at: instant)
        case (.removeAdvertising, _):
            controller?.instance = nil
            controller?.isSending = false
        case (.readAdvertising, _), (.addAdvertising, _): refuse(.refused(status))
        case (_, .blocked): failed(.blocked, at: instant)
        case (_, .invalidController):
            if let index = controller?.index { removed(index, at: instant) }
        // If the kernel lacks the commands that set the scan's timing, its default timing is used.
        case (.setScan(_, let timing), _): settleScan(timing, at: instant)
        default: failed(failures > 0 ? .refused(command: command.code, status) : nil, at: instant)
        }
    }

    /// Records a failure for the reason `why`, and schedules another try: first after a second, then after growing
    /// delays.
    mutating func failed(_ why: RadioTrouble?, at instant: MonotonicInstant) {
        if let why {
            trouble = why
            if isAsked { refuse(.unusable(why)) }
        }
        let delay = BeaconRadio.shortestRetry << Int64(min(failures, 6))
        failures += 1
        retry = instant.advanced(byNanoseconds: min(delay, BeaconRadio.longestRetry))
        settleListening(at: instant)
    }

    // MARK: The controller

    mutating func added(_ index: UInt16) {
        candidates = (candidates ?? []).filter { $0 != index } + [index]
        if trouble == .noController || trouble == .noLowEnergy { trouble = nil }
        retry = nil
    }

    mutating func removed(_ index: UInt16, at instant: MonotonicInstant) {
        candidates?.removeAll { $0 == index }
        guard index == controller?.index else { return }
        account(at: instant)
        controller = nil
        awaited = nil
        retry = nil
        failures = 0
        trouble = candidates?.isEmpty ?? true ? .noController : nil
        settleListening(at: instant)
    }

    mutating func changed(_ new: ControllerSettings, at instant: MonotonicInstant) {
        let wasOn = controller?.isOn ?? false
        controller?.settings = new
        guard controller?.isOn != wasOn else { return }
        controller?.wasSwitchedOff = wasOn
        if wasOn {
            controller?.isSending = false
            trouble = .off
        } else {
            trouble = nil
            retry = nil
            failures = 0
        }
    }

    /// Forgets an advertisement monitor that was removed, or all monitors if the handle is 0.
    mutating func lost(_ handle: UInt16) {
        controller?.leftovers?.removeAll { $0 == handle || handle == 0 }
        controller?.monitors.removeAll { $0 == handle || handle == 0 }
        if controller?.monitors.isEmpty ?? false { controller?.isCurrent = false }
    }

    private static func numbers(_ parameters: borrowing Span<UInt8>, countAt offset: Int) -> [UInt16] {
        guard parameters.count >= offset + 2 else { return [] }
        let stated = Int(parameters.littleEndian(UInt16.self, at: offset))
        let count = min(stated, (parameters.count - offset - 2) / 2)
        return (0..<count).map { parameters.littleEndian(UInt16.self, at: offset + 2 + 2 * $0) }
    }
}
