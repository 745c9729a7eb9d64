package entity

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const unitedStates = "https://sws.geonames.org/6252001/"

// A place has one identifier, with any of its names and from any source.
func TestExtract_oneIdentity(t *testing.T) {
	type place struct {
		Text, ID string
		Count    int
	}
	const california = "https://sws.geonames.org/5332921/"
	tests := []struct {
		name, text, ld string
		names          []string
		want           []place
	}{
		{
			name: "names of a country", text: "The US and the U.S., the USA, the United States.",
			names: []string{"place:US", "place:U.S.", "place:USA"},
			want:  []place{{"US", unitedStates, 4}},
		},
		{
			name: "what only the tagger takes for a place", text: "California Dreaming Tours",
			names: []string{"place:California"},
			want:  []place{{"California", california, 1}},
		},
		{
			name: "two names in structured data", text: "Made in the USA, sold in the US.", names: []string{"place:US"},
			ld:   `[{"@type": "Country", "name": "US"}, {"@type": "Country", "name": "United States"}, {"@type": "Country", "name": "USA"}]`,
			want: []place{{"US", unitedStates, 2}},
		},
		{
			name: "structured data with an identifier of its own", text: "In the U.S. and in the United States.",
			ld:   `{"@type": "Country", "name": "United States", "sameAs": "https://www.wikidata.org/wiki/Q30"}`,
			want: []place{{"United States", "https://www.wikidata.org/wiki/Q30", 2}},
		},
		{
			name: "a city's name says nothing of which", text: "Springfield Monorail", names: []string{"place:Springfield"},
			want: []place{{"Springfield", "", 1}},
		},
		{
			name: "longer than a state", text: "Northern California is dry.", names: []string{"place:Northern California"},
			want: []place{{"Northern California", "", 1}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := Input{Text: tt.text, Language: "en", Names: tag(tt.text, tt.names...)}
			if tt.ld != "" {
				in.LD = nodes(t, tt.ld)
			}
			var got []place
			for _, e := range Extract(in, Options{}) {
				got = append(got, place{e.Text, e.ID, e.Count})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Extract(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}
