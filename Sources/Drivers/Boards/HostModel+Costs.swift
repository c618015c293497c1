public import HostSleep

extension HostCosts {
    /// The costs assumed for a host until they are measured; the idle draw is that of the board.
    ///
    /// A Zero 2 W with Debian 12 takes 12 s and 9.5 J from power to the kernel's first program, measured at 5 V
    /// (kittenlabs.de, 2024-09-01); 13 s of systemd and daemons at 900 mW, and every stop, are assumptions. So are all
    /// figures of the other hosts: a Zero 2 W without HDMI and probing, and a Raspberry Pi 5. No measurement of a
    /// shutdown was found. Halted, a Zero 2 W draws 31 mA: the 30 mA of a Zero W (raspberrypi/firmware, issue 1069),
    /// and 1 mA.
    public init(_ model: HostModel?, idleMilliwatts: Double) {
        let isTrimmed = model == .zero2WTrimmed
        let isFive = model == .five
        self.init(
            bootSeconds: isFive ? 20 : isTrimmed ? 15 : 25, bootJoules: isFive ? 90 : isTrimmed ? 10 : 9.5 + 13 * 0.9,
            stopSeconds: isFive ? 6 : isTrimmed ? 5 : 8, stopMilliwatts: isFive ? 4000 : isTrimmed ? 600 : 900,
            haltedMilliwatts: isFive ? 3000 : 155, idleMilliwatts: idleMilliwatts)
    }
}
