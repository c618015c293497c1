internal import Access
internal import ClientProtocol
internal import Monitoring
internal import Parts
internal import SextantUnits

/// How a recording stores an admission: the byte 1 where every client is admitted, else 0, the manifests and the
/// policy; then the rules of clients without a manifest, where there are any.
extension Admission {
    func encode() -> [UInt8] {
        var record = RecordWriter()
        record.write((admitsEveryone ? 1 : 0) as UInt8)
        guard !admitsEveryone else { return record.bytes }
        record.write(UInt32(manifests.manifests.count))
        for manifest in manifests.manifests {
            manifest.write(to: &record)
            policy.rule(for: manifest.name).write(to: &record)
        }
        policy.others.write(to: &record)
        record.write((isComplete ? 1 : 0) | policySource.rawValue << 1)
        record.write(UInt32(unreadable.count))
        for name in unreadable { record.write(name) }
        let rest = policy.rules.keys.filter { self[$0] == nil }.sorted()
        guard !rest.isEmpty else { return record.bytes }
        record.write(UInt32(rest.count))
        for name in rest {
            record.write(name)
            policy.rule(for: name).write(to: &record)
        }
        return record.bytes
    }

    static func decode(_ bytes: Span<UInt8>) -> Admission? {
        var record = RecordReader(bytes)
        guard let everyone = record.integer(UInt8.self) else { return nil }
        if everyone == 1 { return .everyone }
        guard let count = record.integer(UInt32.self) else { return nil }
        var manifests: [ClientManifest] = []
        var rules: [String: OperatorPolicy.Rule] = [:]
        for _ in 0..<count {
            guard let manifest = ClientManifest(from: &record), let rule = OperatorPolicy.Rule(from: &record) else {
                return nil
            }
            manifests.append(manifest)
            rules[manifest.name] = rule
        }
        guard let others = OperatorPolicy.Rule(from: &record), let flags = record.integer(UInt8.self),
            let source = PolicySource(rawValue: flags >> 1), let missing = record.integer(UInt32.self)
        else { return nil }
        var unreadable: [String] = []
        for _ in 0..<missing {
            guard let name = record.text() else { return nil }
            unreadable.append(name)
        }
        if !record.isAtEnd {
            guard let rest = OperatorPolicy.rules(from: &record) else { return nil }
            for (name, rule) in rest { rules[name] = rule }
        }
        var admission = Admission(
            manifests: ClientManifests(manifests), policy: OperatorPolicy(rules: rules, others: others))
        (admission.isComplete, admission.policySource) = (flags & 1 != 0, source)
        admission.unreadable = unreadable
        return record.isAtEnd ? admission : nil
    }
}

extension ClientManifest {
    fileprivate func write(to record: inout RecordWriter) {
        record.write(name)
        record.write(selector.unit ?? "")
        record.write(selector.executable ?? "")
        record.write(selector.user ?? .max)
        record.write(selector.group ?? .max)
        record.write(purposes.whenInUse ?? "")
        record.write(purposes.always ?? "")
        record.write(UInt16(clamping: purposes.temporaryKeys.count))
        for key in purposes.temporaryKeys.prefix(Int(UInt16.max)) {
            record.write(key)
            record.write(purposes.temporary(key) ?? "")
        }
        record.write(wakeUnit ?? "")
        record.write(UInt32(clamping: maximumRegions))
        let flags = [
            backgroundMode, requiresServiceSession, isOperator, requires.contains(.receiver),
            requires.contains(.magnetometer), !regions.isEmpty, defaultAccuracyReduced,
            hasLaterKeys,
        ]
        record.write(flags.indices.reduce(0) { $0 | (flags[$1] ? 1 << $1 : 0) } as UInt8)
        // A manifest without a key is written as before that key existed, so that older recordings can be read.
        if hasLaterKeys {
            record.write((asksAtStart ? 1 : 0) | (forbidsHostSleep ? 2 : 0) | (hasTopics ? 4 : 0) as UInt8)
            record.write(selector.command ?? "")
        }
        guard !regions.isEmpty else { return }
        record.write(UInt32(clamping: regions.count))
        for region in regions { region.write(to: &record) }
        if hasTopics { for region in regions { record.write(region.topic ?? "") } }
    }

