package pagemeta

import (
	"fmt"
	"strings"
	"testing"
)

// TestExtract_authorsOfLists: the by-lines of a list's articles are not of the page, nor are headings of columns.
func TestExtract_authorsOfLists(t *testing.T) {
	names := []string{"Ann Lee", "Bob Stone", "Cara Dun", "Dan Fox", "Eve Hill"}
	list := func(item string) string {
		var b strings.Builder
		for i, name := range names {
			fmt.Fprintf(&b, item, i, name, fmt.Sprintf("2023-0%d-11", i+1))
		}
		return b.String()
	}
	for what, html := range map[string]string{
		"articles": list("<article><h2><a href=/p/%d>Story of the town</a></h2><p>By %s on %s</p><p>Late.</p></article>"),
		"divs":     list("<div><a href=/p/%d>Story of the town</a><span>by <a>%s</a></span> <time>%s</time></div>"),
		"German":   list("<h3><a href=/p/%d>Neues aus der Stadt</a></h3><p>Von %s am %s</p><p>Es war spät.</p>"),
		"dated":    list("<h2><a href=/p/%d>Story of the town</a></h2><p>Posted 3 days ago by %s</p><p>%s</p>"),
		"table": "<table><tr><th>Topic</th><th>Author</th><th>Date</th></tr>" +
			list("<tr><td><a href=/t/%d>Engine</a></td><td>%s</td><td>%s</td></tr>") + "</table>",
		"tabelle": "<table><tr><th>Thema</th><th>Autor</th><th>Antworten</th></tr></table>",
		"表":       "<table><tr><th>标题</th><th>作者</th><th>回复</th></tr></table>",
	} {
		if got := extract(titled + html).Authors; got != nil {
			t.Errorf("%s: authors %q, want none", what, got)
		}
	}
	one := "<p>By Ann Lee on 2023-01-11</p><p>It was late.</p>"
	for what, html := range map[string]string{
		"alone":        one,
		"related ones": one + list("<div><a href=/p/%d>Story of the town</a><span>by %s</span> <i>%s</i></div>"),
		"label":        "<dl><dt>Author</dt><dd>Ann Lee</dd><dt>Date</dt><dd>2023-01-11</dd></dl>",
	} {
		if got := extract(titled + html).Authors; len(got) != 1 || got[0] != "Ann Lee" {
			t.Errorf("%s: authors %q, want Ann Lee", what, got)
		}
	}
}

// TestExtract_authorAfterDate: the author follows the date in the same text.
func TestExtract_authorAfterDate(t *testing.T) {
	for text, want := range map[string]string{
		"Posted on May 3, 2023 by Ann Lee":                            "Ann Lee",
		"May 3, 2023 | by Ann Lee | 3 Comments":                       "Ann Lee",
		"Published 2023-05-03 By Ann Lee":                             "Ann Lee",
		"Posted 3 days ago by Ann Lee":                                "Ann Lee",
		"Last updated on May 3, 2023 by Ann Lee":                      "Ann Lee",
		"Posted on May 3, 2023 by <a href=/ann>Ann Lee</a>":           "Ann Lee",
		"Veröffentlicht am 3. Mai 2023 von Anna Lehmann":              "Anna Lehmann",
		"Publié le 3 mai 2023 à 18h04 par Anne Leroy":                 "Anne Leroy",
		"Publicado el 3 de mayo de 2023 por Ana López":                "Ana López",
		"Pubblicato il 3 maggio 2023 da Anna Leoni":                   "Anna Leoni",
		"Geplaatst op 3 mei 2023 door Anna Leeuw":                     "Anna Leeuw",
		"Opublikowano 3 maja 2023 przez Anna Lewandowska":             "Anna Lewandowska",
		"Posted May 3, 2023 at 6:04 pm by Ann Lee":                    "Ann Lee",
		"3. Mai 2023, 18:04 Uhr von Anna Lehmann":                     "Anna Lehmann",
		"Last post 3 days ago by Bob Stone":                           "",
		"Latest reply May 3, 2023 by Bob Stone":                       "",
		"12 comments, last on May 3, 2023 by Bob Stone":               "",
		"Letzte Antwort am 3. Mai 2023 von Bernd Stein":               "",
		"Comment | May 3, 2023 by Ann Lee":                            "Ann Lee",
		"Kommentar vom 3. Mai 2023 von Anna Lehmann":                  "Anna Lehmann",
		"Laatste update op 3 mei 2023 door Anna Leeuw":                "Anna Leeuw",
		"May 3, 2023 by the sea":                                      "",
		"May 3, 2023 by order of the court":                           "",
		"Written on May 3, 2023 by the team":                          "",
		"3. Mai 2023 von 10 bis 12 Uhr":                               "",
		"Am 3. Mai 2023 von Berlin nach Bonn":                         "",
		"Il 3 maggio 2023 da Roma a Milano":                           "",
		"Open until May 3, 2023, stand by Gate 3":                     "",
		"Chapter 12 by Ann Lee":                                       "",
		"The 2023 report by Ann Lee was read on May 3, 2023 in Paris": "",
	} {
		if got := strings.Join(extract(titled+"<p>"+text+"</p><p>It was late.</p>").Authors, ";"); got != want {
			t.Errorf("%s: authors %q, want %q", text, got, want)
		}
	}
}

