// Package plan finds what a run has to do. A Request says which archives to read, and how. Make turns it into a Plan,
// which has the units to do and those that stay. Making it changes nothing. Resume later finds which units are done.
//
// The order matters. The folder decides which recipe applies, and the recipe decides the keys of rows. Then Make finds
// each kind of input, settles its rows (package standing), and divides the rest into units (package work).
package plan
