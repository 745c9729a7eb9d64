package serve

import "testing"

func TestFreeName(t *testing.T) {
	taken := map[string]bool{}
	for _, c := range []struct{ collection, want string }{
		{"out", "out.html"},
		{"/data/crawl/out/", "out-2.html"},
		{`C:\crawls\out`, "out-3.html"},
		{"gs://bucket/crawl-2026", "crawl-2026.html"},
		{".", "collection.html"},
		{"../..", "collection-2.html"},
		{"/", "collection-3.html"},
	} {
		if got := freeName(c.collection, taken); got != c.want {
			t.Errorf("freeName(%q) = %q, want %q", c.collection, got, c.want)
		}
	}
}
