package crawl

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/transforms/source"
)

// answersOf returns status and URL of each answer but those of robots.txt and of the feed.
func answersOf(archive *listed) (list []string) {
	for _, line := range archive.lines {
		f := strings.Fields(line)
		if !strings.HasSuffix(f[2], "/robots.txt") && !strings.HasSuffix(f[2], "/feed.xml") {
			list = append(list, f[1]+" "+f[2])
		}
	}
	return list
}

// TestRun_otherForm: a page that is redirected to another form of its own URL is fetched there. One that is always
// redirected to itself is finished, so that later rounds do not ask for it.
func TestRun_otherForm(t *testing.T) {
	for link, tt := range map[string]struct {
		to   []string // targets of redirects; the last one answers
		done bool
	}{
		"http://a.example/post":                   {[]string{"http://a.example/post/"}, false},
		"http://a.example/post/":                  {[]string{"http://a.example/post"}, false},
		"http://a.example/post?utm_source=rss":    {[]string{"http://a.example/post"}, false},
		"http://a.example/post?utm_medium=m&id=3": {[]string{"http://a.example/post?id=3"}, false},
		"http://a.example/Post":                   {[]string{"http://a.example/post"}, false},
		"http://a.example/post.html": {
			[]string{"http://www.a.example/post.html"}, false,
		},
		"http://www.a.example/post": {
			[]string{"http://a.example/Post", "http://a.example/post", "http://a.example/post/"}, false,
		},
		"http://a.example/other":  {[]string{"http://a.example/old"}, false},
		"http://a.example/itself": {[]string{"http://a.example/itself"}, true},
		"http://a.example/loop": {[]string{
			"http://a.example/loop/", "http://a.example/loop", "http://a.example/loop/", "http://a.example/loop",
			"http://a.example/loop/", "http://a.example/loop",
		}, true},
	} {
		t.Run(link, func(t *testing.T) {
			asked := 0
			archive, c := hostile(t, func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path == "/robots.txt":
					http.NotFound(w, r)
				case r.URL.Path == "/feed.xml":
					_, _ = fmt.Fprint(w, rss(link))
				case asked < len(tt.to):
					w.Header().Set("Location", tt.to[asked])
					w.WriteHeader(http.StatusMovedPermanently)
					asked++
				}
			}, Options{Clock: &stillClock{now: start}, Due: start, End: start.Add(time.Hour)}, "a.example",
				"www.a.example")
			want := []string{"301 " + link}
			for _, to := range tt.to {
				want = append(want, "301 "+to)
			}
			if last := &want[len(want)-1]; tt.done {
				want = want[:len(want)-1] // it is not asked for
			} else {
				*last = "200" + strings.TrimPrefix(*last, "301")
			}
			if got := answersOf(archive); !slices.Equal(got, want) {
				t.Errorf("%q\nwant %q", got, want)
			}
			done := slices.ContainsFunc(c.done, func(f finished) bool { return f.link == source.LinkKey(link) })
			if done != tt.done {
				t.Errorf("finished: %v, want %v", done, tt.done)
			}
		})
	}
}
