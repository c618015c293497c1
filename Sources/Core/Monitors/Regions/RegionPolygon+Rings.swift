extension RegionPolygon {
    /// All rings, outer ones and holes, without their first position repeated: enough to draw the polygon.
    public var rings: [[Position]] { (0..<ringCount).map { Array(positions[range(ofRing: $0)]) } }
}
