import ClientProtocol
import ClientVocabulary
import Emulation
import Monitors
import Parts
import SextantJSON
import SextantUnits
import Testing

@testable import Access
@testable import Engine
@testable import HostSleep

/// What is told of the time for which the host slept, and nobody followed the board.
@Suite("The host has slept, and what happened meanwhile has a range of times")
struct HostWakeTests {
    private static let client = ClientID(rawValue: 1)
    /// Minutes of latitude beyond 47 degrees: in the yard, and 2.6 km north of it.
    private static let (inside, outside) = ("4722.61335", "4724.00000")

    /// The store of one board, over all its boots.
    private final class Card {
        var rows: [String: DurableRow] = [:]

        private static func key(_ table: DurableTable, _ client: String, _ name: String) -> String {
            "\(table)/\(client)/\(name)"
        }

        func put(_ row: DurableRow) { rows[Card.key(row.table, row.client, row.name)] = row }

        /// The events that were stored in one input.
        func take(_ deeds: [Action]) -> [PendingEvent] {
            var events: [PendingEvent] = []
            for case .store(let change) in deeds {
                switch change {
                case .put(let row):
                    put(row)
                    if row.table == .events, let event = PendingEvent.decode(row.value.span) { events.append(event) }
                case .remove(let table, let client, let name): rows[Card.key(table, client, name)] = nil
                case .erase(let client): rows = rows.filter { $0.value.client != client }
                }
            }
            return events
        }
    }

    /// A time on the day of the epochs, so many seconds after noon.
    private static func noon(_ seconds: Double) throws -> UTCInstant {
        let date = try #require(CivilDate(iso8601: "2026-11-20"))
        return UTCInstant(date: date, timeOfDay: 0).advanced(byNanoseconds: Int64((43_200 + seconds) * 1e9))
    }

    private static let configuration: HostSleepConfiguration = {
        var settings = HostSleepSettings()
        settings.isAllowed = true
        let traits = HostSwitchTraits(
            horizon: 7 * 86_400, backstop: .init(unit: 60, most: 65_535), tellsCause: true, proof: .chip,
            cutTrigger: .command, cutDelay: 30)
        return HostSleepConfiguration(settings, traits: traits, hasMotionWake: true, breakEven: 50)
    }()

    /// A boot with what is on the card; nil as the cause for one that no sleep came before.
    ///
    /// - Parameter clock: The switch's clock, 20 s after the kernel began.
    private func boot(_ card: Card, by cause: WakeCause?, clock: UTCInstant?) -> Harness {
        var board = Harness(hostSleep: Self.configuration)
        for (_, row) in card.rows.sorted(by: { $0.key < $1.key }) { board.give(.storeFound(row)) }
        board.give(.storeRead)
        let wake = HostWake(cause ?? .power, isRead: true)
        board.give(.host(.woke(wake, clock: clock, fingerprint: 0)), at: 20)
        _ = card.take(board.deeds)
        board.give(.clientConnected(Self.client, .local, PeerIdentity(userID: 1000)))
        return board
    }

    /// Gives epochs of the seconds after noon, at 21 s of the boot and later; returns the events.
    private func locate(
        _ board: inout Harness, _ card: Card, _ seconds: Range<Int>, latitude: String, every step: Int = 1
    ) -> [PendingEvent] {
        var events: [PendingEvent] = []
        for second in stride(from: seconds.lowerBound, to: seconds.upperBound, by: step) {
            let bytes = Harness.epoch(second, latitude: latitude, motion: "0.0,0.0")
            board.give(bytes: bytes, at: Double(second - seconds.lowerBound) + 21)
            events += card.take(board.deeds)
        }
        return events
    }

    /// Goes north out of the yard, from 41 s of the boot on.
    private func leave(_ board: inout Harness, _ card: Card, _ seconds: Range<Int>) -> [PendingEvent] {
        var events: [PendingEvent] = []
        for second in seconds {
            let minutes = 22.61335 + Double(second - seconds.lowerBound) * 0.01
            let bytes = Harness.epoch(second, latitude: "47\(minutes)", motion: "36.0,0.0")
            board.give(bytes: bytes, at: Double(second - seconds.lowerBound) + 41)
            events += card.take(board.deeds)
        }
        return events
    }

    /// A board in the yard at noon that a client watches; it ends, and its host sleeps.
    private func asleep(_ requests: [MonitoringRequest], byMotion: Bool, from: Double) throws -> Card {
        let card = Card()
        var first = boot(card, by: nil, clock: try Self.noon(0))
        for request in requests {
            first.give(ClientRequest(.monitoring(request)), from: Self.client)
            _ = card.take(first.deeds)
        }
        _ = locate(&first, card, 0..<Int(from), latitude: Self.inside)
        try sleep(&first, card, from: from, byMotion: byMotion)
        return card
    }

