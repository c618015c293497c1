internal import SextantUnits

/// One cell of the grid to which reduced accuracy rounds positions: about 5 km by 5 km, anywhere on Earth.
///
/// The Earth is cut into 4000 bands of latitude, each 0.045° (5.0 km) high, and each band into cells that are at most 5
/// km wide at the band's middle. No place in a cell is more than 4 km from the cell's middle, even at the poles.
struct CoarseCell: Sendable, Equatable {
    private let band: Int
    private let column: Int

    /// The radius in metres of a circle around the cell's middle that contains the whole cell.
    static let radius = 5000.0
    private static let bands = 4000
    private static let bandHeight = 180.0 / Double(bands)
    private static let maximumWidth = 5000.0

    /// - Parameters:
    ///   - latitude: Degrees, -90 to 90.
    ///   - longitude: Degrees, -180 to 180; both ends are the same meridian.
    init(latitude: Double, longitude: Double) {
        band = CoarseCell.index((latitude + 90) / 180, of: CoarseCell.bands)
        column = CoarseCell.index(longitude < 180 ? (longitude + 180) / 360 : 0, of: CoarseCell.columns(in: band))
    }

    /// Latitude of the cell's middle; degrees.
    var latitude: Double { CoarseCell.middle(of: band) }

    /// Longitude of the cell's middle; degrees, -180 to 180.
    var longitude: Double { (Double(column) + 0.5) * 360 / Double(CoarseCell.columns(in: band)) - 180 }

    private static func index(_ share: Double, of count: Int) -> Int {
        min(max(Int(saturating: share * Double(count), .towardZero), 0), count - 1)
    }

    private static func middle(of band: Int) -> Double { (Double(band) + 0.5) * bandHeight - 90 }

    private static func columns(in band: Int) -> Int {
        let (_, cosine) = Trigonometry.sineAndCosine(middle(of: band) / Trigonometry.degreesPerRadian)
        let circumference = 2 * Double.pi * GreatCircle.meanRadius * cosine
        return max(1, Int(saturating: circumference / maximumWidth, .up))
    }
}
