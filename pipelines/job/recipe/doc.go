// Package recipe says what a run makes of archives (Recipe), and where and with what a machine makes it (Machine).
//
// All of a recipe, and nothing of a machine, changes the output. So the keys of units are made of the recipe's note,
// which is its JSON: a run finds the units of earlier runs by them. The package also compares recipes: which one would
// take something away from the documents of another, and which columns documents will have.
package recipe
