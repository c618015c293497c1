internal import ClientVocabulary
internal import Power

extension DeferralEnd {
    /// The reason why a deferral cannot begin under these settings; nil where it can.
    static func refusal(of settings: LocationSettings) -> DeferralEnd? {
        guard settings.accuracy.isBest else { return .accuracyTooLow }
        return settings.distanceFilter == nil ? nil : .distanceFiltered
    }
}
