package crawl

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gleaner-web/gleaner/internal/sitetest"
	"github.com/gleaner-web/gleaner/io/storage/fetch"
)

const agent = "gleaner/1.0 (+https://example.org/bot)"

// listed is an archive that keeps a line of each answer.
type listed struct{ lines []string }

func (l *listed) Exchange(x *fetch.Exchange, _ Note) error {
	l.lines = append(l.lines, fmt.Sprintf("%s %d %s %d", x.Time.Format(time.RFC3339), x.Status, x.URL, x.Body.Size()))
	return nil
}

func (l *listed) Fault(url string, at time.Time, fault string) error {
	l.lines = append(l.lines, fmt.Sprintf("%s %s %s", at.Format(time.RFC3339), fault, url))
	return nil
}

// client asks the web's sites. Politeness is not its business.
func client(t testing.TB, web *sitetest.Web, clock fetch.Clock) *fetch.Client {
	t.Helper()
	c, err := fetch.New(fetch.Options{
		UserAgent: agent, Clock: clock, HostDelay: -1, IgnoreRobots: true, Hosts: web.Hosts(), Timeout: sitetest.Patience,
		Stall: sitetest.Patience,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

var start = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// crawlWeb crawls a web for some days and returns the archived records.
func crawlWeb(t testing.TB, web *sitetest.Web, days int) (*listed, Counts) {
	t.Helper()
	archive := &listed{}
	c, err := New(Options{
		Fetch: client(t, web, web.Clock()), Archive: archive, Clock: web.Clock(), Agent: "gleaner",
		End: start.AddDate(0, 0, days),
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Know(&Book{}, web.Feeds()...)
	if err := c.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return archive, c.Counts()
}

// TestRun_breaksNoRule: sites of all habits, modelled; the servers' log says that no rule was broken, and how many
// items no visit saw.
func TestRun_breaksNoRule(t *testing.T) {
	const days = 8
	var before []string
	for range 2 {
		web := sitetest.New(start)
		defer web.Close()
		web.AddAll(sitetest.Model(40, 12, days), days, 2)
		archive, counts := crawlWeb(t, web, days)
		for i, rule := range web.Broken(time.Second, 0) {
			if i < 20 {
				t.Error(rule)
			}
		}
		missed, items := web.Missed(nil)
		t.Logf("%d of %d items missed; %+v", missed, items, counts)
		if items < 300 || missed*1000 > items*2 {
			t.Errorf("%d of %d items were missed, want .2 %% at most", missed, items)
		}
		if before != nil && strings.Join(before, "\n") != strings.Join(archive.lines, "\n") {
			for i := range min(len(before), len(archive.lines)) {
				if before[i] != archive.lines[i] {
					t.Errorf("line %d: %s, before: %s", i, archive.lines[i], before[i])
					break
				}
			}
			t.Errorf("the same clock gave %d answers, then others: %d", len(before), len(archive.lines))
		}
		before = archive.lines
	}
	if os.Getenv("GLEANER_LIST") != "" {
		t.Log(strings.Join(before, "\n"))
	}
}
