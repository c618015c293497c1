import ClientVocabulary
import PartsTestSupport
import Testing

@testable import Delivery

@Suite("Indicator")
struct IndicatorTests {
    private func use(
        background: Bool = true, updates: Bool = true, _ status: AuthorizationStatus, shows: Bool = false,
        activity: Bool = false
    ) -> Bool {
        IndicatorUse(
            isBackground: background, updatesContinuously: updates, status: status, showsIndicator: shows,
            holdsActiveBackgroundActivity: activity
        ).mustShow
    }

    @Test func `BG-02 background updates with When In Use show the indicator`() {
        #expect(use(.authorizedWhenInUse))
        #expect(use(background: false, .authorizedWhenInUse) == false)
    }

    @Test func `BG-03 with Always the indicator is shown if the client wants it`() {
        #expect(use(.authorizedAlways) == false)
        #expect(use(.authorizedAlways, shows: true))
    }

    @Test func `BG-05 a client that gets nothing in the background does not show the indicator`() {
        #expect(use(updates: false, .authorizedWhenInUse) == false)
        #expect(use(updates: false, .authorizedAlways, shows: true) == false)
    }

    @Test func `LIVE-13 a background activity session shows the indicator while it is active`() {
        #expect(use(updates: false, .authorizedAlways, activity: true))
        #expect(use(updates: false, .authorizedWhenInUse, activity: true))
        #expect(use(updates: false, .authorizedWhenInUse, activity: false) == false)
    }

    @Test func `BG-12 the indicator goes off a second after the last delivery, and within 2 s of the end`() {
        var light = Indicator()
        #expect(light.settle(isNeeded: false, at: at(0)) == nil)
        #expect(light.settle(isNeeded: true, at: at(1)) == true)
        #expect(light.settle(isNeeded: true, at: at(2)) == nil)
        light.delivered(at: at(9.5))
        #expect(light.settle(isNeeded: false, at: at(10)) == nil)
        #expect(light.deadline == at(10.5))
        #expect(light.advance(to: at(10.4)) == nil)
        #expect(light.isOn)
        #expect(light.advance(to: at(10.5)) == false)
        #expect(light.isOn == false)
        #expect(light.deadline == nil)
    }

    @Test func `BG-12 the indicator goes off at once if the last delivery was long ago`() {
        var light = Indicator()
        _ = light.settle(isNeeded: true, at: at(1))
        light.delivered(at: at(2))
        #expect(light.settle(isNeeded: false, at: at(10)) == false)
    }

    @Test func `BG-12 a delivery after the end does not keep the indicator on`() {
        var light = Indicator()
        _ = light.settle(isNeeded: true, at: at(1))
        light.delivered(at: at(9.9))
        _ = light.settle(isNeeded: false, at: at(10))
        light.delivered(at: at(10.8))
        #expect(light.settle(isNeeded: false, at: at(10.85)) == nil)
        #expect(light.advance(to: at(10.9)) == false)
    }

    @Test func `another use before the indicator goes off keeps it on without a gap`() {
        var light = Indicator()
        _ = light.settle(isNeeded: true, at: at(1))
        light.delivered(at: at(9.5))
        _ = light.settle(isNeeded: false, at: at(10))
        #expect(light.settle(isNeeded: true, at: at(10.2)) == nil)
        #expect(light.advance(to: at(100)) == nil)
        #expect(light.isOn)
    }
}
