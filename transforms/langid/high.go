package langid

// shortText is how many letters a text has less than for lingua to be asked: from here on it uses n-grams of three
// letters alone, and knows no more than our table.
const shortText = 120

// lingua returns confidences in the languages of a script, by code: see package lingua. It is nil in a program without
// the build tag lingua.
var lingua func(text, script string) map[string]float64

// sharedNames are the names in ISO 15924 of the scripts that lingua is asked about.
var sharedNames = map[script]string{latin: "Latn", cyrillic: "Cyrl", arabic: "Arab", devanagari: "Deva"}