    private var hasTopics: Bool { regions.contains { $0.topic != nil } }
    private var hasLaterKeys: Bool { selector.command != nil || !asksAtStart || forbidsHostSleep || hasTopics }

    fileprivate init?(from record: inout RecordReader) {
        guard let name = record.text(), let unit = record.text(), let executable = record.text(),
            let user = record.integer(UInt32.self), let group = record.integer(UInt32.self),
            let whenInUse = record.text(), let always = record.text(), let count = record.integer(UInt16.self)
        else { return nil }
        self.init(
            name: name,
            selector: ClientSelector(
                unit: unit.isEmpty ? nil : unit, executable: executable.isEmpty ? nil : executable,
                user: user == .max ? nil : user, group: group == .max ? nil : group))
        var temporary: [String: String] = [:]
        for _ in 0..<count {
            guard let key = record.text(), let text = record.text() else { return nil }
            temporary[key] = text
        }
        purposes = PurposeStrings(whenInUse: whenInUse, always: always, temporary: temporary)
        guard let wakeUnit = record.text(), let most = record.integer(UInt32.self),
            let flags = record.integer(UInt8.self)
        else { return nil }
        self.wakeUnit = wakeUnit.isEmpty ? nil : wakeUnit
        maximumRegions = Int(clamping: most)
        backgroundMode = flags & 1 != 0
        requiresServiceSession = flags & 2 != 0
        isOperator = flags & 4 != 0
        if flags & 8 != 0 { requires.insert(.receiver) }
        if flags & 16 != 0 { requires.insert(.magnetometer) }
        defaultAccuracyReduced = flags & 64 != 0
        var hasTopics = false
        if flags & 128 != 0 {
            guard let asks = record.integer(UInt8.self), let command = record.text() else { return nil }
            asksAtStart = asks & 1 != 0
            forbidsHostSleep = asks & 2 != 0
            hasTopics = asks & 4 != 0
            selector.command = command.isEmpty ? nil : command
        }
        guard flags & 32 != 0 else { return }
        guard let count = record.integer(UInt32.self) else { return nil }
        for _ in 0..<count {
            guard let region = BorderRegion(from: &record) else { return nil }
            regions.append(region)
        }
        for place in regions.indices where hasTopics {
            guard let topic = record.text() else { return nil }
            regions[place].topic = topic.isEmpty ? nil : topic
        }
    }
}

/// The form in which a flight recording stores a manifest's region: the length (4 bytes) and the record of its
/// registration, then the units for entry, exit and dwell; an empty text stands for a unit that is not set.
extension BorderRegion {
    func write(to record: inout RecordWriter) {
        let bytes = registration.encode()
        record.write(UInt32(clamping: bytes.count))
        record.write(raw: bytes)
        for unit in [onEnter, onExit, onDwell] { record.write(unit ?? "") }
    }

    /// Reads what `write` wrote; nil where it is damaged.
    init?(from record: inout RecordReader) {
        guard let count = record.integer(UInt32.self), let bytes = record.raw(Int(clamping: count)),
            let request = RegionRegistration.decode(Array(bytes).span)?.request, let shape = request.shape,
            let onEnter = record.text(), let onExit = record.text(), let onDwell = record.text()
        else { return nil }
        self.init(name: request.identifier, shape: shape)
        dwell = request.dwell
        self.onEnter = onEnter.isEmpty ? nil : onEnter
        self.onExit = onExit.isEmpty ? nil : onExit
        self.onDwell = onDwell.isEmpty ? nil : onDwell
    }
}
