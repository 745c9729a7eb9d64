package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/record"
)

const archives = "../../testdata/archives"

// known holds the results of FastWARC and warcio for these files.
var known = map[string]totals{
	"site.warc.gz": {58, 52, 160792},
	"site.warc":    {17, 15, 19059},
	"wget.warc.gz": {116, 112, 278949},
}

func TestReadFile_findsWhatThePeersFind(t *testing.T) {
	for name, want := range known {
		got, err := readFile(filepath.Join(archives, name), 1, record.Options{})
		if err != nil || got != want {
			t.Errorf("readFile(%q) = %v, %v, want %v", name, got, err, want)
		}
	}
}

func TestReadRanges_findWhatOneRangeHolds(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(archives, "wget.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	copies := 20 // so that each range has a place to split at
	data = bytes.Repeat(data, copies)
	one := known["wget.warc.gz"]
	n := int64(copies)
	want := totals{n * one.records, n * one.heads, n * one.payload}
	got, err := readRanges(bytes.NewReader(data), int64(len(data)), 2, record.Options{})
	if err != nil || got != want {
		t.Errorf("readRanges = %v, %v, want %v", got, err, want)
	}
}

func TestReadOurs_damageIsAnError(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(archives, "wget.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	data = data[:len(data)-100]
	size := int64(len(data))
	if got, err := readOurs(bytes.NewReader(data), 0, size, size, record.Options{}); err == nil {
		t.Errorf("readOurs of a cut file = %v without an error", got)
	}
}

func TestParse_readsWhatReadersPrint(t *testing.T) {
	got, err := parse("3\t2\t100\t\n1\t0\t7\tOSError: no WARC header\npeak\t1234\n")
	want := &result{
		files: []outcome{
			{totals: totals{3, 2, 100}},
			{totals: totals{1, 0, 7}, err: "OSError: no WARC header"},
		},
		figures: map[string]int64{"peak": 1234},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(result{}, outcome{}, totals{})); err != nil || diff != "" {
		t.Errorf("parse: %v, -want +got\n%s", err, diff)
	}
	if _, err := parse("Traceback (most recent call last):\n"); err == nil {
		t.Error("parse takes a stack trace for totals")
	}
}

func TestDiffer_saysWhoReadsTheSame(t *testing.T) {
	ours := outcome{totals: totals{3, 2, 100}}
	for _, test := range []struct {
		name  string
		got   outcome
		other bool // a reader that only inflates
		words int
		fair  bool
	}{
		{name: "same", got: ours, fair: true},
		{name: "heads differ", got: outcome{totals: totals{3, 1, 150}}, words: 1, fair: true},
		{name: "records differ", got: outcome{totals: totals{2, 2, 100}}, words: 1},
		{name: "stopped", got: outcome{totals{3, 2, 100}, "OSError"}, words: 1},
		{name: "inflates", got: outcome{totals: totals{3, 0, 120}}, other: true, fair: true},
		{name: "inflates and stops", got: outcome{totals{1, 0, 12}, "bad data"}, other: true, words: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &reader{name: "peer", parses: !test.other}
			words, fair := differ(r, &result{files: []outcome{test.got}}, &result{files: []outcome{ours}}, []string{"a.warc"})
			if len(words) != test.words || fair != test.fair {
				t.Errorf("differ = %q, %v, want %d words, %v", words, fair, test.words, test.fair)
			}
		})
	}
}

func TestSpread_isOfTheRounds(t *testing.T) {
	if got, want := spread([]float64{3, 1, 2.5, 2}), "2.25 (1.00–3.00)"; got != want {
		t.Errorf("spread = %q, want %q", got, want)
	}
}

func TestVersions_areThoseThatAreBuilt(t *testing.T) {
	t.Chdir("../..")
	var names []string
	for _, v := range versions() {
		name, _, _ := strings.Cut(v, " ")
		names = append(names, name)
	}
	want := []string{"fastwarc", "warcio", "zstandard", "fastwarc", "libdeflate-sys"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("versions: -want +got\n%s", diff)
	}
}
