/// A schedule of position fixes on the oracle's time grid, as the legs from each fix to the next.
struct FixPath {
    /// The time from one fix to the next, or from the last fix to the end of the grid; `from` and `until` are grid
    /// points.
    struct Leg: Hashable {
        var from: Int
        var until: Int
        /// The leg's energy, in millijoules.
        var energy: Double
        /// The number of the leg's grid points at which the fix made at the leg's start is farther from the truth than
        /// the requested accuracy.
        var violations: Int
        /// Whether the receiver stays on until the next fix instead of sleeping.
        var staysOn: Bool
    }

    var legs: [Leg]

    /// The energy of all legs together, in millijoules.
    var energy: Double { legs.reduce(0) { $0 + $1.energy } }
    var violations: Int { legs.reduce(0) { $0 + $1.violations } }

    /// Replaces parts of this schedule by parts of another one that save energy but violate the accuracy more often, as
    /// long as the violations stay within the allowance.
    ///
    /// A part lies between two fixes that both schedules share.
    func spliced(with other: FixPath, allowance: Int) -> FixPath {
        let stretches = self.stretches(sharedWith: other)
        var room = allowance - violations
        var taken = Set<Int>()
        let saving = stretches.indices.filter { stretches[$0].energySaved > 0 }
        for index in saving.sorted(by: { stretches[$0].energySaved > stretches[$1].energySaved })
        where stretches[index].violationsAdded <= room {
            room -= stretches[index].violationsAdded
            taken.insert(index)
        }
        return FixPath(
            legs: stretches.indices.flatMap { index in
                let stretch = stretches[index]
                return taken.contains(index) ? other.legs[stretch.theirs] : legs[stretch.ours]
            })
    }

    private struct Stretch {
        var ours: Range<Int>
        var theirs: Range<Int>
        var energySaved: Double
        var violationsAdded: Int
    }

    private func stretches(sharedWith other: FixPath) -> [Stretch] {
        var stretches: [Stretch] = []
        var (ours, theirs) = (0, 0)
        while ours < legs.count {
            let (ourStart, theirStart) = (ours, theirs)
            ours += 1
            theirs += 1
            while legs[ours - 1].until != other.legs[theirs - 1].until {
                if legs[ours - 1].until < other.legs[theirs - 1].until { ours += 1 } else { theirs += 1 }
            }
            let mine = FixPath(legs: Array(legs[ourStart..<ours]))
            let its = FixPath(legs: Array(other.legs[theirStart..<theirs]))
            stretches.append(
                Stretch(
                    ours: ourStart..<ours, theirs: theirStart..<theirs, energySaved: mine.energy - its.energy,
                    violationsAdded: its.violations - mine.violations))
        }
        return stretches
    }
}
