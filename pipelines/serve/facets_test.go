package main

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFacets_bothDoors: the command and the server count the same captures when asked for the same ones.
func TestFacets_bothDoors(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	revisitShelf(t, dir)
	ingest(t, out, dir)
	s := start(t, "--collection="+out, "--state="+t.TempDir())
	s.ready()
	for _, by := range []string{"lang", "host,year", "mime", "record_type", "status,lang"} {
		var all []string
		for flag, param := range map[string]string{"--all_versions": "", "--all_versions=false": "&fold=address"} {
			text, stderr, code := run(t, true, "", "query", "--collection="+out, "--format=csv", "--by="+by, flag)
			rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			if code != 0 || err != nil {
				t.Fatalf("%s: %v\n%s", by, err, stderr)
			}
			if said := strings.Contains(stderr, "the newest capture of each page"); said == (param == "") {
				t.Errorf("%s: what is counted is said: %v\n%s", flag, said, stderr)
			}
			want := fmt.Sprint(rows[1:])
			var found struct {
				Groups []struct {
					Values []string
					Count  int
				}
			}
			s.json("/api/v1/facets?by="+by+param, &found)
			var got [][]string
			for _, g := range found.Groups {
				got = append(got, append(slices.Clone(g.Values), fmt.Sprint(g.Count)))
			}
			if fmt.Sprint(got) != want {
				t.Errorf("by %s, %s: the server has %v, the command %s", by, flag, got, want)
			}
			all = append(all, want)
		}
		if all[0] == all[1] {
			t.Errorf("by %s: the archives have only one version of each page: %s", by, all[0])
		}
	}
}
