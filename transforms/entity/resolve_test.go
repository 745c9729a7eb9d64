package entity

import (
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/google/go-cmp/cmp"
)

// tag replaces a tagger: it finds all of words, each of the type before its colon.
func tag(text string, words ...string) []Name {
	var names []Name
	for _, w := range words {
		kind, form, _ := strings.Cut(w, ":")
		for at := 0; ; {
			i := strings.Index(text[at:], form)
			if i < 0 {
				break
			}
			names = append(names, Name{Start: at + i, End: at + i + len(form), Type: kind, Confidence: 0.8})
			at += i + len(form)
		}
	}
	return names
}

// summary writes an entity as "type text count source".
func summary(entities []schemas.Entity) []string {
	var lines []string
	for _, e := range entities {
		lines = append(lines, strings.Join([]string{e.Type, e.Text, strings.Repeat("+", e.Count), e.Source}, " "))
	}
	return lines
}

func TestExtract_layers(t *testing.T) {
	tests := []struct {
		name, text, ld string
		names          []string
		want           []string
	}{
		{
			name: "gazetteer", text: "She lives in Hamburg. Hamburg is wet.",
			want: []string{"place Hamburg ++ gazetteer"},
		},
		{
			name: "tagger and gazetteer agree", text: "in Hamburg", names: []string{"place:Hamburg"},
			want: []string{"place Hamburg + gazetteer"},
		},
		{
			name: "the tagger's longer name", text: "The Hamburg Symphony plays in Lisbon.",
			names: []string{"organization:Hamburg Symphony"},
			want:  []string{"organization Hamburg Symphony + tagger", "place Lisbon + gazetteer"},
		},
		{
			name: "structured data first", text: "Hamburg plays in Hamburg.", ld: `{"@type": "SportsTeam", "name": "Hamburg"}`,
			want: []string{"organization Hamburg ++ jsonld"},
		},
		{
			name: "patterns before names", text: "Write to paris@example.org, see https://example.org/Paris",
			names: []string{"person:paris", "place:Paris"},
			want:  []string{"email paris@example.org + pattern", "url https://example.org/Paris + pattern"},
		},
		{
			name: "an address before a part of it", text: "See https://Example.org/x of Example.",
			ld:   `{"@type": "Organization", "name": "Example"}`,
			want: []string{"url https://Example.org/x + pattern", "organization Example + jsonld"},
		},
		{
			name: "structured names overlap", text: "By Ada Byron King.",
			ld:   `[{"@type": "Person", "name": "Ada Byron"}, {"@type": "Person", "name": "Ada Byron King"}]`,
			want: []string{"person Ada Byron King + jsonld", "person Ada Byron  jsonld"},
		},
		{
			name: "one type", text: "Acme said. Acme did. Acme was.",
			names: []string{"organization:Acme said", "organization:Acme"},
			want:  []string{"organization Acme said + tagger", "organization Acme ++ tagger"},
		},
		{
			name: "surname of a tagged person", text: "Lyon was late. Then Charlotte Lyon spoke, and Lyon left.",
			names: []string{"person:Charlotte Lyon", "person:Lyon"},
			want:  []string{"person Charlotte Lyon +++ tagger"},
		},
		{
			name: "surname of a structured person", text: "Ada Hamburg writes. Hamburg says no.",
			ld:    `{"@type": "Person", "name": "Ada Hamburg"}`,
			names: []string{"place:Hamburg"},
			want:  []string{"person Ada Hamburg ++ jsonld"},
		},
		{
			name: "surname of two", text: "Ada Moss and Bo Moss. Moss said.",
			names: []string{"person:Ada Moss", "person:Bo Moss", "person:Moss"},
			want:  []string{"person Ada Moss + tagger", "person Bo Moss + tagger", "person Moss + tagger"},
		},
		{
			name: "a place is no person", text: "Ada Hamburg moved to Hamburg, Germany.",
			ld:   `{"@type": "Person", "name": "Ada Hamburg"}`,
			want: []string{"person Ada Hamburg + jsonld", "place Hamburg + gazetteer", "place Germany + gazetteer"},
		},
		{
			name: "what is no name", text: "a\nb", names: []string{"person:a\nb", "animal:a"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := Input{Text: tt.text, Language: "en", Names: tag(tt.text, tt.names...)}
			if tt.ld != "" {
				in.LD = nodes(t, tt.ld)
			}
			if diff := cmp.Diff(tt.want, summary(Extract(in, Options{}))); diff != "" {
				t.Errorf("Extract(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

// If two layers disagree about a form, it has the type with more evidence, everywhere.
func TestReader_oneType(t *testing.T) {
	text := "Jordan Jordan Jordan"
	r := reader{text: text, mentions: []mention{
		{start: 0, end: 6, kind: typePlace, id: "x", confidence: 0.9, source: sourceGazetteer},
		{start: 7, end: 13, kind: typePerson, confidence: 0.8, source: sourceTagger},
		{start: 14, end: 20, kind: typePerson, confidence: 0.8, source: sourceTagger},
	}}
	r.oneType()
	for i, m := range r.mentions {
		if m.kind != typePerson || m.id != "" || m.start != 7*i {
			t.Errorf("mention %d is %+v, want a person at %d", i, m, 7*i)
		}
	}
}

func TestExtract_placeGetsGazetteersID(t *testing.T) {
	in := Input{Text: "Hamburg is wet.", Language: "en", LD: nodes(t, `{"@type": "City", "name": "Hamburg"}`)}
	want := []schemas.Entity{{
		Type: "place", Text: "Hamburg", Count: 1, Mentions: spans(0, 7), Source: "jsonld",
		ID: "https://sws.geonames.org/2911298/", Confidence: 0.95,
	}}
	if diff := cmp.Diff(want, Extract(in, Options{})); diff != "" {
		t.Errorf("Extract (-want +got):\n%s", diff)
	}
}

func TestExtract_namesOutsideTheText(t *testing.T) {
	names := []Name{
		{Start: -1, End: 2, Type: "person"},
		{Start: 2, End: 2, Type: "person"},
		{Start: 1, End: 100, Type: "person"},
	}
	if got := Extract(Input{Text: "a man", Names: names}, Options{}); len(got) != 0 {
		t.Errorf("Extract = %v, want nothing", got)
	}
}

func TestExtract_maxMentions(t *testing.T) {
	got := Extract(Input{Text: strings.Repeat("a@example.org ", 300)}, Options{MaxMentions: 7})
	if len(got) != 1 || got[0].Count != 300 || len(got[0].Mentions) != 7 {
		t.Errorf("Extract = %+v, want one that is counted 300 times and shown 7 times", got)
	}
}

func TestIdentifier(t *testing.T) {
	for _, tt := range []struct{ addresses, want string }{
		{"", ""},
		{"urn:x mailto:a@example.org", ""},
		{"https://example.org/us https://example.com/us", "https://example.org/us"},
		{"https://example.org/us https://viaf.org/viaf/102333412/", "https://viaf.org/viaf/102333412"},
		{"http://viaf.org/viaf/102333412 http://www.wikidata.org/entity/Q42", "https://www.wikidata.org/wiki/Q42"},
		{"https://m.wikidata.org/wiki/Special:EntityPage/Q42", "https://www.wikidata.org/wiki/Q42"},
		{"https://www.geonames.org/2911298/hamburg.html https://viaf.org/viaf/1", "https://sws.geonames.org/2911298/"},
		{"https://viaf.org/viaf/1 https://orcid.org/0000-0002-1825-0097", "https://orcid.org/0000-0002-1825-0097"},
		{"https://www.wikidata.org/wiki/Help:Q https://example.org/", "https://www.wikidata.org/wiki/Help:Q"},
		{"https://orcid.org/0000-0002-1825-0098 https://orcid.org/", "https://orcid.org/0000-0002-1825-0098"},
		{"http://[::1", "http://[::1"},
	} {
		if got := identifier(strings.Fields(tt.addresses)); got != tt.want {
			t.Errorf("identifier(%q) = %q, want %q", tt.addresses, got, tt.want)
		}
	}
}
