/// The settings of config.txt that apply to one model of Raspberry Pi.
///
/// A comment takes a whole line, later settings override earlier ones, and some sections apply only to some models.
/// Sections that depend on a display, a GPIO line's level or a trial boot are assumed not to apply, because their state
/// is unknown. A parameter belongs to the last overlay above it if that overlay defines a parameter of this name,
/// otherwise to the base device tree. Source: Raspberry Pi documentation, config.txt, "Conditional filters";
/// configuration, "Device trees, overlays, and parameters", 3.2.
public struct BootConfiguration: Sendable, Equatable {
    public struct Setting: Sendable, Equatable {
        public var name: String
        public var value: String
        public var place: FilePosition
        /// The last overlay that is loaded above this setting, and to which a parameter in the setting can belong; nil
        /// if there is none.
        public var overlay: String?
    }

    public struct Overlay: Sendable, Equatable {
        public var name: String
        /// The overlay's parameters; a parameter without a value has an empty text.
        public var parameters: [(name: String, value: String)]
        public var place: FilePosition

        public func value(_ parameter: String) -> String? { parameters.last { $0.name == parameter }?.value }

        public static func == (left: Overlay, right: Overlay) -> Bool {
            left.name == right.name && left.place == right.place
                && left.parameters.elementsEqual(right.parameters) { $0 == $1 }
        }
    }

    public let path: String
    /// The settings that apply to this model, in the order of their lines, including those of included files.
    public private(set) var settings: [Setting] = []
    /// Settings that are commented out, and that would apply to this model without the `#`.
    private var comments: [Setting] = []
    /// While the file is read: the last overlay that was loaded; nil after a line `dtoverlay=`, which ends an overlay's
    /// parameters.
    private var overlayAbove: String?
    private var lineCount = 0
    /// Whether a line that is added at the end of the file would apply to every model.
    private var endsUnfiltered = true

    /// - Parameters:
    ///   - path: The path of config.txt.
    ///   - serialNumber: This board's serial number in hexadecimal, for sections that apply to a single board.
    public init(path: String, model: RaspberryPi?, serialNumber: String?, files: some SystemFiles) {
        self.path = path
        var filter = SectionFilter(model: model, serialNumber: serialNumber)
        read(path, &filter, files, depth: 0)
        endsUnfiltered = filter.isUnfiltered
    }

    private mutating func read(_ path: String, _ filter: inout SectionFilter, _ files: some SystemFiles, depth: Int) {
        guard depth < 8, let text = files.text(of: path) else { return }
        for (number, raw) in text.numberedLines {
            let line = raw.trimmed
            if depth == 0, !line.isEmpty { lineCount = number }
            if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
                filter.take(String(line[line.index(after: line.startIndex)..<end]))
            } else if filter.holds {
                take(line, at: FilePosition(path, line: number), &filter, files, depth: depth)
            }
        }
    }

    private mutating func take(
        _ line: String, at place: FilePosition, _ filter: inout SectionFilter, _ files: some SystemFiles, depth: Int
    ) {
        if line.hasPrefix("include ") {
            let name = line.dropFirst("include ".count).trimmed
            return read("\(folder)/\(name)", &filter, files, depth: depth + 1)
        }
        let isComment = line.hasPrefix("#")
        let body = isComment ? line.drop { $0 == "#" || $0.isWhitespace }.trimmed : line
        let (name, value) = body.parted(at: "=")
        guard let value, !name.isEmpty, !name.contains(where: \.isWhitespace) else { return }
        let setting = Setting(name: name, value: value.trimmed, place: place, overlay: overlayAbove)
        guard !isComment else { return comments.append(setting) }
        settings.append(setting)
        if setting.loadsOverlay { overlayAbove = Overlay(setting)?.name }
    }

    /// The folder that contains config.txt.
    public var folder: String { String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]) }

    // MARK: Looking up

    public func setting(_ name: String) -> Setting? { settings.last { $0.name == name } }

    /// The loaded overlays, in the order of their lines.
    ///
    /// Each overlay has all parameters on the lines between its own line and the next overlay's, even those that it
    /// does not define.
    public var overlays: [Overlay] {
        var overlays: [Overlay] = []
        for setting in settings {
            if setting.loadsOverlay {
                overlays += [Overlay(setting)].compactMap { $0 }
            } else if setting.name == "dtparam", setting.overlay != nil {
                overlays[overlays.count - 1].parameters += setting.parameters
            }
        }
        return overlays
    }

    /// The present name of an overlay; the firmware also knows the old names of renamed overlays.
    static func present(_ name: String) -> String { renamed[name] ?? name }

    /// The present names of renamed overlays, by their old names.
    ///
    /// Source: Raspberry Pi's Linux, `arch/arm/boot/dts/overlays/overlay_map.dts`, "renamed".
    private static let renamed = [
        "pi3-act-led": "act-led", "pi3-disable-bt": "disable-bt", "pi3-disable-wifi": "disable-wifi",
        "pi3-miniuart-bt": "miniuart-bt", "rpi-cirrus-wm5102": "cirrus-wm5102", "rpi-dac": "i2s-dac",
        "rpi-display": "watterott-display", "rpi-proto": "proto-codec", "spi0-cs": "spi0-2cs",
    ]

    public func overlay(_ name: String) -> Overlay? { overlays.last { $0.name == name || $0.name == "\(name)-pi5" } }

    /// The last setting of a device tree parameter with one of the given names: whether it switches the parameter on,
    /// its value, and its line in the file; nil if there is none.
    public func parameter(_ names: String...) -> (isOn: Bool, value: String, place: FilePosition)? {
        var found: (Bool, String, FilePosition)?
        for setting in settings where setting.name == "dtparam" {
            let taken = setting.overlay.flatMap { BootConfiguration.taken[$0] } ?? []
            for (name, value) in setting.parameters where names.contains(name) && !taken.contains(name) {
                found = (["", "on", "yes", "true", "okay", "1"].contains(value), value, setting.place)
            }
        }
        return found.map { (isOn: $0.0, value: $0.1, place: $0.2) }
    }

    fileprivate static func parameters(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: ",").map { part in
            let (name, value) = part.parted(at: "=")
            return (name.trimmed, (value ?? "").trimmed)
        }
    }

    /// Parameters of the base device tree that an overlay also defines, by the overlay; on lines below that overlay
    /// they belong to the overlay.
    ///
    /// Source: Raspberry Pi's Linux, `arch/arm/boot/dts/overlays/vc4-kms-v3d-overlay.dts` and those of other models.
    private static let taken: [String: Set<String>] = [
        "vc4-kms-v3d": ["audio"], "vc4-kms-v3d-pi4": ["audio"], "vc4-kms-v3d-pi5": ["audio"],
    ]

    // MARK: Mending

    /// The remedy that makes a line take effect: to change a contradicting line, to remove a `#`, or to add the line.
    ///
    /// - Parameter saying: The file and line number of a setting that says the opposite; nil if there is none.
    public func adding(_ line: String, insteadOf saying: FilePosition? = nil) -> Mend {
        if let saying {
            // If the contradicting line also sets other parameters, only a part of it is to be changed.
            let isShared = settings.contains { $0.place == saying && $0.value.contains(",") }
            return Mend(isShared ? "change that part of the line to \(line)" : "change the line to \(line)", at: saying)
        }
        if let comment = comments.last(where: { "\($0.name)=\($0.value)" == line && $0.place.path == path }) {
            return Mend("take the # away before \(line)", at: comment.place)
        }
        let place =
            endsUnfiltered ? "under [all], after line \(lineCount)" : "after line \(lineCount), [all] and below it"
        return Mend("add \(place): \(line)", at: FilePosition(path))
    }
}

