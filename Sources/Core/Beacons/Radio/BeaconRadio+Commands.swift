internal import SextantUnits

/// Chooses the commands to the kernel, one at a time, that lead from the known state of the controller to the wanted
/// one.
extension BeaconRadio {
    /// Returns the commands that are ready, each only once; each must be written to the socket in a write of its own.
    public mutating func takeCommands() -> [[UInt8]] {
        defer { commands.removeAll(keepingCapacity: true) }
        return commands.map { $0.encode() }
    }

    /// Makes the next command ready to be written, unless the answer to an earlier one is awaited.
    mutating func step(at instant: MonotonicInstant) {
        settleListening(at: instant)
        guard isOpen, !isEnding, awaited == nil, retry.map({ $0 <= instant }) ?? true else { return }
        guard let next = next() else {
            if isAsked, let trouble { refuse(.unusable(trouble)) }
            return
        }
        retry = nil
        awaited = Awaited(command: next, deadline: instant.advanced(byNanoseconds: BeaconRadio.answerNanoseconds))
        commands.append(next)
    }

    /// The next command towards the wanted state of the controller; nil if that state is reached, or cannot be reached
    /// for now.
    private mutating func next() -> ManagementCommand? {
        guard let controller else {
            guard let candidates else { return .readControllers }
            guard let first = candidates.first else {
                if trouble == nil { trouble = .noController }
                return nil
            }
            self.controller = Controller(index: first)
            return next()
        }
        let index = controller.index
        guard let now = controller.settings else { return .readInformation(controller: index) }
        guard controller.supports.contains(.lowEnergy) else {
            candidates?.removeAll { $0 == index }
            self.controller = nil
            trouble = .noLowEnergy
            return next()
        }
        guard let leftovers = controller.leftovers else { return .readMonitors(controller: index) }
        if let handle = leftovers.first { return .removeMonitor(controller: index, handle: handle) }
        guard isNeeded else { return ending(controller) }
        if !now.contains(.lowEnergy), settings.maySwitchOn { return .setLowEnergy(controller: index) }
        guard controller.isOn else {
            let mayTry = settings.maySwitchOn && !controller.wasSwitchedOff
            if !mayTry { trouble = .off }
            return mayTry ? .setPowered(controller: index) : nil
        }
        if let listening = listening(controller) { return listening }
        return advertising(controller)
    }

    /// The next command that is needed so that the wanted advertisement is sent.
    private func advertising(_ controller: Controller) -> ManagementCommand? {
        guard let advertisement else {
            return controller.instance.map { .removeAdvertising(controller: controller.index, instance: $0) }
        }
        guard !controller.isSending else { return nil }
        guard let instance = controller.instance ?? controller.freeInstance else {
            return .readAdvertising(controller: controller.index)
        }
        return .addAdvertising(controller: controller.index, instance: instance, data: advertisement)
    }

    /// The next command that is needed so that the controller scans as wanted.
    private func listening(_ controller: Controller) -> ManagementCommand? {
        guard let wanted else { return controller.monitors.first.map { remove($0, of: controller) } }
        if controller.scan != wanted { return .setScan(controller: controller.index, wanted) }
        if !controller.isCurrent { return .addMonitor(controller: controller.index, settings.formats) }
        return controller.monitors.count > 1 ? controller.monitors.first.map { remove($0, of: controller) } : nil
    }

    /// The next command that is needed to end all sending and listening for the daemon.
    private func ending(_ controller: Controller) -> ManagementCommand? {
        if let instance = controller.instance {
            return .removeAdvertising(controller: controller.index, instance: instance)
        }
        return controller.monitors.first.map { remove($0, of: controller) }
    }

    func remove(_ handle: UInt16, of controller: Controller) -> ManagementCommand {
        .removeMonitor(controller: controller.index, handle: handle)
    }
}
