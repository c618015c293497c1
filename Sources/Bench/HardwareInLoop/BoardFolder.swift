/// The paths on the board of the files that the daemon under test uses.
struct BoardFolder {
    let path: String
    /// The folder where the disk with the daemon's state is mounted.
    let state: String
    let board: String
    let socket: String

    /// - Parameter path: A folder in the board's RAM, which is empty after a boot.
    init(path: String) {
        self.path = path
        state = path + "/state"
        board = path + "/board/board.json5"
        socket = path + "/sextant.sock"
    }

    private init(installedBoard name: String) {
        path = "/etc/sextant/boards/\(name)"
        state = "/var/lib/sextant"
        board = path + "/board.json5"
        socket = "/run/sextant/sextant.sock"
    }

    /// The paths that Sextant's Debian package uses, with a board named `bench`.
    static let installed = BoardFolder(installedBoard: "bench")

    func recording(_ name: String) -> String { "\(path)/\(name).flight" }

    /// The text of the board file for the emulated hardware, whose compass, GPIO lines and I2C bus are on a CP2112 USB
    /// bridge.
    ///
    /// - Parameter hostSwitch: The model of the host switch on the I2C bus; nil for none.
    static func boardText(isMotionWired: Bool, hostSwitch: FittedSwitch? = nil) -> String {
        let bus = "CP2112 SMBus Bridge on hidraw0"
        let switchText = hostSwitch.map { "hostSwitch: { model: \"\($0.rawValue)\", bus: \"\(bus)\" }," } ?? ""
        let motionLine = isMotionWired ? "motionInterrupt: { name: \"cp2112_gpio:3\" }," : ""
        let motion = isMotionWired ? "motion: { thresholdMetresPerSecondSquared: 0.6, durationSeconds: 0.1 }," : ""
        return """
            {
                receiver: {
                    model: "neo-m8n", device: "\(GuestMachine.serialDevice)", baud: "auto", supplyVolts: 3.3,
                    draw: "typical",
                },
                lines: {
                    powerEnable: { name: "cp2112_gpio:2", safe: "inactive" },
                    wake: { name: "cp2112_gpio:1", safe: "inactive" },
                    \(motionLine)
                },
                backup: "battery",
                \(isMotionWired ? "motion: { sensor: \"lis3dh\", milliwatts: 0.02 }," : "")
                magnetometer: {
                    bus: "\(bus)", model: "hmc5883l", address: 0x1e, x: "right", y: "forward",
                },
                accelerometer: {
                    bus: "\(bus)", model: "lis3dh", address: 0x18, x: "right", y: "forward",
                    \(motion)
                },
                \(switchText)
                host: "zero-2w",
            }

            """
    }

    /// A client manifest that grants the root user every right.
    static let manifestText = """
        {
            user: "root",
            purpose: { whenInUse: "The bench looks on.", always: "The bench looks on." },
            backgroundMode: true,
            operator: true,
        }

        """

    static let policyText = """
        { clients: { bench: { authorization: "always", accuracy: "full" } } }

        """

    /// A compass calibration that leaves the readings of the emulated magnetometer as they are.
    static let calibrationText = """
        {"verdict":"good","reach":"spatial","offset":[0,0,0],"matrix":[[1,0,0],[0,1,0],[0,0,1]],"norm":48.33,\
        "residual":0.3,"levelHeadingError":0.5,"tiltedHeadingError":0.5,"advice":""}

        """
}
