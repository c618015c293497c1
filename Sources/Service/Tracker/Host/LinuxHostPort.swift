internal import HostSleep
internal import LinuxHardware
public import SextantReactor
internal import SextantUnits

/// The port to the host's sleep: runs a thread for the host switch, whose transfers block, and waits for the answers of
/// the helper `sextant-host`.
///
/// A class, because the thread and the watch of the helper's folder call it back.
public final class LinuxHostPort: HostPort {
    private let files: HostRequestFiles
    private let reactor: Reactor
    private let patience: Double
    private let onAnswer: (HostPortAnswer) -> Void
    private var worker: BusWorker<HostPortOrder, HostPortAnswer>?
    /// The request to the helper `sextant-host` whose answer is awaited.
    private var awaited: HostRequest?
    /// Whether the last request to the helper was withdrawn, so that an answer to it is ignored.
    private var isWithdrawn = false
    private var watch: FolderWatch?
    private var alarm: Alarm?

    /// Starts the thread that drives the host switch; `onAnswer` is called on the reactor's thread.
    ///
    /// - Parameters:
    ///   - patience: Seconds to wait for the helper's answer; logind can take that long, and a host that powers off
    ///     ends the wait.
    ///   - makeServer: Called first on the new thread; the function that it returns carries out the orders there.
    public init(
        files: HostRequestFiles, capacity: Int, reactor: Reactor, patience: Double = 60,
        onAnswer: @escaping (HostPortAnswer) -> Void,
        makeServer: @escaping @Sendable () -> (HostPortOrder) -> HostPortAnswer
    ) throws(SystemError) {
        self.files = files
        self.reactor = reactor
        self.patience = patience
        self.onAnswer = onAnswer
        alarm = try Alarm(in: reactor) { [unowned self] in giveUp() }
        worker = try BusWorker(
            "sextant-host", capacity: capacity, reactor: reactor,
            answered: { [unowned self] answer in answered(answer) }, makeServer: makeServer)
    }

    public func order(_ order: HostPortOrder) -> Bool {
        if case .carryOut(.powerOff) = order { isWithdrawn = false }
        if case .carryOut(.disarm) = order {
            isWithdrawn = true
            forget()
        }
        return worker?.order(order) ?? false
    }

    public func close() {
        forget()
        worker?.close()
    }

    private func answered(_ answer: HostPortAnswer) {
        guard let request = answer.awaited else { return onAnswer(answer) }
        if !isWithdrawn { wait(for: request) }
    }

    /// Waits for the helper's answer; the watch of the helper's folder begins before the folder is read, so that no
    /// answer is missed.
    private func wait(for request: HostRequest) {
        awaited = request
        do throws(SystemError) {
            watch = try FolderWatch(
                [files.folders.helper], in: reactor, changed: { [unowned self] in look() }, settled: {})
        } catch {
            return conclude("host sleep: the answer of sextant-host cannot be awaited: \(error)")
        }
        alarm?.set(at: Clock.now().advanced(byNanoseconds: Int64(patience * 1e9)))
        look()
    }

    private func look() {
        guard let awaited, let answer = files.answer(to: awaited) else { return }
        conclude(
            answer.refusal.map { refusal in
                let names = refusal.by.isEmpty ? "" : " (\(refusal.by.joined(separator: ", ")))"
                return "host sleep: the power stays on: \(refusal.reason)\(names)"
            })
    }

    private func giveUp() {
        guard awaited != nil else { return }
        files.removeRequest()
        conclude(
            "host sleep: sextant-host did not answer; install it, and sudo systemctl enable --now sextant-host.path")
    }

    private func conclude(_ refusal: String?) {
        forget()
        onAnswer(HostPortAnswer([.powerOffAnswered(isAccepted: refusal == nil)], problem: refusal))
    }

    private func forget() {
        awaited = nil
        watch = nil
    }
}