extension BootConfiguration.Setting {
    /// Whether the setting is a `dtoverlay` line, which loads an overlay or, without a value, ends the last overlay's
    /// parameters.
    fileprivate var loadsOverlay: Bool { name == "dtoverlay" || name == "device_tree_overlay" }

    fileprivate var parameters: [(name: String, value: String)] { BootConfiguration.parameters(value) }
}

extension BootConfiguration.Overlay {
    /// The overlay that a `dtoverlay` line loads; nil if the line has no value and only ends the last overlay's
    /// parameters.
    fileprivate init?(_ setting: BootConfiguration.Setting) {
        guard !setting.value.isEmpty else { return nil }
        // Older files have a colon after the overlay's name instead of a comma, and the firmware still accepts it.
        let (first, rest) = setting.value.parted(at: ",")
        let (name, more) = first.parted(at: ":")
        let parameters = [more, rest].compactMap { $0 }.flatMap(BootConfiguration.parameters)
        self.init(name: BootConfiguration.present(name.trimmed), parameters: parameters, place: setting.place)
    }
}

/// Decides, from the section headings in config.txt such as `[pi4]`, whether the lines below a heading apply to this
/// board.
///
/// A heading replaces an earlier one of the same kind, headings of different kinds must all apply, and `[all]` cancels
/// all earlier ones.
private struct SectionFilter {
    let model: RaspberryPi?
    let serialNumber: String?
    private var modelHolds = true
    private var boardHolds = true
    private var isForNobody = false
    private var conditions: Set<String> = []

    init(model: RaspberryPi?, serialNumber: String?) {
        self.model = model
        self.serialNumber = serialNumber
    }

    var holds: Bool { modelHolds && boardHolds && !isForNobody && conditions.isEmpty }
    private(set) var isUnfiltered = true

    mutating func take(_ name: String) {
        let name = name.lowercased()
        isUnfiltered = name == "all"
        if name == "all" {
            (modelHolds, boardHolds, isForNobody, conditions) = (true, true, false, [])
        } else if name == "none" {
            isForNobody = true
        } else if name.hasPrefix("0x") {
            boardHolds = serialNumber.map { $0.lowercased().hasSuffix(name.dropFirst(2)) } ?? false
        } else if name.hasPrefix("pi") || name.hasPrefix("cm") {
            modelHolds = model?.filters.contains(name) ?? false
        } else {
            conditions.insert(name)
        }
    }
}
