// Package department knows what the departments of newspapers are called, in ten languages.
//
// A newspaper has most of them side by side, and a trade magazine or a blog one or two: that shows in the navigation
// of its pages, and in their paths. The package says nothing of which site is one: that takes many pages, see package
// source.
//
//	d, ok := department.Of("Política") // department.Politics, true
package department

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Department is one of a newspaper's.
type Department uint8

// The departments. Those up to Society are of general news: magazines have the others.
const (
	Politics Department = iota
	World
	Nation
	Local
	Society
	Opinion
	Economy
	Sport
	Culture
	Science
	Count // how many there are
)

var departmentNames = [Count]string{
	"politics", "world", "nation", "local", "society", "opinion", "economy", "sport", "culture", "science",
}

func (d Department) String() string { return departmentNames[d] }

// IsCore tells whether a department is one of general news.
func (d Department) IsCore() bool { return d <= Society }

// departments are what they are called, without accents: as folders in the paths of pages, and in links to them. A
// hyphen stands for a space there.
var departments = func() map[string]Department {
	// Made once, at start: it is only read from then on, by any number of goroutines.
	names := map[string]Department{}
	for d, list := range map[Department]string{
		Politics: "politics politica politik politique polityka polityk politiikka politiek government elections " +
			"election elecciones innenpolitik wahlen congress parlament",
		World: "world international internacional internationales mundo monde welt ausland swiat europa europe global " +
			"world-news latinoamerica asia africa middle-east",
		Nation: "national nacional nation uk us inland deutschland schweiz osterreich espana france polska kotimaa pais " +
			"kraj usnews uk-news us-news national-news",
		Local: "local lokal lokales regional regionales regionen region provincia provincias city metro stadt district " +
			"local-news comunidades nacionales regionais landkreis bundeslander",
		Society: "society sociedad gesellschaft societe panorama vermischtes crime police polizei blaulicht policiales " +
			"seguridad sucesos judicial education obituaries law-and-order cronaca traueranzeigen courts aus-aller-welt",
		Opinion: "opinion opinions comment commentary kommentar kommentare meinung debatte debatten editorial editorials " +
			"columnists columnas opinie opinia debate letters columns editoriales leserbriefe publicystyka",
		Economy: "economy economia wirtschaft economie gospodarka business talous money finanzen finance negocios biznes " +
			"finanzas",
		Sport: "sport sports deportes deporte urheilu sporty football futbol fussball",
		Culture: "culture cultura kultur kultura arts entertainment espectaculos feuilleton kulttuuri entretenimiento " +
			"arts-and-entertainment",
		Science: "science ciencia wissen wissenschaft sciences nauka tiede tech technology tecnologia health salud " +
			"gesundheit sante climate",
	} {
		// No name stands in two lists: the map's order would decide which department it has.
		for _, name := range strings.Fields(list) {
			names[name] = d
		}
	}
	return names
}()

// maxDepartment is how long the name of a department is at most, in bytes.
const maxDepartment = 40

// Of is the department that is called so, in a path or in the text of a link.
func Of(name string) (d Department, ok bool) {
	if name == "" || len(name) > maxDepartment {
		return 0, false
	}
	// On the stack: this is asked for each link of a page.
	var room [maxDepartment]byte
	plain := room[:0]
	for _, r := range name {
		switch {
		case r == ' ':
			plain = append(plain, '-')
		case 'A' <= r && r <= 'Z':
			plain = append(plain, byte(r)|0x20)
		case r < 0x80:
			plain = append(plain, byte(r))
		case r < firstAccent || r > lastAccent || accents[r-firstAccent] == 0:
			// A mark by itself is an accent on the letter before it.
			if r < 0x300 || r > 0x36f {
				return 0, false // a letter of another script, of which no name is known
			}
		default:
			plain = append(plain, accents[r-firstAccent])
		}
	}
	d, ok = departments[string(plain)]
	return d, ok
}

// Latin letters with accents stand from the one to the other in Unicode.
const firstAccent, lastAccent = 0xc0, 0x24f

// accents are the plain letters of those with accents, in lower case; 0 for what has none.
var accents = func() (table [lastAccent - firstAccent + 1]byte) {
	for i := range table {
		if first := norm.NFD.String(string(rune(firstAccent + i)))[0]; first < 0x80 {
			table[i] = first | 0x20
		}
	}
	return table
}()
