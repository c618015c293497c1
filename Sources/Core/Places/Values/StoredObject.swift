/// A street of a region table.
public struct StoredStreet: Sendable, Hashable {
    public var street: UInt32
    public var name: String
    /// The number of the street's town in the table of places; nil if the town is not known.
    public var place: UInt32?
    public var postcode: String?

    public init(street: UInt32, name: String, place: UInt32?, postcode: String?) {
        self.street = street
        self.name = name
        self.place = place
        self.postcode = postcode
    }
}

/// An address, a point of a street or a point of interest in a region table.
public struct StoredObject: Sendable, Hashable {
    public var object: UInt32
    public var point: ObjectPoint
    public var street: UInt32?
    public var number: String?
    public var name: String?
    /// OpenStreetMap's key and value, joined by a full stop, such as tourism.museum.
    public var category: String?
    public var postcode: String?
    /// The part of the town in which the object lies, if the imported data named it.
    public var district: UInt32?

    public init(
        object: UInt32, point: ObjectPoint, street: UInt32?, number: String?, name: String?, category: String?,
        postcode: String?, district: UInt32?
    ) {
        self.object = object
        self.point = point
        self.street = street
        self.number = number
        self.name = name
        self.category = category
        self.postcode = postcode
        self.district = district
    }

    /// Whether this object is an area of interest, such as a park, and has a name.
    public var isAreaOfInterest: Bool { name != nil && category.map(ObjectCategory.init)?.isAreaOfInterest == true }
    /// Whether this is a lake or a river.
    public var isWater: Bool { category.map(ObjectCategory.init)?.isWater == true }
}