    private func sleep(_ board: inout Harness, _ card: Card, from: Double, byMotion: Bool) throws {
        board.give(.stopping)
        _ = card.take(board.deeds)
        let note = SleepNote(
            from: try Self.noon(from), alarm: try Self.noon(from + 7200), isTrial: false, byMotion: byMotion)
        card.put(DurableRow(table: .settings, client: "", name: "hostAsleep", value: note.encode()))
    }

    private static let yard = RegionRequest(
        identifier: "yard", .circle(latitude: 47.376889, longitude: 8.541697, radius: 200), notifyOnEntry: true,
        notifyOnExit: true)

    /// The one crossing among events.
    private func crossing(_ events: [PendingEvent]) throws -> PendingEvent.RegionTransition {
        #expect(events.count == 1)
        guard case .region(let crossing)? = events.first?.kind else {
            throw ExpectationFailure(text: "no crossing: \(events)")
        }
        return crossing
    }

    private struct ExpectationFailure: Error {
        var text: String
    }

    // MARK: Regions

    @Test(arguments: [(WakeCause.motion, true), (.alarm, false), (.power, true), (.backstop, true)])
    func `SLEEP-05: a border crossed in a sleep is told between what was last certain and the first fix`(
        cause: WakeCause, byMotion: Bool
    ) throws {
        let card = try asleep([.region(Self.yard)], byMotion: byMotion, from: 60)
        var board = boot(card, by: cause, clock: try Self.noon(3620))
        let events = locate(&board, card, 3630..<3650, latitude: Self.outside)
        let crossing = try crossing(events)
        #expect(crossing.kind == .exit)
        let range = try #require(crossing.range)
        #expect(range.notAfter == crossing.time)
        // The first fixes teach in which order the receiver sends.
        #expect((try Self.noon(3630)...Self.noon(3634)).contains(range.notAfter))
        // Where motion would have woken it, it rested until a minute before the kernel began.
        #expect(range.notBefore == (try Self.noon(cause == .motion ? 3540 : 59)))
    }

    @Test func `SLEEP-05: a border that is crossed after the wake, before the eyes of all, has no range`() throws {
        let card = try asleep([.region(Self.yard)], byMotion: true, from: 60)
        var board = boot(card, by: .alarm, clock: try Self.noon(3620))
        #expect(locate(&board, card, 3630..<3650, latitude: Self.inside) == [])
        #expect(try crossing(leave(&board, card, 3650..<3700)).range == nil)
    }

    @Test func `SLEEP-05: the state of a region is unknown until the first fix, unless the latch says that it rested`()
        throws
    {
        for (cause, byMotion, isKnown) in [
            (WakeCause.alarm, true, true), (.alarm, false, false), (.motion, true, false), (.unknown, true, false),
        ] {
            let card = try asleep([.region(Self.yard)], byMotion: byMotion, from: 60)
            var board = boot(card, by: cause, clock: try Self.noon(3620))
            board.give(ClientRequest(.monitoring(.list)), from: Self.client)
            #expect(board.sent(to: 1).contains(#""state":"\#(isKnown ? "inside" : "unknown")""#), "\(cause)")
            _ = locate(&board, card, 3630..<3650, latitude: Self.inside)
            board.give(ClientRequest(.monitoring(.list)), from: Self.client)
            #expect(board.sent(to: 1).contains(#""state":"inside""#))
        }
    }

    // MARK: The track

    @Test func `after a sleep the track begins anew, however short it was`() throws {
        let card = try asleep([.region(Self.yard)], byMotion: true, from: 60)
        for (cause, isAfterSleep) in [(WakeCause.motion, true), (nil, false)] {
            var board = boot(card, by: cause, clock: try Self.noon(320))
            card.rows["settings//hostAsleep"] = nil
            var places: [TrackedPlace] = []
            for second in 0..<400 {
                board.give(bytes: Harness.epoch(330 + second, latitude: Self.inside), at: Double(21 + second))
                for case .keepTrack(let kept) in board.deeds { places += kept }
            }
            #expect(places.first?.isAfterSleep == isAfterSleep)
            #expect(!places.dropFirst().contains { $0.isAfterSleep })
        }
    }

    // MARK: A cut on the way down

