import Receivers
import SextantUnits
import Testing

/// A line at 9600 baud on which a burst of `length` bytes comes every second in pieces of 16.
private struct Line {
    var pacer = BurstPacer()
    var wakeUps = 0
    var lateness: Int64 = 0

    init() { pacer.reset(baud: 9600) }

    /// Plays one burst and counts how often the line had to be looked at, and how late its last byte was seen.
    mutating func play(burst number: Int, length: Int) {
        wakeUps = 0
        let perByte: Int64 = 10_000_000_000 / 9600
        let start = Int64(number) * 1_000_000_000
        var resting: Int64 = 0
        var unread = 0
        var lastSeen: Int64 = 0
        for end in stride(from: 16, through: length, by: 16) {
            let instant = start + Int64(end) * perByte
            unread += 16
            guard instant >= resting else { continue }
            if resting > 0 {
                // The rest's end wakes first, with what has come until then.
                read(unread - 16, at: resting)
                unread = 16
                resting = 0
            }
            wakeUps += 1
            lastSeen = instant
            if let until = pacer.heard(unread, at: MonotonicInstant(nanoseconds: instant)) {
                resting = until.nanoseconds
            }
            unread = 0
        }
        if unread > 0 {
            read(unread, at: resting)
            lastSeen = resting
        }
        lateness = lastSeen - (start + Int64(length / 16 * 16) * perByte)
    }

    private mutating func read(_ count: Int, at instant: Int64) {
        wakeUps += 1
        _ = pacer.heard(count, at: MonotonicInstant(nanoseconds: instant))
    }
}

@Suite("Burst pacer")
struct BurstPacerTests {
    @Test func `an epoch at 9600 baud takes at most a dozen wake-ups once its length is known`() {
        var line = Line()
        line.play(burst: 0, length: 704)
        #expect(line.wakeUps == 44)
        for number in 1...3 { line.play(burst: number, length: 704) }
        for number in 4...20 {
            line.play(burst: number, length: 704)
            #expect(line.wakeUps <= 12)
            #expect(line.lateness == 0)
        }
    }

    @Test func `a sky view every fifth second delays no epoch's end`() {
        var line = Line()
        for number in 0...40 {
            line.play(burst: number, length: number % 5 == 0 ? 700 : 420)
            if number > 10 { #expect(line.lateness <= 0) }
        }
    }

    @Test func `bursts that become shorter are read late at most five times`() {
        var line = Line()
        for number in 0..<10 { line.play(burst: number, length: 800) }
        var late = 0
        for number in 10..<40 {
            line.play(burst: number, length: 320)
            if line.lateness > 0 { late += 1 }
        }
        #expect(late <= 5)
        line.play(burst: 40, length: 320)
        #expect(line.lateness <= 0)
    }

    @Test func `the pacer never rests longer than the kernel's buffer lasts`() throws {
        var pacer = BurstPacer()
        pacer.reset(baud: 115_200)
        for number in 0..<6 {
            for millisecond in stride(from: 0, to: 900, by: 10) {
                let instant = MonotonicInstant(nanoseconds: Int64(number * 1000 + millisecond) * 1_000_000)
                if let until = pacer.heard(100, at: instant) {
                    #expect(until.nanoseconds(since: instant) <= 2048 * 10_000_000_000 / 115_200)
                }
            }
        }
    }

    @Test func `on a link without a rate the pacer never rests`() {
        var pacer = BurstPacer()
        pacer.reset(baud: nil)
        for number in 0..<20 {
            #expect(pacer.heard(700, at: MonotonicInstant(nanoseconds: Int64(number) * 1_000_000_000)) == nil)
        }
    }

    @Test func `bytes that a busy board reads late are not taken for a new burst`() {
        var pacer = BurstPacer()
        pacer.reset(baud: 9600)
        _ = pacer.heard(16, at: MonotonicInstant(nanoseconds: 1_000_000_000))
        // 100 ms later 96 bytes are read: they took all of that time on the line.
        #expect(!pacer.isNewBurst(at: MonotonicInstant(nanoseconds: 1_100_000_000), byteCount: 96))
        #expect(pacer.isNewBurst(at: MonotonicInstant(nanoseconds: 1_100_000_000), byteCount: 16))
    }

    @Test func `the silence that ends a burst is lengthened up to a bound`() {
        var pacer = BurstPacer()
        let before = pacer.silence
        pacer.lengthenSilence()
        #expect(pacer.silence == 2 * before)
        for _ in 0..<10 { pacer.lengthenSilence() }
        #expect(pacer.silence == 320_000_000)
    }
}
