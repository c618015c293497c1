internal import SextantPlaces
internal import SextantReactor
internal import SextantUnits

/// What the geocoder service keeps beyond one request: the server's answers, and the pace of its requests.
///
/// A cache that fails never fails a lookup: the problem is logged, and a damaged file is made anew. A class, because the
/// cache is replaced while it is used.
final class KeptAnswers {
    private let folder: String?
    private let boot: String
    private let reactor: Reactor
    private let problems: ProblemLog
    private var cache: AnswerCache

    /// - Parameters:
    ///   - folder: The folder of the file with the answers; nil to keep them in memory.
    ///   - boot: The kernel's identifier of the running boot, from whose start the boot clock counts.
    init(folder: String?, boot: String, _ reactor: Reactor, _ problems: ProblemLog) throws {
        self.folder = folder
        self.boot = boot
        self.reactor = reactor
        self.problems = problems
        cache = try AnswerCache(folder: nil)
        open()
    }

    private func open() {
        guard let folder else { return }
        do throws(CacheError) {
            cache = try AnswerCache(folder: folder)
        } catch {
            problems.log("\(folder): \(error); answers are kept in memory")
            if let inMemory = try? AnswerCache(folder: nil) { cache = inMemory }
        }
    }

    /// Runs a closure on the cache; if the cache's file turns out to be damaged, makes the file anew.
    @discardableResult
    private func withCache<Result>(_ body: (AnswerCache) throws(CacheError) -> Result) -> Result? {
        do throws(CacheError) {
            return try body(cache)
        } catch {
            problems.tell("kept answers: \(error)")
            if error.isDamage, let folder {
                AnswerCache.discard(in: folder)
                open()
            }
            return nil
        }
    }

    private var time: CacheTime {
        CacheTime(boot: boot, now: reactor.now, wall: reactor.utcIsSynchronized ? reactor.utc : nil)
    }

    // MARK: Answers

    /// Erases the answers of another server, and those that are too old.
    func belong(to settings: GeocoderSettings) {
        withCache { cache throws(CacheError) in
            try cache.belong(to: "\(settings.format.rawValue) \(settings.server)")
            try cache.expire(days: settings.cacheDays, at: time)
        }
    }

    /// The places that the server once gave this client for the same question; nil if none are kept.
    func places(for question: ServerQuestion, of client: String, _ settings: GeocoderSettings) -> [Placemark]? {
        guard settings.cacheDays > 0 else { return nil }
        let places = withCache { cache throws(CacheError) in
            try cache.answer(for: ServerKey(question), of: client, at: time, days: settings.cacheDays)
        }
        return (places ?? nil)?.map { $0.seen(from: question) }
    }

    func keep(_ places: [Placemark], for question: ServerQuestion, of client: String, _ settings: GeocoderSettings) {
        guard settings.cacheDays > 0 else { return }
        withCache { cache throws(CacheError) in
            try cache.keep(places, for: ServerKey(question), of: client, at: time)
        }
    }

    /// Erases a client's answers; returns how many there were, or nil if they could not be erased.
    func erase(_ client: String) -> Int? { withCache { cache throws(CacheError) in try cache.erase(client) } }

    /// The number of kept answers of each client.
    var counts: [KeptLookups] { withCache { cache throws(CacheError) in try cache.counts() } ?? [] }

    /// Erases the answers of each client for which `isLost` is true.
    func forget(where isLost: (String) -> Bool) {
        withCache { cache throws(CacheError) in
            for client in try cache.clients() where isLost(client) { _ = try cache.erase(client) }
        }
    }

    // MARK: The pace of requests

    /// Stores the pace, so that a service that starts again does not ask the server sooner.
    ///
    /// - Parameter stamp: Identifies the configuration that the server refused, if it refuses the board.
    func keep(_ pace: ServerPace, stamp: String) {
        let until = pace.pausedUntil?.nanoseconds ?? 0
        let text = "\(boot) \(pace.next.nanoseconds) \(until) \(pace.refusals) \(pace.failures)"
        withCache { cache throws(CacheError) in
            try cache.setState("pace", text)
            try cache.setState("forbidden", pace.isForbidden ? stamp : "")
        }
    }

    /// The pace with which to go on under this configuration.
    ///
    /// - Parameter isRead: Whether the owner had the configuration reread, which ends a refusal by the server.
    func pace(_ settings: GeocoderSettings, stamp: String, isRead: Bool) -> ServerPace {
        let kept = withCache { cache throws(CacheError) in (try cache.state("pace"), try cache.state("forbidden")) }
        let words = kept?.0?.split(separator: " ") ?? []
        let interval = Int64(settings.interval * 1e9)
        let isForbidden = !isRead && !stamp.isEmpty && kept?.1 == stamp
        guard words.count == 5, words[0] == boot, let next = Int64(words[1]), let until = Int64(words[2]),
            let refusals = Int(words[3]), let failures = Int(words[4])
        else { return ServerPace(interval: interval, isForbidden: isForbidden) }
        return ServerPace(
            interval: interval, next: MonotonicInstant(nanoseconds: next),
            pausedUntil: until > 0 ? MonotonicInstant(nanoseconds: until) : nil, refusals: max(0, refusals),
            failures: max(0, failures), isForbidden: isForbidden)
    }
}
