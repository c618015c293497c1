/* A part of CoreLocation; all that is in it is in Swift. */
