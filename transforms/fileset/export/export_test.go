package export

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

func result() *schemas.FilesetResult {
	size := int64(3)
	hex := func(n int) string { return strings.Repeat("a", n) }
	return &schemas.FilesetResult{
		Hit: true, Status: "success", Platform: "zenodo", Domain: "zenodo.org", ID: "1", Strategy: "web-fileset",
		Request: schemas.FilesetRequest{
			Type: "dataset", BaseURL: "https://doi.org/10.5281/zenodo.1", LinkSource: "doi",
			IDs:    map[string]string{"doi": "10.5281/zenodo.1"},
			Fatcat: &schemas.RequestFatcat{Release: "hsmo6p4smrganpb3fndaj2lon4"},
		},
		Terminal: &schemas.FilesetTerminal{URL: "https://zenodo.org/records/1", DT: "20260101000000", Status: 200},
		Biblio: &schemas.Biblio{
			Title: "A title", Contributors: []string{"Doe, Jane"},
			License: "https://creativecommons.org/licenses/by/4.0/", ReleaseDate: "2021-08-20",
		},
		Manifest: []schemas.ManifestFile{
			{
				Path: "data/a b.csv", Size: &size, MD5: hex(32), SHA1: hex(40), SHA256: hex(64), MIME: "text/csv",
				Status:      "success",
				PlatformURL: "https://zenodo.org/a", TerminalURL: "https://zenodo.org/a", TerminalDT: "20260101000001",
			},
			{Path: "b.txt", Size: &size, MD5: hex(32), SHA1: hex(40), MIME: "text/plain", Status: "success"},
		},
	}
}

// TestFormats_golden compares each format with a file that was checked by eye against the specification.
func TestFormats_golden(t *testing.T) {
	for name, format := range Formats {
		value, ok := format(result())
		if !ok {
			t.Fatalf("%s takes the dataset not", name)
		}
		got, err := json.MarshalIndent(value, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		file := "testdata/" + name + ".json"
		if os.Getenv("UPDATE_GOLDEN") == "1" {
			if err := os.WriteFile(file, append(got, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || string(got)+"\n" != string(want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, want)
		}
	}
}

func TestFormats_whatTheyDoNotTake(t *testing.T) {
	tests := []struct {
		name    string
		change  func(*schemas.FilesetResult)
		refuses []string
	}{
		{"no success", func(r *schemas.FilesetResult) { r.Hit = false }, []string{"fatcat", "frictionless", "ro-crate"}},
		{"one file", func(r *schemas.FilesetResult) { r.Manifest = r.Manifest[:1] }, []string{"fatcat"}},
		{"no files", func(r *schemas.FilesetResult) { r.Manifest = nil }, []string{"fatcat", "frictionless", "ro-crate"}},
		{"a file without sha1", func(r *schemas.FilesetResult) { r.Manifest[1].SHA1 = "" }, []string{"fatcat"}},
		{"301 files", func(r *schemas.FilesetResult) {
			for len(r.Manifest) < 301 {
				r.Manifest = append(r.Manifest, r.Manifest[1])
			}
		}, []string{"fatcat"}},
		{"from elsewhere", func(r *schemas.FilesetResult) { r.Request.LinkSource = "crawl" }, []string{"fatcat"}},
		{"save page now", func(r *schemas.FilesetResult) { r.Request.Source = "savepapernow" }, []string{"fatcat"}},
		{
			"a path that leads out", func(r *schemas.FilesetResult) { r.Manifest[0].Path = "../a" },
			[]string{"frictionless", "ro-crate"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, format := range Formats {
				r := result()
				tt.change(r)
				_, ok := format(r)
				if refuses := strings.Contains(strings.Join(tt.refuses, " "), name); ok == refuses {
					t.Errorf("%s takes it: %v", name, ok)
				}
			}
		})
	}
}

func TestFatcat_items(t *testing.T) {
	r := result()
	r.Strategy, r.Item = "archiveorg-fileset", "zenodo.org-1"
	f, ok := Fatcat(r)
	if !ok || len(f.URLs) != 1 || f.URLs[0] != (FatcatURL{"https://archive.org/download/zenodo.org-1/", "archive-base"}) ||
		f.Manifest[0].Extra["wayback_url"] != nil {
		t.Errorf("%+v", f)
	}
	r.Strategy, r.Bundle = "archiveorg-fileset-bundled", &schemas.FilesetFile{BundlePath: "all.zip"}
	if f, ok := Fatcat(r); !ok || f.URLs[0].Rel != "archive-bundle" ||
		f.URLs[0].URL != "https://archive.org/download/zenodo.org-1/all.zip" {
		t.Errorf("%+v", f)
	}
}

// TestDefect14_fatcatReadsWhatIsWritten: fatcat's importer expected members that no result has. A result that was
// written and read again has the same entity, with the places of the dataset and its bundle.
func TestDefect14_fatcatReadsWhatIsWritten(t *testing.T) {
	for strategy, want := range map[string][]FatcatURL{
		"web-fileset": {{"https://zenodo.org/records/1", "web"}},
		"web-fileset-bundled": {
			{"https://zenodo.org/all.zip", "repository-bundle"},
			{"https://web.archive.org/web/20260202020202/https://zenodo.org/all.zip", "webarchive-bundle"},
			{"https://zenodo.org/records/1", "web"},
		},
	} {
		r := result()
		if r.Strategy = strategy; strings.HasSuffix(strategy, "-bundled") {
			r.Bundle = &schemas.FilesetFile{
				Terminal: &schemas.FilesetTerminal{URL: "https://zenodo.org/all.zip", DT: "20260202020202"},
			}
		}
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var read schemas.FilesetResult
		if err := json.Unmarshal(line, &read); err != nil {
			t.Fatal(err)
		}
		got, ok := Fatcat(&read)
		if !ok || !slices.Equal(got.URLs, want) {
			t.Errorf("%s: %+v, want %+v", strategy, got, want)
		}
	}
}

// TestFormats_year: a year alone is a date for an RO-Crate, and no time for a Data Package.
func TestFormats_year(t *testing.T) {
	r := result()
	r.Biblio.ReleaseDate, r.Biblio.ReleaseYear = "", 2010
	for name, want := range map[string]bool{"ro-crate": true, "frictionless": false} {
		value, _ := Formats[name](r)
		text, err := json.Marshal(value)
		if err != nil || strings.Contains(string(text), `"2010"`) != want || strings.Contains(string(text), "created") {
			t.Errorf("%s has the year: %v, want %v: %v\n%s", name, !want, want, err, text)
		}
	}
}
