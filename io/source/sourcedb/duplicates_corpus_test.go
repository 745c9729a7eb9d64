package sourcedb

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/charset"
	pagefeed "github.com/gleaner-web/gleaner/transforms/feed"
	"github.com/gleaner-web/gleaner/transforms/page"
)

const corpora = "../../../../shared/corpora"

// unzipped are the bytes of a file of the corpora, which may not be copied into the project.
func unzipped(t testing.TB, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Skip("the corpora are not beside the checkout: ", err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	must(t, err)
	data, err := io.ReadAll(z)
	must(t, err)
	return data
}

// announcedFeeds are the announced feeds that are given as such.
func announcedFeeds(t testing.TB) (feeds []schemas.FeedCapture) {
	t.Helper()
	for line := range strings.Lines(string(unzipped(t, filepath.Join(corpora, "sources", "announced.jsonl.gz")))) {
		var row struct{ URL, Title, Page, Type string }
		must(t, json.Unmarshal([]byte(line), &row))
		f := announced(row.URL, row.Page)
		f.Title, f.Type = row.Title, row.Type
		feeds = append(feeds, f)
	}
	return feeds
}

// announcedByPages are the feeds that the corpora's pages announce.
func announcedByPages(t testing.TB) (feeds []schemas.FeedCapture) {
	t.Helper()
	for url, file := range pagesOfCorpora(t) {
		body := unzipped(t, file)
		text, _, err := charset.Decode(body, charset.Detect(body, "", charset.Options{}).Name)
		must(t, err)
		for _, f := range pagefeed.Announced(page.Parse(text, page.Options{URL: url}), nil) {
			row := announced(f.URL, url)
			row.Title, row.Type = f.Title, f.Type
			feeds = append(feeds, row)
		}
	}
	return feeds
}

// pagesOfCorpora are pages' files by their URLs.
func pagesOfCorpora(t testing.TB) map[string]string {
	t.Helper()
	files := map[string]string{}
	dir := filepath.Join(corpora, "maintext", "wcxb-dev")
	truths, err := filepath.Glob(filepath.Join(dir, "ground-truth", "*.json"))
	must(t, err)
	for _, name := range truths {
		var said struct{ URL string }
		readFile(t, name, &said)
		id := strings.TrimSuffix(filepath.Base(name), ".json")
		files[said.URL] = filepath.Join(dir, "html", id+".html.gz")
	}
	dir = filepath.Join(corpora, "maintext", "trafilatura-half")
	var others map[string]struct{ File string }
	readFile(t, filepath.Join(dir, "evaldata.json"), &others)
	for url, o := range others {
		files[url] = filepath.Join(dir, "html", o.File+".gz")
	}
	return files
}

func readFile(t testing.TB, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(name)
	must(t, err)
	must(t, json.Unmarshal(data, v))
}

// TestTwins_announced takes the feeds that real pages announce. No two are merged by their names alone, nor if each has
// items of its own: only equal items merge feeds. With GLEANER_SLOW=1 it also takes the feeds that the pages of the
// corpora announce.
func TestTwins_announced(t *testing.T) {
	feeds, least := announcedFeeds(t), 700
	if os.Getenv("GLEANER_SLOW") != "" {
		feeds, least = append(feeds, announcedByPages(t)...), 1634
	}
	// A feed that several pages announce is one.
	slices.SortFunc(feeds, func(a, b schemas.FeedCapture) int { return cmpStrings(a.URL, b.URL) })
	feeds = slices.CompactFunc(feeds, func(a, b schemas.FeedCapture) bool { return a.URL == b.URL })
	sources, _ := sourcesOf(t, 1, feeds, nil)
	t.Logf("%d URLs of feeds, %d sources", len(feeds), len(sources))
	if merged := sameAs(sources); len(merged) != 0 || len(sources) < least {
		t.Errorf("%d sources, merged: %v", len(sources), merged)
	}
	for i := range feeds {
		feeds[i] = feedWith(feeds[i].URL, 1000*i+1, 1000*i+2, 1000*i+3, 1000*i+4)
	}
	sources, _ = sourcesOf(t, 1, feeds, nil)
	if merged := sameAs(sources); len(merged) != 0 {
		t.Errorf("merged, with different items: %v", merged)
	}
}
