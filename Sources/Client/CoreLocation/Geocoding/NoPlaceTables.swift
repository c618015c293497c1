// A package that depends on this one without the trait `Geocoding` is built without SQLite and without the module
// PlaceTable; the types below take the place of that module.
#if !Geocoding
    internal import SextantPlaces

    /// A stand-in for the tables of places: every lookup fails with an error that says how to get the tables.
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
