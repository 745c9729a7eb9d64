package crawl

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/source"
)

// Fetcher makes one request, once, without waiting: [fetch.Client] with IgnoreRobots and without HostDelay, because
// this package handles robots.txt and pauses.
type Fetcher interface {
	Fetch(ctx context.Context, r fetch.Request) (*fetch.Exchange, error)
}

// Note is stored with an exchange.
type Note struct {
	RefersTo  *schemas.Reference // the original of a 304 response; otherwise nil
	Published time.Time          // of the page, by the feed that led to it; zero if unknown
}

// Archive stores the results of requests, in order.
type Archive interface {
	// Exchange stores a request and its answer.
	Exchange(x *fetch.Exchange, n Note) error
	// Fault stores a request without an answer, and the reason.
	Fault(url string, at time.Time, fault string) error
}

// Options of a round. Fetch, Archive, Agent and End are required; the others have defaults.
type Options struct {
	Fetch   Fetcher
	Archive Archive
	Clock   fetch.Clock // the system's by default
	Agent   string      // the crawler's name in robots.txt

	Due      time.Time     // feeds that are due until then are visited; End by default
	End      time.Time     // no request is made after it
	Patience time.Duration // the round ends early if nothing is due for so long; 0: never

	Policy    source.Policy
	Classes   []string      // of visited feeds; main by default
	Feeds     []string      // URLs of feeds of other classes that are visited, too: see Know
	HostDelay time.Duration // between two requests to a host; a second by default
	MaxDelay  time.Duration // longest Crawl-delay that is obeyed fully; 30 s by default
	Hosts     int           // hosts asked at once; 32 by default
	Budget    Budget
}

// Budget limits a round; 0 means unlimited. Current requests may exceed Bytes.
type Budget struct {
	Requests, HostRequests, Bytes int64
}

func (o Options) withDefaults() (Options, error) {
	if o.Fetch == nil || o.Archive == nil || o.Agent == "" || o.End.IsZero() {
		return o, errors.New("crawl: a fetcher, an archive, a name and an end have to be given")
	}
	if o.Clock == nil {
		o.Clock = fetch.System
	}
	// Feeds that become due during the round are visited.
	if o.Due.IsZero() {
		o.Due = o.End
	}
	if len(o.Classes) == 0 {
		o.Classes = []string{source.ClassMain}
	}
	o.HostDelay = cmp.Or(o.HostDelay, time.Second)
	o.MaxDelay = cmp.Or(o.MaxDelay, 30*time.Second)
	o.Hosts = cmp.Or(o.Hosts, 32)
	return o, nil
}

// Counts are the results of a round.
type Counts struct {
	Requests  int64 `json:"requests"`
	Bytes     int64 `json:"bytes"`
	Visits    int64 `json:"visits"`    // visits answered with a feed
	Unchanged int64 `json:"unchanged"` // visits answered with 304
	Items     int64 `json:"items"`     // new items
	Pages     int64 `json:"pages"`     // answered requests for pages, whatever the status
	Elsewhere int64 `json:"elsewhere"` // items on other sites, which are not fetched
	Forbidden int64 `json:"forbidden"` // by robots.txt
	GivenUp   int64 `json:"given_up"`  // abandoned pages
	Moved     int64 `json:"moved"`     // feeds moved permanently
	Gone      int64 `json:"gone"`      // feeds gone permanently
	// A failure is counted for each request, so several times for one URL.
	Failures map[string]int64 `json:"failures"` // by status or fault
	Left     int64            `json:"left"`     // requests left to the next round
	Replayed int64            `json:"replayed"` // requests made by an earlier process of this round
	Stopped  string           `json:"stopped"`  // the budget that ended the round, or ""
	// Resting is the number of hosts that Options.Patience has left with a pause, and Next is when the first may be
	// asked again.
	Resting int64     `json:"resting"`
	Next    time.Time `json:"next,omitzero"`
}
