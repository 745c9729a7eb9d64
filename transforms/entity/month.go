package entity

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:generate go run ../../.tools/gen/months -out months.txt

// maxMonth bounds the bytes of a month's name, with room for the longest in Thai and the scripts of India.
const maxMonth = 48

//go:embed months.txt
var monthList string

// moreMonths are names that CLDR does not have. Austrian January and February, and abbreviations with other letters.
const moreMonths = "jänner 1\nfeber 2\nmrz 3\nsept 9\n"

// A monthTable has the names of the months of 65 languages together: nobody knows in which one a date in a list is
// written, and next to no name stands for two months.
type monthTable struct {
	all       map[string]int
	different map[string]map[string]int // names that are another month elsewhere, by language
}

// months is the table, read when the first date with letters is met. Texts without dates in words never pay for the
// 65 languages.
var months = sync.OnceValue(func() monthTable {
	t := monthTable{all: map[string]int{}, different: map[string]map[string]int{}}
	for line := range strings.Lines(monthList + moreMonths) {
		fields := strings.Fields(line)
		month, err := strconv.Atoi(fields[1])
		if err != nil {
			panic("entity: months.txt: " + err.Error()) // the program was built with a damaged file
		}
		// A name of one month in all languages has two fields; otherwise the languages follow in
		// which it is this one.
		if len(fields) == 2 {
			t.all[fields[0]] = month
		}
		for _, language := range fields[2:] {
			if t.different[language] == nil {
				t.different[language] = map[string]int{}
			}
			t.different[language][fields[0]] = month
		}
	}
	return t
})

// named returns the number of the month that is called so in a language, in lower case, and 0 for what is none.
func (t monthTable) named(name, language string) int {
	if month := t.all[name]; month != 0 {
		return month
	}
	// Croatian stands for the three, whose names of months CLDR has under "hr" here.
	if slices.Contains([]string{"bs", "sr"}, language) {
		language = "hr"
	}
	return t.different[language][name]
}
