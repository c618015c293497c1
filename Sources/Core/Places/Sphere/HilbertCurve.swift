/// The position of points along a Hilbert curve over latitudes and longitudes; places that are sorted by it have their
/// neighbours close in the table.
///
/// Source: C. Faloutsos and S. Roseman, "Fractals for secondary key retrieval", PODS 1989.
public enum HilbertCurve {
    /// The position of a point along a Hilbert curve of 2¹⁶ by 2¹⁶ cells, about 600 m by 300 m each.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north, -90 to 90.
    ///   - longitude: Degrees east, -180 to 180.
    public static func index(latitude: Double, longitude: Double) -> UInt32 {
        var x = cell((longitude + 180) / 360)
        var y = cell((latitude + 90) / 180)
        var index: UInt32 = 0
        var side: UInt32 = 1 << 15
        while side > 0 {
            let (right, upper): (UInt32, UInt32) = (x & side == 0 ? 0 : 1, y & side == 0 ? 0 : 1)
            index = index << 2 | (3 * right ^ upper)
            if upper == 0 {
                if right == 1 { (x, y) = (0xFFFF - x, 0xFFFF - y) }
                (x, y) = (y, x)
            }
            side >>= 1
        }
        return index
    }

    private static func cell(_ fraction: Double) -> UInt32 {
        fraction.isFinite ? UInt32(max(0, min(65535, fraction * 65536))) : 0
    }
}
