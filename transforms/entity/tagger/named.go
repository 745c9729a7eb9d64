package tagger

import (
	"slices"
	"strings"
)

// firmWords end the names of firms, with capitals as firms write them.
var firmWords = strings.Fields("Architects Architecture Architectes Architekten Associates Partners Design " +
	"Designs Interiors " +
	"Studio Studios Group Holdings Capital Consulting Industries Enterprises Foundation Institute Company " +
	"Corporation Corp Co " +
	"Inc LLC Ltd PLC GmbH AG Bros Publishing Press Records Pictures Entertainment Technologies Labs Motors " +
	"Airlines Pharmaceuticals Products International University College Academy Hospital Museum Library School Bank " +
	"Systems Solutions Ventures Logistics Brewery Winery Orchestra")

// siteWords end the names of places that are called after people.
var siteWords = strings.Fields("Airport Stadium Arena Bridge Pavilion Tower Plaza Square Park Street Avenue " +
	"Boulevard Highway Station Theatre Theater Hall Beach Lake River Mountain Island County Campus")

// levels are words between a name and the word for a school or an airport.
var levels = strings.Fields("High Middle Elementary Primary Secondary Medical Community State International " +
	"Memorial Public National Children's General Concert Convention")

// named turns a person into a firm or a place if a word for one ends or follows the name. Firms, schools and bridges
// are named after people. A place that ends in a word for firms is a firm. The next mention starts at next.
func named(text string, m Mention, next int) Mention {
	if m.Type == Organization {
		return m
	}
	name := text[m.Start:m.End]
	if i := strings.LastIndexByte(name, ' '); i > 0 {
		last := name[i+1:]
		if kindOf(last) == Organization && (m.Type == Person || isFirm(last)) { // Park and Hall are family names
			m.Type = Organization
			return m
		}
	}
	if m.Type != Person {
		return m
	}
	end := m.End
	for range 3 {
		if end >= next || text[end] != ' ' {
			break
		}
		word := firstWord(text[end+1 : next])
		end += 1 + len(word)
		kind := kindOf(word)
		if kind != "" {
			m.Type, m.End = kind, end
		}
		if !slices.Contains(levels, word) {
			break
		}
	}
	return m
}

// kindOf returns the type of names that end in a word, or "".
func kindOf(word string) string {
	word = strings.TrimRight(word, ".,")
	switch {
	case slices.Contains(firmWords, word):
		return Organization
	case slices.Contains(siteWords, word):
		return Place
	}
	return ""
}

// isFirm reports whether a word ends names of firms alone. Places may be called a library or a school.
func isFirm(word string) bool {
	switch strings.TrimRight(word, ".,") {
	case "University", "College", "Academy", "Hospital", "Museum", "Library", "School", "Institute", "Press", "Capital",
		"Bank", "Winery", "Brewery", "International":
		return false
	}
	return true
}

// firstWord is the text before white space or a sign of the sentence.
func firstWord(s string) string {
	if i := strings.IndexAny(s, " \t\n,.;:!?()\"'"); i >= 0 {
		return s[:i]
	}
	return s
}

// asListed turns a place of two words into a person between two people in a list of authors.
func asListed(text string, mentions []Mention) {
	for i := 1; i+1 < len(mentions); i++ {
		m, before, after := &mentions[i], &mentions[i-1], &mentions[i+1]
		if m.Type == Place && before.Type == Person && after.Type == Person && text[before.End:m.Start] == ", " &&
			text[m.End:after.Start] == ", " && isFull(text, *before) && isFull(text, *m) && isFull(text, *after) {
			m.Type = Person
		}
	}
}

// isFull reports whether a name has several words.
func isFull(text string, m Mention) bool { return strings.IndexByte(text[m.Start:m.End], ' ') > 0 }

// kindsOfPlaces are words for buildings, rooms and things in them. Titles have them with capitals.
var kindsOfPlaces = words("the a of and for hotel hotels library libraries museum museums gallery galleries " +
	"residential " +
	"lounge lounges international domestic airport airports federal building buildings office offices campus school " +
	"schools university universities college hospital hospitals restaurant restaurants cafe cafes bar bars shop shops " +
	"store stores showroom showrooms studio studios lobby amenity amenities space spaces collection collections " +
	"furniture seating lighting tables table chair chairs corporate commercial department departments street apartment " +
	"apartments condo condos stadium station theater theatre art clinic spa gym kitchen bathroom bedroom terrace patio " +
	"villa villas resort resorts retail education healthcare exhibition installation pavilion headquarters")

func words(list string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		all[word] = true
	}
	return all
}

// isGeneric reports whether a name has only such words: "Museum/Art Gallery" names no place.
func isGeneric(name string) bool {
	var buf [16]byte // longer than any of them
	n, found := 0, 0
	for i := 0; i <= len(name); i++ {
		if i < len(name) && (name[i]|0x20 >= 'a' && name[i]|0x20 <= 'z') {
			if n == len(buf) {
				return false
			}
			buf[n] = name[i] | 0x20
			n++
			continue
		}
		if n > 0 && !kindsOfPlaces[string(buf[:n])] || i < len(name) && name[i] >= 0x80 {
			return false
		}
		if n > 0 {
			found++
		}
		n = 0
	}
	return found > 0
}

// peoples are adjectives of peoples and continents, which are not places.
var peoples = words("British English Irish Scottish Welsh Spanish Danish Swedish Finnish Polish Turkish Jewish " +
	"French Dutch German Greek Italian Russian Ukrainian Romanian Hungarian Bulgarian Serbian Croatian Albanian Austrian " +
	"Belgian " +
	"Norwegian Portuguese Swiss Czech American Canadian Mexican Brazilian Cuban Colombian Venezuelan Argentinian " +
	"Chilean Peruvian African European Asian Australian Indian Pakistani Chinese Japanese Korean Vietnamese Thai Indonesian " +
	"Malaysian Filipino Iranian Iraqi Israeli Palestinian Syrian Lebanese Saudi Egyptian Nigerian Kenyan Ethiopian " +
	"Moroccan Tunisian Algerian Libyan Afghan Arab Persian Roman Armenian Georgian Mongolian Nepalese Burmese Cambodian")

// isPeople reports whether a place or an organisation is the adjective of a people, such as British.
func isPeople(name, kind string) bool { return kind != Person && peoples[name] }
