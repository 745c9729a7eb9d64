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

// Fetcher makes one request, once, and waits for nothing: [fetch.Client] with IgnoreRobots and without HostDelay, since
// robots.txt and the times of requests are this package's.
type Fetcher interface {
	Fetch(ctx context.Context, r fetch.Request) (*fetch.Exchange, error)
}

// Note is what is kept of an exchange beside itself.
type Note struct {
	RefersTo  *schemas.Reference // the capture that an answer of status 304 stands for; nil for others
	Published time.Time          // of the page, by the feed that led to it; zero if that is not known
}

// Archive keeps what came of requests, in their sequence.
type Archive interface {
	// Exchange keeps a request and its answer.
	Exchange(x *fetch.Exchange, n Note) error
	// Fault keeps that a request had no answer, and why.
	Fault(url string, at time.Time, fault string) error
}

// Options are those of one round. Fetch, Archive, Agent and End have to be given; the others have defaults.
type Options struct {
	Fetch   Fetcher
	Archive Archive
	Clock   fetch.Clock // the system's by default
	Agent   string      // the crawler's name in robots.txt

	Due      time.Time     // feeds that are due until then are visited; End by default
	End      time.Time     // no request is made from then on
	Patience time.Duration // the round ends earlier when nothing is to be done for so long; 0: never

	Policy    source.Policy
	Classes   []string      // of feeds that are visited; main by default
	HostDelay time.Duration // between two requests of a host; a second by default
	MaxDelay  time.Duration // the longest Crawl-delay of a robots.txt that is obeyed to the full; 30 s by default
	Hosts     int           // that are asked at once; 32 by default
	Budget    Budget
}

// Budget bounds a round. Zero is not a bound. Bytes may be passed by what is under way.
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
	// Feeds that become due while the round runs are visited in it.
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

// Counts are what a round has come to.
type Counts struct {
	Requests  int64 `json:"requests"`
	Bytes     int64 `json:"bytes"`
	Visits    int64 `json:"visits"`    // of feeds, answered with one
	Unchanged int64 `json:"unchanged"` // answered 304
	Items     int64 `json:"items"`     // that were new
	Pages     int64 `json:"pages"`     // of items, answered, whatever the status
	Elsewhere int64 `json:"elsewhere"` // items that lead to other sites, which are not fetched
	Forbidden int64 `json:"forbidden"` // by robots.txt
	GivenUp   int64 `json:"given_up"`  // pages
	Moved     int64 `json:"moved"`     // feeds, for good
	Gone      int64 `json:"gone"`      // feeds, for good
	// A failure may be counted several times for one URL, once a request.
	Failures map[string]int64 `json:"failures"` // by status, or by what was wrong
	Left     int64            `json:"left"`     // requests that are left to the next round
	Replayed int64            `json:"replayed"` // requests that an earlier process of this round had made
	Stopped  string           `json:"stopped"`  // the budget that ended the round, "" for none
	// Resting are the hosts that Options.Patience has left, which ask for a longer pause or are given one, and Next is
	// when the first of them may be asked again.
	Resting int64     `json:"resting"`
	Next    time.Time `json:"next,omitzero"`
}
