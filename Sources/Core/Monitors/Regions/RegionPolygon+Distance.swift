internal import SextantUnits

// MARK: Where a place lies

extension RegionPolygon {
    /// Whether any part of the polygon contains a place; the longitude is unwrapped, so it can exceed 180.
    func contains(latitude: Double, longitude: Double) -> Bool {
        (0..<partCount).contains { part in
            rings(ofPart: part).reduce(false) { $0 != isWound(ring: $1, latitude: latitude, longitude: longitude) }
        }
    }

    /// Whether a ring encloses a place: whether the number of the ring's edges due east of the place is odd.
    private func isWound(ring: Int, latitude: Double, longitude: Double) -> Bool {
        let range = range(ofRing: ring)
        var isInside = false
        var from = positions[range.upperBound - 1]
        for index in range {
            let to = positions[index]
            if (from.latitude > latitude) != (to.latitude > latitude) {
                let fraction = (latitude - from.latitude) / (to.latitude - from.latitude)
                if longitude < from.longitude + fraction * (to.longitude - from.longitude) { isInside.toggle() }
            }
            from = to
        }
        return isInside
    }

    /// The distance of a place to the border, on a flat map around the place.
    ///
    /// A line that is straight in degrees is straight on this map.
    func offset(of place: RegionPlace) -> BorderOffset {
        // The longitude is moved by whole turns to be nearest to the polygon's middle, so that from a place beyond
        // either end of a wide polygon the distance is measured the shorter way round the Earth.
        let longitude = place.longitude + 360 * ((middleLongitude - place.longitude) / 360).rounded()
        let (eastScale, northScale) = (place.metresPerDegreeEast, place.metresPerDegreeNorth)
        var nearest = Double.infinity
        var nearestPoint = LocalPoint(east: 0, north: 0)
        var isInside = false
        for part in 0..<partCount {
            var isInPart = false
            for ring in rings(ofPart: part) {
                let range = range(ofRing: ring)
                var before = range.upperBound - 1
                var from = local(positions[before], place.latitude, longitude, eastScale, northScale)
                for index in range {
                    let to = local(positions[index], place.latitude, longitude, eastScale, northScale)
                    let step = LocalPoint(east: to.east - from.east, north: to.north - from.north)
                    if (from.north > 0) != (to.north > 0), from.east - from.north * step.east / step.north > 0 {
                        isInPart.toggle()
                    }
                    if seams.isEmpty || !isSeam(before) {
                        let point = RegionPolygon.nearestPoint(from, step)
                        let square = point.east * point.east + point.north * point.north
                        if square < nearest { (nearest, nearestPoint) = (square, point) }
                    }
                    from = to
                    before = index
                }
            }
            if isInPart { isInside = true }
        }
        return RegionPolygon.offset(to: nearestPoint, isInside: isInside)
    }

    /// The point nearest to the origin on the segment that begins at `from` and extends by `step`.
    @inline(__always)
    private static func nearestPoint(_ from: LocalPoint, _ step: LocalPoint) -> LocalPoint {
        let along = -(from.east * step.east + from.north * step.north)
        let whole = step.east * step.east + step.north * step.north
        let fraction = whole > 0 ? max(0, min(1, along / whole)) : 0
        return LocalPoint(east: from.east + fraction * step.east, north: from.north + fraction * step.north)
    }

    @inline(__always)
    private func local(
        _ position: Position, _ latitude: Double, _ longitude: Double, _ eastScale: Double, _ northScale: Double
    ) -> LocalPoint {
        LocalPoint(
            east: (position.longitude - longitude) * eastScale, north: (position.latitude - latitude) * northScale)
    }

    private func isSeam(_ edge: Int) -> Bool {
        let index = seams.partitioningIndex { Int($0) >= edge }
        return index < seams.count && Int(seams[index]) == edge
    }

    /// A distance above `flatReach` metres comes out too large on the flat map, so only the share `surePart` of the
    /// excess over `flatReach` is counted.
    private static let flatReach = 20_000.0
    private static let surePart = 0.6

