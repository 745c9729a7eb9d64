package corpora

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/corpus/cluster"
	"github.com/gleaner-web/gleaner/transforms/corpus/filter"
)

// articles returns captures of 6 articles, each on three hosts with a line of the host. Each URL has five captures.
// change may make another capture of one.
func articles(change func(article, host, capture int, d *schemas.Document)) (docs []*schemas.Document) {
	letter := func(i int) string { return string(rune('a' + i)) }
	for article := range 6 {
		for host := range 3 {
			for capture := range 5 {
				d := &schemas.Document{
					URL:  fmt.Sprintf("https://%s.example/%s", letter(host), letter(article)),
					SURT: fmt.Sprintf("example,%s)/%s", letter(host), letter(article)), Host: letter(host) + ".example",
					Timestamp: fmt.Sprintf("2026-01-%02dT00:00:00Z", capture+1), Status: 200,
					Language: "en", BodyBytes: 1, Languages: []schemas.Language{{Code: "en", Confidence: 1}},
					Filename: "a.warc.gz", Offset: int64(len(docs)),
					Digest: fmt.Sprint("sha1:", len(docs)),
					Text: fmt.Sprintf("The agency reports %s.\nPage %s of %s.", strings.Repeat(letter(article), 9),
						letter(article), letter(host)),
				}
				change(article, host, capture, d)
				docs = append(docs, d)
			}
		}
	}
	return docs
}

