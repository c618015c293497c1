import Doctor
import Testing

/// The boot files that count are found and read as the firmware reads them.
struct BootFileTrapTests {
    private let configuration = "/boot/firmware/config.txt"

    @Test func `a config.txt at a place that the firmware no longer reads is reported`() {
        var system = System.zero2W
        system.tree["/boot/config.txt"] = "# mine\ndtoverlay=disable-bt\n"
        #expect(
            system.troubles == [
                "boot-file: the firmware does not read this config.txt; "
                    + "/boot/config.txt:2: move its settings to \(configuration), which the firmware reads"
            ])
    }

    @Test func `a missing overlay file is reported`() {
        var system = System.threeBPlus
        system.tree[configuration] = System.configuration("enable_uart=1", "dtoverlay=disable-bt", "dtoverlay=pps_gpio")
        #expect(
            system.troubles == [
                "overlay-file: there is no overlay pps_gpio, so the line does nothing; "
                    + "\(configuration):42: correct its name; /boot/firmware/overlays/README lists those there are"
            ])
    }

    @Test(arguments: [
        ("pi3-act-led", "act-led"), ("pi3-disable-wifi", "disable-wifi"), ("rpi-cirrus-wm5102", "cirrus-wm5102"),
        ("rpi-dac", "i2s-dac"), ("rpi-display", "watterott-display"), ("rpi-proto", "proto-codec"),
        ("spi0-cs", "spi0-2cs"),
    ])
    func `an overlay is found by its old or its new name`(old: String, new: String) {
        for file in [old, new] {
            var system = System.zero2W
            system.tree[configuration] = System.configuration("enable_uart=1", "dtoverlay=\(old)")
            system.tree["/boot/firmware/overlays/\(file).dtbo"] = ""
            #expect(!system.examination.findings.contains { $0.check == .overlayFile }, "\(file)")
        }
    }

    @Test func `a dtparam below a dtoverlay belongs to it, until the next or an empty dtoverlay`() {
        var system = System.zero2W
        let fan = "line-overlay: dtoverlay=gpio-fan takes GPIO17 (powerEnable) from the board; "
        let mend = "\(configuration):41: remove dtoverlay=gpio-fan, or give it another pin with gpiopin="
        system.tree[configuration] = System.configuration("enable_uart=1", "dtoverlay=gpio-fan", "dtparam=gpiopin=17")
        #expect(system.troubles == [fan + mend])
        for end in ["dtoverlay=", "dtoverlay=dwc2"] {
            system.tree[configuration] = System.configuration(
                "enable_uart=1", "dtoverlay=gpio-fan", end, "dtparam=gpiopin=17")
            #expect(system.troubles == [])
        }
    }

    @Test func `a base dtparam below an overlay without that parameter applies to the base device tree`() {
        var system = System.zero2W
        system.tree[configuration] = "enable_uart=1\ndtoverlay=vc4-kms-v3d\ndtparam=i2c_arm=off,nohdmi\n"
        #expect(
            system.troubles == [
                "i2c: I2C is off; \(configuration):3: change that part of the line to dtparam=i2c_arm=on"
            ])
        #expect(!PowerAdvice(system.facts).savings.contains { $0.name == "hdmi" })
    }

    @Test func `a dtparam=audio below the display overlay switches only HDMI audio`() {
        var system = System.zero2W
        let on = "dtparam=audio=on\n"
        let off = "dtoverlay=vc4-kms-v3d\ndtparam=audio=off\n"
        for (text, isOn) in [(on + off, true), (on + off + "dtoverlay=\ndtparam=audio=off\n", false)] {
            system.tree[configuration] = text
            #expect(PowerAdvice(system.facts).savings.contains { $0.name == "audio" } == isOn)
        }
    }

    @Test func `an unmounted boot partition is reported, and files in its place are not read`() {
        var unmounted = System.zero2W
        unmounted.tree.remove("/boot/firmware")
        var withFolder = unmounted
        withFolder.tree.folder("/boot/firmware", owner: 0, mode: 0o755)
        var withOldFile = withFolder
        withOldFile.tree["/boot/config.txt"] = "dtoverlay=disable-bt\n"
        for system in [unmounted, withFolder, withOldFile] {
            #expect(system.troubles == [])
            let reason = "the boot partition is not mounted here"
            #expect(
                system.examination.skipped.filter { $0.reason == reason }.map(\.check)
                    == [.bootFile, .overlayFile, .uart, .bluetooth, .miniUART, .i2c, .lineOverlay, .pulse])
            #expect(PowerAdvice(system.facts).unknown.first?.hasPrefix(reason) ?? false)
        }
    }
}
