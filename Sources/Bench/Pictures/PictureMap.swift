internal import SextantUnits

/// Maps positions to points of a picture: a flat map with north up, whose scale is exact at its middle.
struct PictureMap {
    /// The area to show, in degrees; longitudes are unwrapped around the track's first longitude and can exceed 180.
    struct Bounds {
        var south: Double
        var north: Double
        var west: Double
        var east: Double

        init(latitude: Double, longitude: Double) {
            (south, north, west, east) = (latitude, latitude, longitude, longitude)
        }

        mutating func cover(latitude: Double, longitude: Double) {
            south = min(south, latitude)
            north = max(north, latitude)
            west = min(west, longitude)
            east = max(east, longitude)
        }

        func meets(_ other: Bounds) -> Bool {
            south <= other.north && other.south <= north && west <= other.east && other.west <= east
        }
    }

    /// A rectangle of the picture, in points.
    struct Frame {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    let frame: Frame
    let latitude: Double
    let longitude: Double
    /// The scale: points of the picture per metre.
    let scale: Double
    private let metresPerDegree: LocalPoint

    /// The smallest width, and the smallest height, of the area that is shown, in metres.
    private static let least = 100.0
    /// The margin that stays empty on each side, as a fraction of the picture's frame.
    private static let margin = 0.08

    init(covering bounds: Bounds, in frame: Frame) {
        self.frame = frame
        let latitude = (bounds.south + bounds.north) / 2
        let longitude = (bounds.west + bounds.east) / 2
        metresPerDegree = PictureMap.metresPerDegree(atLatitude: latitude)
        self.latitude = latitude
        self.longitude = longitude
        let width = max(PictureMap.least, (bounds.east - bounds.west) * metresPerDegree.east)
        let height = max(PictureMap.least, (bounds.north - bounds.south) * metresPerDegree.north)
        scale = (1 - 2 * PictureMap.margin) * min(frame.width / width, frame.height / height)
    }

    func x(_ longitude: Double) -> Double {
        // The longitude is shifted by whole turns, so that a position across the antimeridian is drawn as near as
        // possible to the map's middle.
        let turned = longitude - ((longitude - self.longitude) / 360).rounded() * 360
        return frame.x + frame.width / 2 + (turned - self.longitude) * metresPerDegree.east * scale
    }

    func y(_ latitude: Double) -> Double {
        frame.y + frame.height / 2 - (latitude - self.latitude) * metresPerDegree.north * scale
    }

    /// Metres between two lines of the grid: 1, 2 or 5 times a power of ten, for about eight lines across the width.
    var gridStep: Double {
        let wanted = frame.width / scale / 8
        var power = 1.0
        while power * 10 <= wanted { power *= 10 }
        return power * (wanted >= 5 * power ? 5 : wanted >= 2 * power ? 2 : 1)
    }

    /// The bounds of a circle, whose centre is in degrees and whose radius is in metres.
    static func bounds(latitude: Double, longitude: Double, radius: Double) -> Bounds {
        let metres = metresPerDegree(atLatitude: latitude)
        let (height, width) = (radius / metres.north, min(180, radius / metres.east))
        var bounds = Bounds(latitude: latitude - height, longitude: longitude - width)
        bounds.cover(latitude: latitude + height, longitude: longitude + width)
        return bounds
    }

    private static func metresPerDegree(atLatitude latitude: Double) -> LocalPoint {
        let middle = min(89, max(-89, latitude))
        let step = 0.01
        let frame = LocalFrame(latitude: middle, longitude: 0)
        let corner = frame.point(latitude: middle + step, longitude: step)
        return LocalPoint(east: corner.east / step, north: corner.north / step)
    }
}