// TestExtract_authorsWithOthers: agencies, places and teams beside a person are left out.
func TestExtract_authorsWithOthers(t *testing.T) {
	for text, want := range map[string]string{
		"By Ann Lee/Reuters":            "Ann Lee",
		"Von Anna Lehmann/dpa":          "Anna Lehmann",
		"Par Anne Leroy/AFP":            "Anne Leroy",
		"By Ann Lee and the Team":       "Ann Lee",
		"By Ann Lee and the Photo Desk": "Ann Lee",
		"記者 山田太郎／東京":                    "山田太郎",
		"By Ann Lee and Bob Stone":      "Ann Lee;Bob Stone",
		"By Reuters":                    "Reuters",
		"By The Editorial Board":        "The Editorial Board",
		"By Andre the Giant":            "Andre the Giant",
	} {
		if got := strings.Join(extract(titled+"<p>"+text+"</p><p>It was late.</p>").Authors, ";"); got != want {
			t.Errorf("%s: authors %q, want %q", text, got, want)
		}
	}
}

// TestExtract_sentencesAfterAuthors: a full stop ends the names, and a second name may stand outside the link.
func TestExtract_sentencesAfterAuthors(t *testing.T) {
	for text, want := range map[string]string{
		"Author: Ann Lee. Source: Reuters":                         "Ann Lee",
		"Text: Anna Lehmann. Fotos: dpa":                           "Anna Lehmann",
		"Автор: Иван Петров. Фото: ТАСС":                           "Иван Петров",
		"Автор: А. С. Иванов. Источник: ТАСС":                      "А. С. Иванов",
		"Текст: Иван Петров. Фото: Анна Белова.":                   "Иван Петров",
		"Autor: Juan Pérez. Fotografía: EFE":                       "Juan Pérez",
		"Autore: Mario Rossi. Immagini: Ansa":                      "Mario Rossi",
		"Auteur : Jean Dupont. Photo : AFP":                        "Jean Dupont",
		"Von Anna Lehmann und Bert Koch. Redaktion: Max Klug":      "Anna Lehmann;Bert Koch",
		"Words by Ann Lee. Photos by Bob Stone.":                   "Ann Lee",
		"Story by Ann Lee, photos by Bob Stone":                    "Ann Lee",
		"By Dr. Ann Lee: a report":                                 "Dr. Ann Lee",
		"By Prof. Dr. Ann Lee: a report":                           "Prof. Dr. Ann Lee",
		"By John F. Kennedy: a report":                             "John F. Kennedy",
		"By Samuel L. Jackson Jr. and Ann Lee: a report":           "Samuel L. Jackson Jr.;Ann Lee",
		"By <a href=/a>Ann Lee</a> and Bob Stone":                  "Ann Lee;Bob Stone",
		"Von <a href=/a>Anna Lehmann</a> und Bert Koch":            "Anna Lehmann;Bert Koch",
		"Par <a href=/a>Anne Leroy</a> et Luc Petit":               "Anne Leroy;Luc Petit",
		"Por <a href=/a>Ana López</a> y Luis Mora":                 "Ana López;Luis Mora",
		"By <a href=/a>Ann Lee</a> and Bob Stone | May 3, 2023":    "Ann Lee;Bob Stone",
		"By <a href=/a>Ann Lee</a> and updated on May 3, 2023":     "Ann Lee",
		"By <a href=/a>Ann Lee</a> in <a href=/n>News</a>":         "Ann Lee",
		"By <a href=/a>Ann Lee</a> and the Photo Desk":             "Ann Lee",
		"Por <a href=/a>Ana López</a> en <a href=/d>Deportes</a>":  "Ana López",
		"Publicado por Ana López en Noticias":                      "Ana López",
		"Publié par <a href=/a>Anne Leroy</a> dans Culture":        "Anne Leroy",
		"Door Jan Jansen en Piet Bakker":                           "Jan Jansen;Piet Bakker",
		"By <a href=/a>Ann Lee</a> <a href=/b>Bob Stone</a>":       "Ann Lee",
		"By <a href=/a>Ann Lee</a> with 3 comments":                "Ann Lee",
		"By <a href=/a>Ann Lee</a>, The Daily Planet":              "Ann Lee",
		"Por <a href=/a>Ana López</a> en Madrid":                   "Ana López",
		"Di <a href=/a>Anna Leoni</a> e <a href=/b>Luca Rossi</a>": "Anna Leoni;Luca Rossi",
	} {
		if got := strings.Join(extract(titled+"<p>"+text+"</p><p>It was late.</p>").Authors, ";"); got != want {
			t.Errorf("%s: authors %q, want %q", text, got, want)
		}
	}
}
