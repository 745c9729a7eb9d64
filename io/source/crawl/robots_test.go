package crawl

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestRun_movedRobots: a round waits for a redirected robots.txt, even if it only visits feeds that are due at once.
func TestRun_movedRobots(t *testing.T) {
	for name, tt := range map[string]struct {
		rest time.Duration // of the other host
		hops []string      // the URLs of robots.txt after the first
		body string
		want bool // the feed is visited
	}{
		"on the same host":    {0, []string{"http://a.example/r/robots.txt"}, "", true},
		"to www":              {0, []string{"http://www.a.example/robots.txt"}, "", true},
		"to an earlier name":  {0, []string{"http://0.example/robots.txt"}, "", true},
		"twice":               {0, []string{"http://www.a.example/robots.txt", "http://0.example/robots.txt"}, "", true},
		"there and back":      {0, []string{"http://www.a.example/robots.txt", "http://a.example/r/robots.txt"}, "", true},
		"to one that forbids": {0, []string{"http://www.a.example/robots.txt"}, "User-agent: *\nDisallow: /\n", false},
		"to one that is busy": {30 * time.Second, []string{"http://www.a.example/robots.txt"}, "", true},
		"to one that rests":   {20 * time.Minute, []string{"http://www.a.example/robots.txt"}, "", false},
		"to one that is mute": {0, []string{"http://mute.example/robots.txt"}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			hops := append([]string{"http://a.example/robots.txt"}, tt.hops...)
			o := Options{
				Clock: &stillClock{now: start}, Due: start, End: start.Add(24 * time.Hour), Patience: time.Minute,
			}
			b := &Book{Hosts: map[string]HostEntry{"www.a.example": {Host: "www.a.example", Free: start.Add(tt.rest)}}}
			archive, c := hostileWith(t, b, func(w http.ResponseWriter, r *http.Request) {
				switch at := slices.Index(hops, "http://"+r.Host+r.URL.Path); {
				case r.Host == "mute.example":
					w.WriteHeader(http.StatusServiceUnavailable)
				case at == len(hops)-1:
					_, _ = fmt.Fprint(w, tt.body)
				case at >= 0:
					http.Redirect(w, r, hops[at+1], http.StatusMovedPermanently)
				default:
					_, _ = fmt.Fprint(w, rss())
				}
			}, o, "a.example", "www.a.example", "0.example", "mute.example")
			n := c.Counts()
			if got := n.Visits == 1; got != tt.want {
				t.Errorf("visited: %v, want %v: %+v\n%s", got, tt.want, n, strings.Join(archive.lines, "\n"))
			}
			if n.Requests > 4 {
				t.Errorf("%d requests\n%s", n.Requests, strings.Join(archive.lines, "\n"))
			}
			if !tt.want && n.Forbidden+n.Failures["503"]+n.Resting == 0 {
				t.Errorf("without a visit, and nothing said: %+v", n)
			}
		})
	}
}
