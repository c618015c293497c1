// A package that depends on this one without the trait `Geocoding` gets no SQLite, and these types in place of the room
// PlaceTable.
#if !Geocoding
    internal import SextantPlaces

    /// No tables of places: every lookup in them ends with an error that says how to have them.
    final class PlaceTables {
        init(_ find: @escaping () -> [String]) {}

        func reverse(latitude: Double, longitude: Double) throws(PlaceTableError) -> Placemark? {
            throw PlaceTableError()
        }

        func forward(_ question: PlaceQuestion) throws(PlaceTableError) -> PlaceAnswer { throw PlaceTableError() }

        func completed(
            _ marks: [Placemark], of point: (latitude: Double, longitude: Double)? = nil
        ) -> [Placemark] { marks }
    }

    struct PlaceTableError: Error, CustomStringConvertible {
        enum Kind { case missing, notBuilt }

        var kind: Kind { .notBuilt }

        var description: String {
            "the program was built without tables of places: add traits: [\"Geocoding\"] to the package sextant in its "
                + "Package.swift"
        }
    }

    enum PlaceFiles {
        static func paths() -> [String] { [] }
    }
#endif