    private static func offset(to point: LocalPoint, isInside: Bool) -> BorderOffset {
        let distance = (point.east * point.east + point.north * point.north).squareRoot()
        let sure = distance > flatReach ? flatReach + (distance - flatReach) * surePart : distance
        // The outward direction: from the border to a place outside, and from a place inside to the border.
        let sign: Double = isInside ? 1 : -1
        let outward =
            distance > 0
            ? LocalPoint(east: sign * point.east / distance, north: sign * point.north / distance)
            : LocalPoint(east: 1, north: 0)
        return BorderOffset(distance: isInside ? -sure : sure, outward: outward)
    }
}

// MARK: How large it is

extension RegionPolygon {
    /// A ball that encloses the whole polygon; its radius is a straight distance in metres.
    var ball: (centre: RegionPlace, radius: Double) {
        let bounds = self.bounds
        let centre = RegionPlace(
            latitude: (bounds.south + bounds.north) / 2,
            longitude: LocalFrame.wrapped(middleLongitude))
        let spacing = max(0.5, girthInDegrees / RegionPolygon.maximumBallSteps)
        var radius = 0.0
        for ring in 0..<ringCount {
            let range = range(ofRing: ring)
            var from = positions[range.upperBound - 1]
            for index in range {
                radius = max(radius, reach(of: from, positions[index], from: centre, spacing: spacing))
                from = positions[index]
            }
        }
        return (centre, radius)
    }

    /// The largest number of points along the edges whose distance is measured to find the radius of the enclosing
    /// ball.
    private static let maximumBallSteps = 4096.0

    /// The sum of the lengths of all edges in degrees; an edge's length is its extent in latitude or in longitude,
    /// whichever is greater.
    private var girthInDegrees: Double {
        var girth = 0.0
        for ring in 0..<ringCount {
            let range = range(ofRing: ring)
            var from = positions[range.upperBound - 1]
            for index in range {
                girth += from.extent(to: positions[index])
                from = positions[index]
            }
        }
        return girth
    }

    /// Metres from a place to the farthest point of an edge, measured at points `spacing` degrees apart; the Earth's
    /// bulge between them is allowed for.
    private func reach(of from: Position, _ to: Position, from centre: RegionPlace, spacing: Double) -> Double {
        let (north, east) = (to.latitude - from.latitude, to.longitude - from.longitude)
        let count = Int(saturating: from.extent(to: to) / spacing, .up)
        var farthest = 0.0
        for step in 0..<max(1, count) {
            let fraction = Double(step) / Double(max(1, count))
            let place = RegionPlace(
                latitude: from.latitude + north * fraction,
                longitude: LocalFrame.wrapped(from.longitude + east * fraction))
            farthest = max(farthest, (place.vector - centre.vector).length)
        }
        let length = max(abs(north), abs(east)) / Double(max(1, count)) * 111_700
        return farthest + length * length / (3 * GreatCircle.meanRadius) + 0.01
    }

    /// A lower bound of how far the polygon's innermost point is from the border; metres.
    ///
    /// It is the larger of two lengths: the distance from the middle of the bounding box to the border, and the area
    /// divided by the perimeter.
    var depth: Double {
        let bounds = self.bounds
        let middle = RegionPlace(
            latitude: (bounds.south + bounds.north) / 2,
            longitude: LocalFrame.wrapped(middleLongitude))
        let scale = middle.metresPerDegreeEast * middle.metresPerDegreeNorth
        var (area, girth) = (0.0, 0.0)
        for part in 0..<partCount {
            for ring in rings(ofPart: part) {
                let range = range(ofRing: ring)
                let isHole = ring != rings(ofPart: part).lowerBound
                area += abs(doubledArea(range)) / 2 * scale * (isHole ? -1 : 1)
                var from = positions[range.upperBound - 1]
                for index in range {
                    let to = positions[index]
                    let east = (to.longitude - from.longitude) * middle.metresPerDegreeEast
                    let north = (to.latitude - from.latitude) * middle.metresPerDegreeNorth
                    girth += (east * east + north * north).squareRoot()
                    from = to
                }
            }
        }
        return max(area / girth, -offset(of: middle).distance)
    }
}

extension RegionPolygon.Position {
    /// The extent in latitude or in longitude of the edge to another position, whichever is greater; degrees.
    fileprivate func extent(to other: RegionPolygon.Position) -> Double {
        max(abs(other.latitude - latitude), abs(other.longitude - longitude))
    }
}
