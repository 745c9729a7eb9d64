package view

import (
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// TestDiffOf_revisit: a revisit has no text of its own. If its payload is that of the compared version, nothing has
// changed.
func TestDiffOf_revisit(t *testing.T) {
	page := &schemas.Document{Text: "one\n\ntwo", Digest: "sha1:A", Timestamp: "2024-12-01T09:00:00Z"}
	same := &schemas.Document{Digest: "sha1:A", Timestamp: "2025-08-14T06:11:00Z"}
	other := &schemas.Document{Digest: "sha1:B", Timestamp: "2025-08-14T06:11:00Z"}
	for _, c := range []struct {
		name           string
		from, to       *schemas.Document
		removed, added int
	}{
		{"revisit behind", page, same, 0, 0},
		{"revisit before", same, page, 0, 0},
		{"another payload without text", page, other, 2, 0},
		{"no digests", &schemas.Document{Text: "one"}, &schemas.Document{}, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := diffOf(c.from, c.to)
			if d.Removed != c.removed || d.Added != c.added {
				t.Errorf("diffOf = %d removed, %d added, want %d, %d", d.Removed, d.Added, c.removed, c.added)
			}
		})
	}
}

const emptyBase32 = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"

// TestTextOf: the page of a revisit links to the version that has its text.
func TestTextOf(t *testing.T) {
	words := &schemas.Quality{Words: 2}
	list := []*schemas.Document{
		{Digest: emptyBase32, Quality: words, Offset: 1},
		{Digest: "sha1:UG4RMN27U5FZJF545BBASSHEMOY47Q7P", Quality: words, Offset: 2},
		{Digest: "sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709", RecordType: schemas.TypeRevisit, Offset: 3},
		{RecordType: schemas.TypeRevisit, Offset: 4},
	}
	res := &Resource{}
	for _, link := range []string{"/0", "/1", "/2", "/3"} {
		res.Versions = append(res.Versions, Version{Capture: Capture{Link: link}})
	}
	for i, want := range map[int]string{2: "/0", 3: ""} {
		res.TextAt = ""
		if res.textOf(&found{list: list, shown: list[i]}); res.TextAt != want {
			t.Errorf("version %d: the text is at %q, want %q", i, res.TextAt, want)
		}
	}
}

// TestPieces: an excerpt ends with a whole word or shows that it was cut, and has no invisible characters.
func TestPieces(t *testing.T) {
	for _, c := range []struct {
		name string
		e    query.Excerpt
		most int
		want []Piece
	}{
		{
			"whole",
			query.Excerpt{Text: "a boat", Marks: []query.Span{{From: 2, To: 6}}},
			9,
			[]Piece{{"a ", false}, {"boat", true}},
		},
		{"a page of a PDF ends", query.Excerpt{Text: "one\fboat\ntwo"}, 99, []Piece{{"one boat\ntwo", false}}},
		{"cut by us", query.Excerpt{Text: "東京都は"}, 2, []Piece{{"東京", false}, {" …", false}}},
		{
			"goes on",
			query.Excerpt{Text: "a", Before: true, After: true},
			9,
			[]Piece{{"… ", false}, {"a", false}, {" …", false}},
		},
		{"nothing", query.Excerpt{}, 9, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := pieces(c.e, c.most); !slices.Equal(got, c.want) {
				t.Errorf("pieces = %v, want %v", got, c.want)
			}
		})
	}
}

// TestParagraphsOf_pdf: the lines of a PDF are joined into paragraphs, and the positions of its entities stay correct.
func TestParagraphsOf_pdf(t *testing.T) {
	d := &schemas.Document{TextSource: "pdf", Text: "The year began with a closed bridge\n" +
		"and ended with a full basin in the\nice house.\nThe divers looked at the piles and\nWrenmouth.\fIncome\n\nLast " +
		"words of it all.\n"}
	from := strings.Index(d.Text, "Wrenmouth")
	d.Entities = []schemas.Entity{{Type: "place", Mentions: []schemas.Span{{Start: from, End: from + len("Wrenmouth")}}}}
	list, _ := paragraphsOf(d)
	got := ""
	for _, p := range list {
		for _, r := range p.Runs {
			got += r.Entity + "[" + r.Text + "]"
		}
		got += "|"
	}
	want := "[The year began with a closed bridge and ended with a full basin in the ice house.]|" +
		"[The divers looked at the piles and ]place[Wrenmouth][.]|[Income]|[Last words of it all.]|"
	if got != want {
		t.Errorf("paragraphs\n%s, want\n%s", got, want)
	}
	d.TextSource = "html"
	if list, _ := paragraphsOf(d); len(list) < 5 {
		t.Errorf("%d paragraphs of a page: its lines are", len(list))
	}
}
