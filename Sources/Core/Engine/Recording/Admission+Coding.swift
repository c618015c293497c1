public import Access
internal import ClientProtocol
internal import Monitoring
internal import Monitors
public import Parts
public import SextantUnits

/// How a recording stores an `Admission`: the byte 1 where every client is admitted; otherwise the byte 0, the
/// manifests and the policy, and then, where there are any, the policy's rules for clients without a manifest.
extension Admission: Recorded {
    public static var blank: Admission { .nobody }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var everyone = admitsEveryone
        try record.code(&everyone)
        guard !everyone else { return self = .everyone }
        var clients = manifests.map { RuledClient(manifest: $0, rule: policy.rule(for: $0.name)) }
        try record.code(&clients, count: UInt32.self)
        var others = policy.others
        try others.code(&record)
        var flags = (isComplete ? 1 : 0) | policySource.rawValue << 1
        try record.code(&flags)
        guard let source = PolicySource(rawValue: flags >> 1) else { throw DamagedRecord() }
        (isComplete, policySource) = (flags & 1 != 0, source)
        try record.code(&unreadable, count: UInt32.self)
        var rest = policy.rules.keys.filter { self[$0] == nil }.sorted()
            .map { OperatorPolicy.NamedRule(name: $0, rule: policy.rule(for: $0)) }
        if record.hasMore(!rest.isEmpty) { try record.code(&rest, count: UInt32.self) }
        manifests = ClientManifests(clients.map { $0.manifest })
        var rules: [String: OperatorPolicy.Rule] = [:]
        for client in clients { rules[client.manifest.name] = client.rule }
        for client in rest { rules[client.name] = client.rule }
        policy = OperatorPolicy(rules: rules, others: others)
    }
}

private struct RuledClient: Recorded {
    static var blank: RuledClient { RuledClient(manifest: .blank, rule: .blank) }

    var manifest: ClientManifest
    var rule: OperatorPolicy.Rule

    mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try manifest.code(&record)
        try rule.code(&record)
    }
}

extension ClientManifest: Recorded {
    public static var blank: ClientManifest { ClientManifest(name: "", selector: ClientSelector()) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&name)
        try record.code(&selector.unit)
        try record.code(&selector.executable)
        try record.code(&selector.user, nilIs: .max)
        try record.code(&selector.group, nilIs: .max)
        try purposes.code(&record)
        try record.code(&wakeUnit)
        try record.code(count: &maximumRegions)
        var flags: InlineArray<8, Bool> = [
            backgroundMode, requiresServiceSession, isOperator, requires.contains(.receiver),
            requires.contains(.magnetometer), !regions.isEmpty, defaultAccuracyReduced,
            hasLaterKeys,
        ]
        try record.code(&flags)
        (backgroundMode, requiresServiceSession, isOperator) = (flags[0], flags[1], flags[2])
        requires = Set((flags[3] ? [.receiver] : []) + (flags[4] ? [.magnetometer] : []))
        defaultAccuracyReduced = flags[6]
        // A manifest that does not use a key of later versions is written as before that key existed, so that older
        // recordings can be read.
        var haveTopics = false
        if flags[7] {
            var more: InlineArray<3, Bool> = [asksAtStart, forbidsHostSleep, hasTopics]
            try record.code(&more)
            (asksAtStart, forbidsHostSleep, haveTopics) = (more[0], more[1], more[2])
            try record.code(&selector.command)
        }
        if flags[5] { try record.code(&regions, count: UInt32.self) }
        if haveTopics { for index in regions.indices { try record.code(&regions[index].topic) } }
    }

    private var hasTopics: Bool { regions.contains { $0.topic != nil } }
    private var hasLaterKeys: Bool { selector.command != nil || !asksAtStart || forbidsHostSleep || hasTopics }
}

extension PurposeStrings {
    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&whenInUse)
        try record.code(&always)
        var known = temporaryKeys.map { (key: $0, text: temporary($0) ?? "") }
        try record.code(&known, count: UInt16.self, blank: ("", "")) { (purpose, record) throws(DamagedRecord) in
            try record.code(&purpose.key)
            try record.code(&purpose.text)
        }
        var texts: [String: String] = [:]
        for purpose in known { texts[purpose.key] = purpose.text }
        self = PurposeStrings(whenInUse: whenInUse, always: always, temporary: texts)
    }
}

/// The form in which a flight recording stores a manifest's region: the length (4 bytes) and the record of its
/// registration, then the systemd units for entry, exit and dwell; an empty text stands for a unit that is not set.
extension BorderRegion: Recorded {
    public static var blank: BorderRegion {
        BorderRegion(name: "", shape: .circle(latitude: 0, longitude: 0, radius: 0))
    }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var bytes = registration.encode()
        try record.code(block: &bytes, count: UInt32.self)
        guard let request = RegionRegistration.decode(bytes.span)?.request, let shape = request.shape else {
            throw DamagedRecord()
        }
        (name, self.shape, dwell) = (request.identifier, shape, request.dwell)
        try record.code(&onEnter)
        try record.code(&onExit)
        try record.code(&onDwell)
    }
}
