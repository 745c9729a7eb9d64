package langid

// shortText is the number of letters below which lingua is asked. From here on lingua uses only n-grams of three
// letters, and knows no more than our table.
const shortText = 120

// lingua returns confidences in the languages of a script, by code; see package lingua. It is nil in a program without
// the build tag lingua.
var lingua func(text, script string) map[string]float64

// sharedNames are the ISO 15924 names of the scripts for which lingua is asked.
var sharedNames = map[script]string{latin: "Latn", cyrillic: "Cyrl", arabic: "Arab", devanagari: "Deva"}
