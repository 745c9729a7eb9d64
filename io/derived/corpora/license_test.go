package corpora

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// TestLicenses: the card, the datasheet and the column have the licences of the pages that stay. Licences of pictures
// do not count, and a refused page's do not.
func TestLicenses(t *testing.T) {
	page := func(names ...string) (list []schemas.License) {
		for _, name := range names {
			list = append(list, schemas.License{Name: name, Scope: "page"})
		}
		return list
	}
	picture := []schemas.License{{Name: "CC0-1.0", Scope: "picture"}, {Name: "CC-BY-4.0", Scope: "part"}}
	for name, test := range map[string]struct {
		licenses [][]schemas.License
		yaml     string
		text     string
		table    []string
	}{
		"none":    {[][]schemas.License{nil, nil}, "license: unknown\n", "licences of the pages are unknown", nil},
		"picture": {[][]schemas.License{picture, nil}, "license: unknown\n", "licences of the pages are unknown", nil},
		"all": {
			[][]schemas.License{page("CC-BY-4.0"), page("CC-BY-4.0")},
			"license: cc-by-4.0\n",
			"CC-BY-4.0 100.0%; none 0.0%", nil,
		},
		"reserved": {
			[][]schemas.License{page("LicenseRef-AllRightsReserved")},
			"license: other\n",
			"LicenseRef-AllRightsReserved 100.0%", nil,
		},
		"mixed": {
			[][]schemas.License{page("CC-BY-4.0"), nil, page("CC0-1.0", "CC-BY-4.0"), page("CC0-1.0"), picture},
			"license: other\nlicense_name: by-document\n", "documents: CC0-1.0 40.0%, CC-BY-4.0 20.0%; none 40.0%",
			[]string{"| CC0-1.0 | 2 | 40.0% |", "| CC-BY-4.0 | 1 | 20.0% |", "| none | 2 | 40.0% |"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			var docs []*schemas.Document
			for i, licenses := range test.licenses {
				d := document(r, i)
				d.Licenses = licenses
				docs = append(docs, d)
			}
			// A twin is refused as a duplicate.
			twin := *docs[0]
			twin.URL += "?twin"
			s := newSteps(t, t.TempDir(), Options{Dedup: []string{ByText}})
			m := makeCorpus(t, s, []holdings.Part{unitOf(t, newFolder(t, t.TempDir()), append(docs, &twin))})
			card, sheet := string(card(m)), string(datasheet(m))
			if !strings.Contains(card, test.yaml) || !strings.Contains(card, test.text) || !strings.Contains(sheet, test.text) {
				t.Errorf("the card\n%s\nand the datasheet\n%s", card, sheet)
			}
			for _, line := range test.table {
				if !strings.Contains(card, line) {
					t.Errorf("%q is not in\n%s", line, card)
				}
			}
			has := map[string]int{}
			for _, row := range rows(t, s, m) {
				has[row.License]++
			}
			want := map[string]int{}
			for name, tally := range m.Counts.Licenses {
				want[name] = int(tally.Kept)
			}
			if _, without := licensesOf(m); without > 0 {
				want[""] = int(without)
			}
			if fmt.Sprint(has) != fmt.Sprint(want) {
				t.Errorf("rows have %v, want %v", has, want)
			}
			var written Manifest
			err := folder.ReadJSON(s.Out, ManifestFile, maxJSON, &written)
			if err != nil || len(written.Counts.Licenses) != len(m.Counts.Licenses) {
				t.Errorf("the manifest: %v, %v", written.Counts.Licenses, err)
			}
		})
	}
}
