// Package serbian writes Serbian in Latin letters, for the generators of langid's data and its tests.
package serbian

import "strings"

var latin = strings.NewReplacer(
	"а", "a", "б", "b", "в", "v", "г", "g", "д", "d", "ђ", "đ", "е", "e", "ж", "ž", "з", "z", "и", "i", "ј", "j", "к", "k",
	"л", "l", "љ", "lj", "м", "m", "н", "n", "њ", "nj", "о", "o", "п", "p", "р", "r", "с", "s", "т", "t", "ћ", "ć", "у",
	"u", "ф", "f", "х", "h", "ц", "c", "ч", "č", "џ", "dž", "ш", "š", "А", "A", "Б", "B", "В", "V", "Г", "G", "Д", "D",
	"Ђ", "Đ", "Е", "E", "Ж", "Ž", "З", "Z", "И", "I", "Ј", "J", "К", "K", "Л", "L", "Љ", "Lj", "М", "M", "Н", "N", "Њ",
	"Nj", "О", "O", "П", "P", "Р", "R", "С", "S", "Т", "T", "Ћ", "Ć", "У", "U", "Ф", "F", "Х", "H", "Ц", "C", "Ч", "Č",
	"Џ", "Dž", "Ш", "Š",
)

// InLatin returns text with Latin letters for Cyrillic ones.
func InLatin(text string) string { return latin.Replace(text) }