// TestSteps_paragraphOwners: a shared paragraph is in one document of the corpus, whatever filters and duplicates leave
// out.
func TestSteps_paragraphOwners(t *testing.T) {
	one := func(name string, s filter.Settings) filter.Recipe { return filter.Recipe{{Name: name, Settings: s}} }
	const (
		foot = "\nThe same long foot of all pages of all these hosts, with their address and their telephone."
		own  = "Host %d has news %d of its own, which is capture %d, and a long one."
	)
	for name, tt := range map[string]struct {
		o      Options
		change func(article, host, capture int, d *schemas.Document)
	}{
		"captures, newest": {
			Options{Dedup: []string{ByURL}, KeepURL: cluster.Newest}, func(int, int, int, *schemas.Document) {},
		},
		"captures, oldest": {
			Options{Dedup: []string{ByURL}, KeepURL: cluster.Oldest}, func(int, int, int, *schemas.Document) {},
		},
		"captures of one time": {
			Options{Dedup: []string{ByURL}, KeepURL: cluster.Newest},
			func(_, _, capture int, d *schemas.Document) {
				d.Timestamp, d.Sequence = "2026-01-01T00:00:00Z", capture
			},
		},
		"status": {
			Options{Recipe: one("status", filter.Settings{})},
			func(_, host, capture int, d *schemas.Document) {
				if host > 0 || capture > 0 {
					d.Status = 404
				}
			},
		},
		"language, newest": {
			Options{
				Recipe: one("language", list("allow", "en")), Dedup: []string{ByURL}, KeepURL: cluster.Newest,
			},
			func(_, host, capture int, d *schemas.Document) {
				if host != 1 || capture > 3 {
					d.Language, d.Languages = "fr", []schemas.Language{{Code: "fr", Confidence: 1}}
				}
			},
		},
		"bodies, newest": {
			Options{Dedup: []string{ByPayload}, Keep: cluster.Newest},
			func(article, host, capture int, d *schemas.Document) {
				d.Digest = fmt.Sprint("sha1:", article)
				d.Timestamp = fmt.Sprintf("2026-01-%02dT%02d:00:00Z", capture+1, host)
			},
		},
		"URLs and bodies": {
			Options{Dedup: []string{ByURL, ByPayload}, Keep: cluster.Longest, KeepURL: cluster.Newest},
			func(article, _, capture int, d *schemas.Document) { d.Digest = fmt.Sprint("sha1:", article, capture/3) },
		},
		// The newest capture of two hosts has lost the article.
		"changed": {
			Options{Dedup: []string{ByURL}, KeepURL: cluster.Newest},
			func(_, host, capture int, d *schemas.Document) {
				if host < 2 && capture == 4 {
					_, d.Text, _ = strings.Cut(d.Text, "\n")
				}
			},
		},
		// The longest captures have another paragraph that all hosts share, and are not the longest without it.
		"captures, longest": {
			Options{Dedup: []string{ByURL}, KeepURL: cluster.Longest},
			func(article, host, capture int, d *schemas.Document) {
				if capture == 2 {
					d.Text += foot
				} else {
					d.Text = fmt.Sprintf(own, host, article, capture)
				}
			},
		},
		"bodies, longest": {
			Options{Dedup: []string{ByPayload}, Keep: cluster.Longest},
			func(article, host, capture int, d *schemas.Document) {
				d.Digest = fmt.Sprint("sha1:", article, host)
				if capture == 2 {
					d.Text += foot
				} else {
					d.Text = fmt.Sprintf(own, host, article, capture)
				}
			},
		},
		"captures, equally long": {
			Options{Dedup: []string{ByURL}, KeepURL: cluster.Longest}, func(int, int, int, *schemas.Document) {},
		},
		"spellings of a URL in one second": {
			Options{Dedup: []string{ByURL}, KeepURL: cluster.Newest},
			func(_, _, capture int, d *schemas.Document) {
				d.URL = fmt.Sprint(d.URL, "?sid=", capture)
				d.Timestamp = "2026-01-01T00:00:00Z"
			},
		},
		"spellings with texts of their own": {
			Options{Dedup: []string{ByURL}, KeepURL: cluster.Oldest},
			func(_, _, capture int, d *schemas.Document) {
				d.URL = fmt.Sprint(d.URL, "?sid=", capture)
				d.Timestamp = "2026-01-01T00:00:00Z"
				d.Text += fmt.Sprint(" and of capture ", capture)
			},
		},
		"spellings, one body": {
			Options{Dedup: []string{ByURL, ByPayload}, KeepURL: cluster.Newest, Keep: cluster.Newest},
			func(article, _, capture int, d *schemas.Document) {
				d.URL = fmt.Sprint(d.URL, "?sid=", capture)
				d.Timestamp, d.Digest = "2026-01-01T00:00:00Z", fmt.Sprint("sha1:", article)
			},
		},
		"bodies in one second, newest": {
			Options{Dedup: []string{ByPayload}, Keep: cluster.Newest},
			func(article, _, _ int, d *schemas.Document) {
				d.Timestamp, d.Digest = "2026-01-01T00:00:00Z", fmt.Sprint("sha1:", article)
			},
		},
		"bodies in one second, oldest": {
			Options{Dedup: []string{ByPayload}, Keep: cluster.Oldest},
			func(article, _, capture int, d *schemas.Document) {
				d.Timestamp, d.Digest = "2026-01-01T00:00:00Z", fmt.Sprint("sha1:", article, capture/3)
			},
		},
		"spellings of one body": {
			Options{Dedup: []string{ByPayload}, Keep: cluster.Oldest},
			func(article, host, capture int, d *schemas.Document) {
				d.URL = fmt.Sprint(d.URL, "?sid=", capture)
				d.Timestamp, d.Digest = "2026-01-01T00:00:00Z", fmt.Sprint("sha1:", article, host)
			},
		},
		"nothing is left out": {Options{}, func(int, int, int, *schemas.Document) {}},
	} {
		docs := articles(tt.change)
		dir := t.TempDir()
		in := newFolder(t, filepath.Join(dir, "in"))
		var first string
		for i, size := range []int{len(docs), 40} {
			var units []holdings.Part
			for part := range slices.Chunk(docs, size) {
				units = append(units, unitOf(t, in, part))
			}
			o := tt.o
			o.Paragraphs = 3
			s := newSteps(t, filepath.Join(dir, fmt.Sprint("out", i)), o)
			m := makeCorpus(t, s, units)
			found := map[string]int{}
			for _, r := range rows(t, s, m) {
				for line := range strings.SplitSeq(r.Text, "\n") {
					if strings.HasPrefix(line, "The agency") {
						found[line]++
					}
				}
			}
			for line, n := range found {
				if n != 1 {
					t.Errorf("%s, units of %d: %d documents have %q, want 1", name, size, n, line)
				}
			}
			if len(found) != 6 {
				t.Errorf("%s, units of %d: the corpus has %d of 6 articles", name, size, len(found))
			}
			files := fmt.Sprint(linesOf(m.Files))
			if i == 0 {
				first = files
			}
			if files != first {
				t.Errorf("%s, units of %d: files are %v, want %v", name, size, files, first)
			}
		}
	}
}
