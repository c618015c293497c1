// A client that imports this module has Foundation too, as with Apple's.
@_exported public import Foundation
