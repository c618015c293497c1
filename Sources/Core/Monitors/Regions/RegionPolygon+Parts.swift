extension RegionPolygon {
    /// The polygons of this shape, each as its outer ring and then its holes; no ring repeats its first position.
    ///
    /// A polygon made from these parts equals this one.
    public var parts: [[[Position]]] {
        (0..<partCount).map { part in
            rings(ofPart: part).map { ring in range(ofRing: ring).map { positions[$0] } }
        }
    }
}
