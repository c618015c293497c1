internal import Monitors
internal import SextantUnits
internal import Store

/// Whether the stored track can be read, and how much work on it is not finished.
struct TrackAccess {
    /// Whether the whole track was checked for damage, so that it can be read.
    var isChecked = true
    /// The number of reads, writes and erasures of the track that are not finished.
    var jobCount = 0
}

/// The track in the store.
extension StateStore {
    /// The largest number of unfinished reads, writes and erasures of the track.
    private static let maximumJobs = 64

    /// Stores track points without waiting for the storage card; a power cut can lose the newest.
    ///
    /// - Parameter then: Called with success or failure; not called if there is no database, so that no track is kept.
    func keepTrack(_ points: [TrackPoint], then: @escaping (Result<Void, TrackRefusal>) -> Void) {
        guard keepsAll else { return }
        perform(
            { database throws(StoreError) in try database.append(track: points, .eventually) }, then: then)
    }

    func readTrack(
        from: UTCInstant, to: UTCInstant, limit: Int, newest: Bool,
        then: @escaping (Result<TrackPage, TrackRefusal>) -> Void
    ) {
        guard track.isChecked || !keepsAll else { return then(.failure(.notChecked)) }
        perform(
            { database throws(StoreError) in
                let points = try database.track(
                    from: from.nanoseconds, to: to.nanoseconds, limit: limit + 1, newest: newest)
                let page = newest ? points.suffix(limit) : points.prefix(limit)
                return TrackPage(
                    places: page.map { TrackedPlace($0) }, total: database.trackCount,
                    hasMore: points.count > limit)
            }, then: then)
    }

    /// Erases the stored track, so that it cannot be recovered.
    ///
    /// - Parameter then: Called with the number of erased points.
    func eraseTrack(then: @escaping (Result<Int, TrackRefusal>) -> Void) {
        perform({ database throws(StoreError) in try database.eraseTrack() }, then: then)
    }

    private func perform<Answer: Sendable>(
        _ work: @escaping @Sendable (inout Database) throws(StoreError) -> Answer,
        then: @escaping (Result<Answer, TrackRefusal>) -> Void
    ) {
        guard keepsAll, let worker else { return then(.failure(.nothingIsKept)) }
        guard track.jobCount < StateStore.maximumJobs else { return then(.failure(.tooMany)) }
        track.jobCount += 1
        do throws(StoreError) {
            try worker.perform(work) { [unowned self] in
                track.jobCount -= 1
                then($0.mapError { .store($0) })
            }
        } catch {
            track.jobCount -= 1
            then(.failure(.store(error)))
        }
    }
}
