// Foundation is exported, so that a client that imports this module has Foundation too, as with Apple's Core Location.
@_exported public import Foundation
