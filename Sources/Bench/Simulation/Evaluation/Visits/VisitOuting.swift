internal import Emulation
internal import Glibc
internal import SextantUnits

/// The movements of an invented person among invented places.
struct VisitOuting {
    struct Step {
        /// Seconds since the midnight at which the first day begins.
        var time: Double
        var place: Place
        /// Whether the person stays at a place; during a stay the errors of fixes are larger than on the way.
        var isStaying: Bool
    }

    struct TrueStay {
        var arrival: Double
        var departure: Double
        var place: Place
        var number: Int
    }

    private let regime: VisitRegime
    private var random: SplitMix64
    private var places: [Place] = []
    private var path: [Step] = []
    private var now = 0.0
    private var here = Place.origin
    private(set) var stays: [TrueStay] = []
    let end: Double

    init(seed: UInt64, regime: VisitRegime) {
        self.regime = regime
        random = SplitMix64(seed: seed ^ 0x7151)
        end = Double(regime.days) * 86_400
        choosePlaces()
    }

    /// The person's positions, one per second.
    mutating func steps() -> [Step] {
        for day in 0..<regime.days { live(through: Double(day) * 86_400) }
        if path.count > Int(end) { path.removeLast(path.count - Int(end)) }
        return path
    }

    /// Chooses home, work and five more places, all at least 320 m from each other, and a place for lunch near work.
    private mutating func choosePlaces() {
        places = [.origin]
        while places.count < 7 {
            let angle = Double.random(in: 0..<(2 * .pi), using: &random)
            let distance = Double.random(in: 500...3600, using: &random)
            let place = Place.origin.moved(east: distance * cos(angle), north: distance * sin(angle))
            if places.allSatisfy({ $0.distance(to: place) >= 320 }) { places.append(place) }
        }
        let angle = Double.random(in: 0..<(2 * .pi), using: &random)
        places.append(places[1].moved(east: regime.neighbour * cos(angle), north: regime.neighbour * sin(angle)))
    }

    private mutating func live(through midnight: Double) {
        stay(at: 0, until: midnight + minutes(380, 470))
        dropOff()
        drive(to: places[1], isJammed: regime.hasJam)
        stay(at: 1, for: minutes(200, 260))
        walk(to: places[7])
        stay(at: 7, for: minutes(20, 45))
        walk(to: places[1])
        stay(at: 1, for: minutes(190, 240))
        errand(2, regime.hasThreshold ? minutes(6, 6.7) : minutes(10, 30))
        if regime.hasThreshold { pauseOnTheWay(seconds: 240) }
        drive(to: places[3])
        if let radius = regime.siteRadius {
            wander(at: 3, radius: radius, for: minutes(90, 180))
        } else {
            stay(at: 3, for: minutes(45, 80))
        }
        errand(4, minutes(6, 20))
        drive(to: places[0])
        stay(at: 0, until: midnight + 86_400)
    }

    private mutating func errand(_ number: Int, _ seconds: Double) {
        drive(to: places[number])
        stay(at: number, for: seconds)
    }

    private mutating func minutes(_ from: Double, _ to: Double) -> Double {
        Double.random(in: (from * 60)...(to * 60), using: &random).rounded()
    }

    private mutating func stay(at number: Int, for seconds: Double) { stay(at: number, until: now + seconds) }

    private mutating func stay(at number: Int, until end: Double) {
        let arrival = now
        here = places[number]
        while now < end { step(to: here, isStaying: true) }
        note(arrival, number)
    }

    /// Records a stay that has just ended; a stay that spans midnight is joined to the previous day's stay at the same
    /// place.
    private mutating func note(_ arrival: Double, _ number: Int) {
        if let last = stays.last, last.number == number, arrival - last.departure < 1 {
            stays[stays.count - 1].departure = now
        } else {
            stays.append(TrueStay(arrival: arrival, departure: now, place: places[number], number: number))
        }
    }

    /// Walks from spot to spot on a site, with stops of less than 2 minutes; the whole time counts as one stay.
    private mutating func wander(at number: Int, radius: Double, for seconds: Double) {
        let arrival = now
        while now < arrival + seconds {
            let angle = Double.random(in: 0..<(2 * .pi), using: &random)
            let distance = radius * Double.random(in: 0...1, using: &random).squareRoot()
            go(to: places[number].moved(east: distance * cos(angle), north: distance * sin(angle)), speed: 0.9)
            pause(Double.random(in: 0...110, using: &random))
        }
        note(arrival, number)
    }

    /// Brings a child to school: a stop of 90 to 200 s, which does not count as a visit.
    private mutating func dropOff() {
        drive(to: places[6])
        here = places[6]
        let end = now + Double.random(in: 90...200, using: &random)
        while now < end { step(to: here, isStaying: true) }
    }

    private mutating func pauseOnTheWay(seconds: Double) {
        drive(to: places[5])
        let end = now + seconds
        while now < end { step(to: here, isStaying: true) }
    }

    private mutating func drive(to place: Place, isJammed: Bool = false) {
        let speed = Double.random(in: 8...14, using: &random)
        let way = here.distance(to: place)
        var lights = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            Double.random(in: 40...max(41, way - 40), using: &random)
        }.sorted()
        var jam = isJammed ? min(way * 0.4, 900) : 0
        while here.distance(to: place) > speed {
            let left = here.distance(to: place)
            if let light = lights.first, way - left >= light {
                lights.removeFirst()
                pause(Double.random(in: 15...100, using: &random))
            }
            let isCreeping = jam > 0 && way - left > way * 0.3
            let now = isCreeping ? 1.5 : speed
            if isCreeping {
                jam -= now
                if Double.random(in: 0...1, using: &random) < 0.01 {
                    pause(Double.random(in: 20...60, using: &random))
                }
            }
            advance(to: place, by: now)
        }
        here = place
    }

    private mutating func walk(to place: Place) { go(to: place, speed: 1.4) }

    private mutating func go(to place: Place, speed: Double) {
        while here.distance(to: place) > speed { advance(to: place, by: speed) }
        here = place
    }

    private mutating func advance(to place: Place, by metres: Double) {
        let share = metres / here.distance(to: place)
        let next = here.moved(east: share * (place.east - here.east), north: share * (place.north - here.north))
        step(to: next, isStaying: false)
    }

    private mutating func pause(_ seconds: Double) {
        let end = now + seconds
        while now < end { step(to: here, isStaying: false) }
    }

    private mutating func step(to place: Place, isStaying: Bool) {
        here = place
        path.append(Step(time: now, place: place, isStaying: isStaying))
        now += 1
    }
}
