import Store
import Testing

@Suite("Database's track")
struct DatabaseTrackTests {
    private let scratch: Scratch
    private let day: Int64 = 86_400_000_000_000

    init() throws { scratch = try Scratch() }

    private func point(_ time: Int64, steady: Int64 = 0) -> TrackPoint {
        TrackPoint(
            time: time, latitude: 52.5, longitude: -13.25, altitude: Double(time % 1000), speed: 1.5, steady: steady)
    }

    @Test func `points come back whole, oldest first, within the bounds asked for`() throws {
        let full = TrackPoint(
            time: 30, latitude: -90, longitude: 180, altitude: -1.5, horizontalAccuracy: 4.25, speed: 0, course: 359.5,
            isAfterSleep: true)
        do {
            var database = try scratch.database()
            try database.append(track: [point(40), full, point(10)], .eventually)
            try database.append(track: [point(20)], .onCard)
            try database.append(track: [], .onCard)
        }
        let database = try scratch.database()
        #expect(try database.track(from: .min, to: .max, limit: 10) == [point(10), point(20), full, point(40)])
        #expect(try database.track(from: 20, to: 30, limit: 10) == [point(20), full])
        #expect(try database.track(from: .min, to: .max, limit: 2) == [point(10), point(20)])
        #expect(try database.track(from: .min, to: .max, limit: -1).isEmpty)
        #expect(database.trackCount == 4)
    }

    @Test func `the newest points come oldest first too`() throws {
        var database = try scratch.database()
        try database.append(track: [point(40), point(10), point(30), point(20)], .onCard)
        #expect(try database.track(from: .min, to: .max, limit: 2, newest: true) == [point(30), point(40)])
        #expect(try database.track(from: .min, to: 30, limit: 2, newest: true) == [point(20), point(30)])
        #expect(try database.track(from: .min, to: .max, limit: 9, newest: true).count == 4)
    }

    @Test func `a point with the time of an earlier one does not replace it`() throws {
        var database = try scratch.database()
        try database.append(track: [point(1), point(1)], .onCard)
        try database.append(track: [TrackPoint(time: 1, latitude: 0, longitude: 0)], .onCard)
        #expect(try database.track(from: 0, to: 9, limit: 9) == [point(1)])
        #expect(database.trackCount == 1)
    }

    @Test func `points whose dates a receiver made up delete nothing`() throws {
        let now = 20_000 * day
        let kept = (0..<100).map { point(now + $0 * day / 10) }
        // A spoofer's dates: 60 days ahead, long ago, each of a hundred other days, and the ends of time.
        let others: [Int64] = [60, -7168, .max / day, .min / day] + (0..<100).map { 40 * $0 + 100 }
        do {
            var database = try scratch.database()
            try database.append(track: kept, .onCard)
            for days in others { try database.append(track: [point(now &+ days &* day)], .onCard) }
        }
        var database = try scratch.database()
        try database.append(track: [point(now + 10 * day)], .onCard)
        let points = try database.track(from: now, to: now + 10 * day, limit: 999)
        #expect(points == kept + [point(now + 10 * day)])
        #expect(database.trackCount == 101 + others.count)
    }

    @Test func `a day is deleted once as many days as are kept were stored after it`() throws {
        var database = try scratch.database(TrackRetention(days: 2, points: 1000))
        try database.append(track: (0...40).map { point($0 * day / 10, steady: day / 10) }, .onCard)
        #expect(database.trackCount == 21)
        try database.append(track: [point(day * 5, steady: day)], .onCard)
        let times = try database.track(from: .min, to: .max, limit: 99).map(\.time)
        #expect(times == (30...40).map { $0 * day / 10 } + [day * 5])
        // Of a board that runs a quarter of an hour a day, eight days count as one.
        for number in Int64(6)...100 { try database.append(track: [point(day * number, steady: day / 96)], .onCard) }
        let first = try database.track(from: .min, to: .max, limit: 1).first?.time
        #expect(first == day * 84)
    }

    @Test func `a receiver that keeps to false dates deletes no more days than have passed`() throws {
        var database = try scratch.database(TrackRetention(days: 5, points: 1000))
        for number in Int64(0)..<4 { try database.append(track: [point(day * number, steady: day)], .onCard) }
        // Two hours on a far date, and 10 minutes on each of ten.
        try database.append(track: [point(day * -900, steady: day / 12)], .onCard)
        for number in Int64(1)...10 {
            try database.append(track: [point(day * 50 * number, steady: day / 144)], .onCard)
        }
        #expect(database.trackCount == 15)
        try database.append(track: [point(day * 4, steady: day)], .onCard)
        #expect(database.trackCount == 15, "the first day is gone, by the days that were stored after it")
        #expect(try database.track(from: 0, to: day - 1, limit: 9).isEmpty)
    }

    @Test func `at the limit the day that was stored first loses its points, whatever its date`() throws {
        var database = try scratch.database(TrackRetention(days: 30, points: 10))
        try database.append(track: (0..<5).map { point(900 * day + $0) }, .onCard)
        try database.append(track: (0..<12).map { point($0) }, .onCard)
        #expect(try database.track(from: .min, to: .max, limit: 99).map(\.time) == Array(2..<12))
        try database.append(track: [point(.min), point(.max)], .onCard)
        #expect(try database.track(from: .min, to: .max, limit: 99).map(\.time) == [.min] + (4..<12) + [.max])
    }

    @Test func `the file stops growing at the limit, and shrinks when the limit is lowered`() throws {
        var sizes: [Int] = []
        do {
            var database = try scratch.database(TrackRetention(days: 30, points: 5000))
            for batch in 0..<400 {
                try database.append(track: (0..<50).map { point(Int64(batch * 50 + $0) * 1_000_000_000) }, .eventually)
                #expect(database.trackCount <= 5000)
                if batch % 100 == 99 { sizes.append(try scratch.stateBytes("state.sqlite").count) }
            }
            let times = try database.track(from: .min, to: .max, limit: 9999).map(\.time)
            #expect(times == (15_000..<20_000).map { $0 * 1_000_000_000 })
        }
        sizes.append(try scratch.stateBytes("state.sqlite").count)
        // A point takes about 70 bytes.
        #expect(sizes.allSatisfy { $0 < 5000 * 80 + 400_000 }, "\(sizes)")
        do {
            var database = try scratch.database(TrackRetention(days: 30, points: 100))
            try database.append(track: [point(20_000 * 1_000_000_000)], .onCard)
            #expect(database.trackCount == 100)
        }
        let small = try scratch.stateBytes("state.sqlite").count
        #expect(small < 320_000)
    }

    @Test func `an erased track remains in no file, and its space is freed`() throws {
        do {
            var database = try scratch.database()
            try database.append(track: (0..<5000).map { point($0) }, .onCard)
            try database.apply([put(.events, "a", "1", "kept")])
            try database.eraseTrack()
            #expect(database.trackCount == 0)
            #expect(try database.track(from: .min, to: .max, limit: 9).isEmpty && database.rows().count == 1)
            #expect(try scratch.stateBytes("state.sqlite-wal").isEmpty)
        }
        let bytes = try scratch.stateBytes("state.sqlite")
        // 52.5 as SQLite writes it.
        let latitude: [UInt8] = [0x40, 0x4A, 0x40, 0, 0, 0, 0, 0]
        #expect(bytes.count < 80_000 && bytes.firstRange(of: latitude) == nil)
    }
}
