package pagemeta

import "slices"

import "strings"

// months are the names of months in lower case: English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish,
// Polish and Russian (genitive), in which nearly all written-out dates of metadata fields are. Abbreviations of three
// letters are found by months3.
var months = [12][]string{
	{"january", "januar", "janvier", "enero", "gennaio", "janeiro", "januari", "stycznia", "января", "jänner"},
	{"february", "februar", "février", "febrero", "febbraio", "fevereiro", "februari", "lutego", "февраля", "fevrier"},
	{"march", "märz", "mars", "marzo", "março", "maart", "marca", "марта", "marco", "mrz"},
	{"april", "avril", "abril", "aprile", "kwietnia", "апреля", "avr"},
	{"may", "mai", "mayo", "maggio", "maio", "mei", "maj", "maja", "мая"},
	{"june", "juni", "juin", "junio", "giugno", "junho", "czerwca", "июня"},
	{"july", "juli", "juillet", "julio", "luglio", "julho", "lipca", "июля", "juil"},
	{"august", "août", "agosto", "augustus", "augusti", "sierpnia", "августа", "aout"},
	{"september", "septembre", "septiembre", "settembre", "setembro", "września", "сентября", "sept"},
	{"october", "oktober", "octobre", "octubre", "ottobre", "outubro", "października", "октября"},
	{"november", "novembre", "noviembre", "novembro", "listopada", "ноября"},
	{"december", "dezember", "décembre", "diciembre", "dicembre", "dezembro", "grudnia", "декабря", "decembre"},
}

// months3 are abbreviations of three letters that mean one month in all these languages.
var months3 = map[string]int{
	"jan": 1, "ene": 1, "gen": 1, "feb": 2, "fev": 2, "fév": 2, "mar": 3, "mär": 3, "apr": 4, "avr": 4, "abr": 4,
	"may": 5, "mai": 5, "mag": 5, "mei": 5, "jun": 6, "giu": 6, "jul": 7, "lug": 7, "aug": 8, "ago": 8, "aoû": 8,
	"sep": 9, "set": 9, "oct": 10, "okt": 10, "ott": 10, "out": 10, "nov": 11, "dec": 12, "dez": 12, "dic": 12, "déc": 12,
}

// monthOf is the number of the month that a word names, or 0.
func monthOf(word string) int {
	word = strings.TrimSuffix(strings.ToLower(word), ".")
	if n := months3[word]; n != 0 {
		return n
	}
	for i := range months {
		if slices.Contains(months[i], word) {
			return i + 1
		}
	}
	return 0
}
