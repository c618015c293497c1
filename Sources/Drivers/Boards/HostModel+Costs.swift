public import HostSleep

extension HostCosts {
    /// The costs that are assumed for a boot and a shutdown of a host until they are measured; the idle draw is that of
    /// the board.
    ///
    /// A Zero 2 W with Debian 12 takes 12 s and 9.5 J from power to the kernel's first program, measured at 5 V
    /// (kittenlabs.de, 2024-09-01). All other figures are assumptions: the 13 s at 900 mW that systemd and the daemons
    /// then take, every shutdown, of which no measurement was found, and everything about a Zero 2 W without HDMI and
    /// probing and about a Raspberry Pi 5. A halted Zero 2 W is taken to draw 31 mA, 1 mA more than the 30 mA of a Zero
    /// W (raspberrypi/firmware, issue 1069).
    public init(_ model: HostModel?, idleMilliwatts: Double) {
        let isTrimmed = model == .zero2WTrimmed
        let isFive = model == .five
        self.init(
            bootSeconds: isFive ? 20 : isTrimmed ? 15 : 25, bootJoules: isFive ? 90 : isTrimmed ? 10 : 9.5 + 13 * 0.9,
            stopSeconds: isFive ? 6 : isTrimmed ? 5 : 8, stopMilliwatts: isFive ? 4000 : isTrimmed ? 600 : 900,
            haltedMilliwatts: isFive ? 3000 : 155, idleMilliwatts: idleMilliwatts)
    }
}
