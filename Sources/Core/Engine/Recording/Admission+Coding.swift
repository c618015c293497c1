internal import Sessions
internal import SextantUnits

/// How a recording stores an admission: the byte 1 where every client is admitted, else 0, the manifests and the
/// policy.
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
        record.write((isComplete ? 1 : 0) as UInt8)
        record.write(UInt32(unreadable.count))
        for name in unreadable { record.write(name) }
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
        guard let others = OperatorPolicy.Rule(from: &record), let isComplete = record.integer(UInt8.self),
            let missing = record.integer(UInt32.self)
        else { return nil }
        var admission = Admission(
            manifests: ClientManifests(manifests), policy: OperatorPolicy(rules: rules, others: others))
        admission.isComplete = isComplete != 0
        for _ in 0..<missing {
            guard let name = record.text() else { return nil }
            admission.unreadable.append(name)
        }
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
            requires.contains(.magnetometer), !regions.isEmpty, defaultAccuracyReduced, selector.command != nil,
        ]
        record.write(flags.indices.reduce(0) { $0 | (flags[$1] ? 1 << $1 : 0) } as UInt8)
        // What a manifest does not have is recorded as before there was any, so that older recordings can be read.
        if let command = selector.command { record.write(command) }
        guard !regions.isEmpty else { return }
        record.write(UInt32(clamping: regions.count))
        for region in regions { region.write(to: &record) }
    }

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
        maximumRegions = Int(most)
        backgroundMode = flags & 1 != 0
        requiresServiceSession = flags & 2 != 0
        isOperator = flags & 4 != 0
        if flags & 8 != 0 { requires.insert(.receiver) }
        if flags & 16 != 0 { requires.insert(.magnetometer) }
        defaultAccuracyReduced = flags & 64 != 0
        if flags & 128 != 0 {
            guard let command = record.text() else { return nil }
            selector.command = command
        }
        guard flags & 32 != 0 else { return }
        guard let count = record.integer(UInt32.self) else { return nil }
        for _ in 0..<count {
            guard let region = BorderRegion(from: &record) else { return nil }
            regions.append(region)
        }
    }
}

extension OperatorPolicy.Rule {
    fileprivate func write(to record: inout RecordWriter) {
        record.write(authorization?.rawValue ?? "")
        record.write(accuracy?.rawValue ?? .max)
        record.write((isFinal ? 1 : 0) as UInt8)
    }

    fileprivate init?(from record: inout RecordReader) {
        guard let authorization = record.text(), let accuracy = record.integer(UInt8.self),
            let isFinal = record.integer(UInt8.self)
        else { return nil }
        self.init(
            authorization: OperatorPolicy.Authorization(rawValue: authorization),
            accuracy: AccuracyAuthorization(rawValue: accuracy), isFinal: isFinal != 0)
    }
}
