package fileset

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gleaner-web/gleaner/io/dataset/harvest"
	"github.com/gleaner-web/gleaner/io/dataset/liveweb"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	core "github.com/gleaner-web/gleaner/transforms/fileset"
)

// Live says how to fetch from the live web; Is turns it on.
type Live struct {
	Is         bool
	Contact    string // URL or mail address for the operators of servers
	Private    bool   // include hosts in private networks
	NoRobots   bool
	Delay      time.Duration
	Hosts      map[string]string // fetched from another address: see fetch.Options
	MaxFetched int64             // limit of a run in bytes; 0 for none

	delay string   // --host_delay
	hosts []string // --host
}

const fetching = "Live web"

func (l *Live) settings() []setting.Setting {
	return setting.Under(fetching, []setting.Setting{{
		Name: "live", Value: &l.Is,
		Help: "ask the live web: pages, APIs and files are fetched politely (robots.txt, one request a host at a time, " +
			"waits that servers ask for), 10 attempts each, and kept as WARC files in the folder warcs of --output, which " +
			"ingest reads. Files that --archives have are not fetched again",
		Brief: "fetch pages, APIs and files now",
	}, {
		Name: "contact", Value: &l.Contact, Example: "https://example.org/bot",
		Help: "where operators of servers learn who is asking, in the user agent; needed for --live",
	}, {
		Name: "host_delay", Value: &l.delay, Default: "1s",
		Help: "pause between two requests to a host; robots.txt may ask for more",
	}, {
		Name: "fetch_limit", Value: &l.MaxFetched, Default: "0", Example: "100GiB",
		Help: "bytes that a run may fetch; 0 for any number",
	}, {
		Name: "ignore_robots", Value: &l.NoRobots,
		Help: "do not ask robots.txt: for those who have agreed with the platforms, whose APIs many of them forbid to " +
			"crawlers",
	}, {
		Name: "private_hosts", Value: &l.Private,
		Help: "fetch from hosts in private networks as well, and read archives and requests from them",
	}, {
		Name: "host", Value: &l.hosts, Example: "zenodo.org=http://127.0.0.1:8080",
		Help: "ask another address for a host, for tests; may be repeated",
	}})
}

// read parses the delay and the hosts, and checks the contact.
func (l *Live) read() (err error) {
	if l.Delay, err = time.ParseDuration(l.delay); err != nil || l.Delay < 0 {
		return cli.Usagef("--host_delay=%s: name a time, such as 2s", l.delay)
	}
	if l.Delay == 0 {
		l.Delay = -1 // none; 0 would mean the default
	}
	l.Hosts = map[string]string{}
	for _, h := range l.hosts {
		host, address, ok := strings.Cut(h, "=")
		if !ok || host == "" || address == "" {
			return cli.Usagef("--host=%s: write host=address", h)
		}
		l.Hosts[host] = address
	}
	// Operators must be able to ask before they block.
	if l.Is && l.Contact == "" {
		return cli.Usagef("--live needs --contact: a URL or a mail address where operators of servers can learn who " +
			"is asking")
	}
	return nil
}

// check returns an error if a run with this output and runner cannot fetch.
func (l Live) check(output, runner string) error {
	switch {
	case !l.Is:
		return nil
	case blob.IsRemote(output):
		return cli.Usagef("--live writes WARC files as it goes, for which --output has to be a local folder")
	case runner != run.Local:
		// Several processes would be polite each, but not together.
		return cli.Usagef("--live asks each host once at a time, which only --runner=local can see to")
	}
	return nil
}

// warcs returns the folder of the WARC files, in the output.
func warcs(output string) string { return filepath.Join(output, "warcs") }

// mend completes the WARC files of a killed run. Workers do so too, but only if they have requests to do: the kill
// may have come after the last request.
func (l Live) mend(output string) error {
	if !l.Is {
		return nil
	}
	return harvest.Mend(warcs(output))
}

type web struct {
	*liveweb.Web
	kept *harvest.Harvest
}

// open opens the live web and the folder of WARC files.
func (l Live) open(output string, o core.Options) (*web, error) {
	kept, err := harvest.Open(warcs(output), harvest.Options{Stamp: time.Now().Truncate(time.Second)})
	if err != nil {
		return nil, err
	}
	w, err := liveweb.New(liveweb.Options{
		// A file cannot be larger than its dataset may be. Bodies are spooled beside the WARC files, where there is
		// room.
		Harvest: kept, MaxFile: o.MaxTotal, Fetch: fetch.Options{
			UserAgent: "gleaner-fileset (+" + l.Contact + ")", HostDelay: l.Delay, IgnoreRobots: l.NoRobots,
			AllowPrivate: l.Private, Hosts: l.Hosts, SpoolDir: kept.Dir(), Budget: fetch.Budget{Bytes: l.MaxFetched},
		},
	})
	if err != nil {
		// Close releases the folder's lock.
		return nil, errors.Join(fmt.Errorf("--live: %w", err), kept.Close())
	}
	return &web{w, kept}, nil
}

// Close closes the connections and then the last WARC file, which must not change any more.
func (w *web) Close() error { return errors.Join(w.Web.Close(), w.kept.Close()) }

// sources returns the source of answers, and options with an earlier source: archives alone, or archives before the
// live web.
func (f *worker) sources(ctx context.Context, o core.Options) (core.Source, core.Options, error) {
	err := f.open(ctx)
	if err == nil {
		o.Keeper, err = f.o.Items.keeper()
	}
	if err != nil || f.web == nil {
		return f.lookup, o, err
	}
	// Options.Existing is asked first, so that files in archives are not fetched again.
	if f.lookup != nil {
		o.Existing = f.lookup
	}
	return f.web, o, nil
}
