// Package plan finds what a run has to do. A Request says which archives to read, and how; Make turns it into a Plan,
// the units to do and those that stay, and changes nothing. The plan later answers which units are done (Resume).
//
// Planning has an order: the folder decides which recipe applies; the recipe decides the keys of rows; then each kind
// of input is found, its rows are settled (package standing), and the rest is divided into units (package work).
package plan
