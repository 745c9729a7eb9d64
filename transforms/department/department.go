// Package department knows what the departments of newspapers are called, in ten languages.
//
// A newspaper has most of them side by side, and a trade magazine or a blog one or two: that shows in the navigation of its
// pages, and in their paths. The package says nothing of which site is one: that takes many pages, see package source.
//
//	d, ok := department.Of("Política") // department.Politics, true
package department

import (
	"strings"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
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
	name = strings.ReplaceAll(strings.ToLower(name), " ", "-")
	// Most text is ASCII, which stays as it is.
	if strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 }) {
		// A transformer keeps state, so each call has its own.
		marks := runes.Remove(runes.In(unicode.Mn))
		if plain, _, err := transform.String(transform.Chain(norm.NFD, marks, norm.NFC), name); err == nil {
			name = plain
		}
	}
	d, ok = departments[name]
	return d, ok
}