    /// Answers the orders of a board that may sleep, and lets it go to sleep.
    ///
    /// - Returns: What was to be stored from then on, in order.
    private func stop(_ board: inout Harness, acknowledging number: UInt64, at noon: Double) throws -> [DurableChange] {
        var changes: [DurableChange] = []
        var hasAcknowledged = false
        let start = board.now
        for second in 0..<200 {
            let now = start.advanced(byNanoseconds: Int64(second) * 1_000_000_000)
            let wall = try Self.noon(noon + Double(second))
            var inputs: [Input] = [.timePassed]
            while !inputs.isEmpty {
                board.give(inputs.removeFirst(), at: Double(now.nanoseconds) / 1e9)
                for action in board.deeds {
                    switch action {
                    case .store(let change): changes.append(change)
                    case .host(.inspect):
                        var inspection = HostInspection()
                        (inspection.isInhibited, inspection.hasSession, inspection.hasSecondMaster) = (
                            false, false, false
                        )
                        (inspection.isPackageManagerBusy, inspection.isStayAwakeFileThere) = (false, false)
                        (inspection.isStoreSound, inspection.hasExternalPower) = (true, false)
                        (inspection.wall, inspection.switchClock) = (wall, wall)
                        inputs.append(.host(.inspected(inspection)))
                    case .host(.arm(let order)):
                        let reading = SwitchReading(
                            clock: wall, alarm: order.alarm, backstop: order.backstop, byMotion: order.byMotion)
                        inputs.append(.host(.armed(reading, wall: wall)))
                    case .host(.powerOff): inputs += [.host(.powerOffAnswered(isAccepted: true)), .stopping]
                    default: break
                    }
                }
            }
            if !hasAcknowledged, second > 61 {
                hasAcknowledged = true
                board.give(ClientRequest(.acknowledge(number: number)), from: Self.client)
                for case .store(let change) in board.deeds { changes.append(change) }
            }
        }
        return changes
    }

    @Test func `SLEEP-07: whatever of a stop is on the card, the next boot reads it, and its events go on counting`()
        throws
    {
        var tried = BootHistory()
        tried.countAsTried()
        let card = try asleep([.region(Self.yard)], byMotion: true, from: 60)
        card.put(DurableRow(table: .settings, client: "", name: "boots", value: tried.encode()))
        var board = boot(card, by: .motion, clock: try Self.noon(3620))
        let events = locate(&board, card, 3630..<3650, latitude: Self.outside)
        #expect(events.map(\.number) == [1])
        // Without a receiver that can rest, a region keeps the host on.
        board.give(ClientRequest(.monitoring(.endRegion(identifier: "yard", monitor: nil))), from: Self.client)
        _ = card.take(board.deeds)
        let before = card.rows
        let changes = try stop(&board, acknowledging: 1, at: 3650)
        let isAsleep = changes.contains { change in
            if case .put(let row) = change { return row.name == "hostAsleep" }
            return false
        }
        #expect(isAsleep && changes.count >= 4, "\(changes.count)")
        for count in 0...changes.count {
            let cut = Card()
            cut.rows = before
            _ = cut.take(changes[..<count].map { Action.store($0) })
            var next = boot(cut, by: .power, clock: try Self.noon(7220))
            let unreadable = next.deeds.contains { if case .log(.unreadableRow) = $0 { true } else { false } }
            #expect(!unreadable, "\(count)")
            next.give(ClientRequest(.monitoring(.region(Self.yard))), from: Self.client)
            _ = cut.take(next.deeds)
            let more =
                locate(&next, cut, 7230..<7250, latitude: Self.inside) + leave(&next, cut, 7250..<7300)
            #expect(more.map(\.number) == [2], "\(count) of \(changes.count)")
            #expect(next.engine.hostSleeping.view.policy?.history != nil, "\(count)")
        }
    }

    // MARK: Visits

    @Test func `SLEEP-05: a departure and an arrival in a sleep have ranges, in the list of visits too`() throws {
        let card = try asleep([.service(.visits, true)], byMotion: false, from: 900)
        var board = boot(card, by: .alarm, clock: try Self.noon(8000))
        let events = locate(&board, card, 8010..<9000, latitude: Self.outside, every: 5)
        let visits = events.compactMap { if case .visit(let visit) = $0.kind { visit } else { nil } }
        let left = try #require(visits.first { $0.departure != nil }?.departureRange)
        let came = try #require(visits.first { $0.departure == nil }?.arrivalRange)
        for range in [left, came] {
            #expect(range.notBefore <= (try Self.noon(900)))
            #expect(range.notBefore >= (try Self.noon(800)))
            #expect((try Self.noon(8010)...Self.noon(8030)).contains(range.notAfter))
        }
    }

    @Test func `SLEEP-05: a stored event keeps its range, and one that is damaged is refused`() throws {
        let range = try #require(TimeRange(notBefore: try Self.noon(0), notAfter: try Self.noon(60)))
        #expect(TimeRange(notBefore: range.notAfter, notAfter: range.notBefore) == nil)
        var visit = VisitObject(
            arrival: try Self.noon(60), departure: nil, latitude: 47, longitude: 8, horizontalAccuracy: 50)
        visit.departureRange = range
        let crossing = PendingEvent.RegionTransition(
            identifier: "yard", monitor: "m", kind: .exit, state: .outside, time: try Self.noon(60),
            confirmed: try Self.noon(61), range: range)
        for kind in [PendingEvent.Kind.visit(visit), .region(crossing)] {
            let event = PendingEvent(number: 7, client: "app", kind: kind)
            let bytes = event.encode()
            #expect(PendingEvent.decode(bytes.span) == event)
            #expect(PendingEvent.decode(Array(bytes.dropLast()).span) == nil)
            #expect(PendingEvent.decode((bytes + [0]).span) == nil)
        }
    }

    @Test func `SLEEP-05: a range is two members of a region's event, and of a visit two for each end`() throws {
        let range = try #require(TimeRange(notBefore: try Self.noon(0), notAfter: try Self.noon(60)))
        var text = TextBuffer(capacity: 512)
        let crossing = RegionEventObject(
            identifier: "yard", monitor: nil, kind: .exit, isInside: false, time: range.notAfter,
            confirmed: range.notAfter, range: range)
        ClientEvent.appendRegionEvent(crossing, number: 7, to: &text)
        var visit = VisitObject(
            arrival: range.notAfter, departure: nil, latitude: 47, longitude: 8, horizontalAccuracy: 50)
        visit.arrivalRange = range
        ClientEvent.appendVisit(visit, number: 8, to: &text)
        let lines = text.string
        let (first, last) = ("2026-11-20T12:00:00.000Z", "2026-11-20T12:01:00.000Z")
        #expect(lines.contains(#""notBefore":"\#(first)","notAfter":"\#(last)""#), "\(lines)")
        #expect(lines.contains(#""arrivalNotBefore":"\#(first)","arrivalNotAfter":"\#(last)""#), "\(lines)")
        #expect(!lines.contains("departureNot"))
    }

    // MARK: Many sleeps

    @Test func `SLEEP-05: over a thousand sleeps no event is lost or doubled, and each holds the truth`() throws {
        var random = SplitMix64(seed: 39)
        var card = try asleep([.region(Self.yard)], byMotion: true, from: 60)
        var (isInside, time, number, crossings) = (true, 60, UInt64(0), 0)
        for _ in 0..<1000 {
            // The next day is another board's.
            if time > 35_000 {
                card = try asleep([.region(Self.yard)], byMotion: true, from: 60)
                (isInside, time, number) = (true, 60, 0)
            }
            let slept = Int.random(in: 700...7200, using: &random)
            let isMoved = Bool.random(using: &random)
            // Motion wakes the host at once; without the latch it is noticed at the alarm.
            let hasLatch = Bool.random(using: &random)
            let note = SleepNote(
                from: try Self.noon(Double(time)), alarm: try Self.noon(Double(time + slept)), isTrial: false,
                byMotion: hasLatch)
            card.put(DurableRow(table: .settings, client: "", name: "hostAsleep", value: note.encode()))
            let wake = time + slept
            let crossed = isMoved ? (hasLatch ? wake : Int.random(in: time...wake, using: &random)) : nil
            if isMoved { isInside.toggle() }
            let cause = isMoved && hasLatch ? WakeCause.motion : .alarm
            // The firmware's 5 s, and the kernel's 20.
            var board = boot(card, by: cause, clock: try Self.noon(Double(wake + 25)))
            // The client dies at random, and its events wait for it.
            if Bool.random(using: &random) { board.give(.clientGone(Self.client)) }
            let events = locate(
                &board, card, wake + 30..<wake + 50, latitude: isInside ? Self.inside : Self.outside)
            guard let crossed else {
                #expect(events == [])
                try sleep(&board, card, from: Double(wake + 50), byMotion: hasLatch)
                time = wake + 50
                continue
            }
            number += 1
            crossings += 1
            let crossing = try crossing(events)
            #expect(events.first?.number == number)
            #expect(crossing.kind == (isInside ? .enter : .exit))
            let range = try #require(crossing.range)
            let truth = try Self.noon(Double(crossed))
            #expect(range.notBefore <= truth && truth <= range.notAfter, "\(cause) \(hasLatch)")
            try sleep(&board, card, from: Double(wake + 50), byMotion: hasLatch)
            time = wake + 50
            // Half of the clients acknowledge.
            guard Bool.random(using: &random) else { continue }
            board.give(ClientRequest(.acknowledge(number: number)), from: Self.client)
            _ = card.take(board.deeds)
        }
        #expect(crossings > 400)
    }
}
