package sources

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	feedcrawl "github.com/gleaner-web/gleaner/io/source/crawl"
	"github.com/gleaner-web/gleaner/io/source/sourcedb"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/fetch"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/secret"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// crawler closes the loop: what is due is fetched, ingested, and known to the Source DB, again and again.
type crawler struct {
	config
	store  *blob.Store
	out    folder.Folder // of the Source DB
	shelf  *feedcrawl.Shelf
	clock  fetch.Clock
	client *fetch.Client
	until  time.Time // zero for one round
	total  feedcrawl.Counts
}

// simulate is for tests of this package: it changes where hosts are looked for, and by which clock.
var simulate func(o *fetch.Options)

const (
	// onceFor is how long one round may take whose end nobody has said, and patience how long it waits for hosts that are
	// to be left alone before it leaves the rest to another time: as long as pauses that a robots.txt asks for may be.
	onceFor  = 24 * time.Hour
	patience = time.Minute
	// pageTime is how long one answer may take.
	pageTime = 10 * time.Minute
)

// crawl visits feeds until the time that --until names, or once.
func (c config) crawl(ctx context.Context, store *blob.Store, out folder.Folder) (n feedcrawl.Counts, err error) {
	o := c.crawling.fetch
	o.Clock = fetch.System
	if simulate != nil {
		simulate(&o)
	}
	// Pauses and robots.txt are the crawl's, which has to know of them to plan.
	o.IgnoreRobots = true
	w := &crawler{config: c, store: store, out: out, clock: o.Clock}
	// Negative is none: zero would be the client's default of a second.
	o.HostDelay, o.BodyTimeout = -1, pageTime
	if w.until, err = c.crawling.end(w.clock.Now()); err != nil {
		return n, err
	}
	if w.client, err = fetch.New(o); err != nil {
		return n, cli.Usagef("--contact: %v", err)
	}
	dir := folder.Open(ctx, c.crawling.archives, store)
	if err := w.notAnothers(dir); err != nil {
		return n, errors.Join(err, w.client.Close(), dir.Close())
	}
	if c.crawling.planOnly {
		// A plan takes no lock and opens no shelf: it can be made while a crawl goes on.
		return n, errors.Join(w.printPlan(ctx, dir), w.client.Close(), dir.Close())
	}
	// The lock of the archives comes second, after that of the Source DB, in every crawl.
	w.shelf, err = feedcrawl.OpenShelf(dir, c.crawling.archives, c.crawling.fileBytes)
	if errors.Is(err, folder.ErrBusy) {
		err = fmt.Errorf("--archives=%s: another crawl is writing to it: %w", c.crawling.archives, err)
	}
	if err != nil {
		return n, errors.Join(err, w.client.Close(), dir.Close())
	}
	defer func() { err = errors.Join(err, w.shelf.Close(), w.client.Close(), dir.Close()) }()
	// Again under the lock, since another crawl may have begun the folder meanwhile.
	if err = errors.Join(w.notAnothers(dir), w.shelf.SetOwner(w.owner())); err != nil {
		return n, err
	}
	// The shelf is closed before the client and the folder, by the order in the deferred call: it writes until then.
	if err = w.rounds(ctx); err == nil && w.total.Requests == 0 {
		w.total.Next, err = w.nextVisit(ctx)
	}
	return w.total, err
}

// nextVisit is when the first request is due, of whatever feed; the zero time if none ever is.
func (w *crawler) nextVisit(ctx context.Context) (next time.Time, err error) {
	book, err := w.shelf.Book()
	if err != nil {
		return next, err
	}
	ever := w.clock.Now().AddDate(100, 0, 0)
	c, err := w.begin(ctx, book, ever, ever)
	if err != nil {
		return next, err
	}
	if list := c.Planned(); len(list) > 0 {
		next = list[0].Due
	}
	return next, nil
}

// owner is the whole name of the collection that is crawled for.
func (w *crawler) owner() string {
	if blob.IsRemote(w.collections[0]) {
		return secret.Redact(w.collections[0]) // it is written down
	}
	return absolute("", w.collections[0])
}

// notAnothers refuses a folder of archives whose crawls are for another collection: its archives, and a round of it
// that was killed, would go into this one.
func (w *crawler) notAnothers(dir folder.Folder) error {
	name, err := feedcrawl.OwnerIn(dir)
	if err != nil || name == "" || name == w.owner() {
		return err
	}
	return cli.Usagef("--archives=%s has the archives of crawls for the collection %s: name another folder, or that "+
		"collection. If it was moved, remove the file %s", w.crawling.archives, schemas.Printable(name),
		dir.Path(feedcrawl.OwnerFile))
}

// crawlAndSay crawls, and prints what was fetched.
func (c config) crawlAndSay(ctx context.Context, store *blob.Store, out folder.Folder) error {
	n, err := c.crawl(ctx, store, out)
	if err != nil {
		return err
	}
	// A crawl that knew of no feed has fetched nothing, and so nothing has made a Source DB.
	if _, err := sourcedb.ReadManifest(out); errors.Is(err, fs.ErrNotExist) {
		return cli.Usagef("no feed is known: name a collection that has some with --collection, or feeds with --feeds")
	}
	return crawlSummary(stdout, n)
}

// rounds goes on until the end. What an earlier process has fetched and not ingested is ingested first.
func (w *crawler) rounds(ctx context.Context) error {
	book, err := w.shelf.Book()
	if err != nil {
		return err
	}
	if err := w.settle(ctx, book); err != nil {
		return err
	}
	for {
		// Each round has bounds of its own: the clock has moved while the last one was settled.
		due, end := w.bounds()
		if book, err = w.round(ctx, book, due, end); err != nil {
			return err
		}
		// Settled before the pause and not after it: what was fetched is in the collection as soon as it can be.
		if err := w.settle(ctx, book); err != nil {
			return err
		}
		// The round that ended at --until was the last one.
		if w.until.IsZero() || !end.Before(w.until) {
			return nil
		}
		// A round may end early, by its budget or for want of work; the next one begins when it was to. Sleep returns at
		// once when that time is over.
		if err := w.clock.Sleep(ctx, end.Sub(w.clock.Now())); err != nil {
			return err
		}
	}
}

// bounds are until when feeds of the round that begins now have to be due, and when it ends. Rounds end at multiples
// of their length, so that a process that goes on ends where the one before would have.
func (w *crawler) bounds() (due, end time.Time) {
	now := w.clock.Now()
	if w.until.IsZero() {
		// One round: what is due by now, with a day to fetch it in.
		return now, now.Add(onceFor)
	}
	if end = now.Truncate(w.crawling.round).Add(w.crawling.round); w.until.Before(end) {
		end = w.until
	}
	return end, end
}

// last is the newest journal that a book has in it.
func last(b *feedcrawl.Book) string {
	if len(b.Journals) == 0 {
		return ""
	}
	return b.Journals[len(b.Journals)-1]
}

// begin makes a round of what is known, and applies what an earlier process of it has done.
func (w *crawler) begin(ctx context.Context, book *feedcrawl.Book, due, end time.Time) (*feedcrawl.Crawl, error) {
	o := feedcrawl.Options{
		Fetch: w.client, Archive: counted{w.shelf}, Clock: w.clock, Agent: agentName, Due: due, End: end,
		Policy: w.options.Policy, Classes: w.crawling.classes, HostDelay: w.crawling.fetch.HostDelay,
		Hosts: w.crawling.hosts, Budget: w.crawling.budget,
	}
	if w.until.IsZero() {
		// Without --until nobody waits for the end of the round: a host that asks for a long pause is left to another run.
		o.Patience = patience
	}
	c, err := feedcrawl.New(o)
	if err != nil {
		return nil, err
	}
	// Fill, Load and Know build on each other: the book says which feeds are over and which pages are open, the Source DB
	// adds what is due, and a list what neither of them has.
	c.Fill(book)
	m, err := sourcedb.ReadManifest(w.out)
	if err == nil {
		err = c.Load(ctx, w.out, m, book)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil // there is no Source DB yet
	}
	// Also after an error, which the caller sees first: the round is dropped then.
	c.Know(book, w.crawling.feeds...)
	return c, err
}

// round fetches, and writes the book of what it has come to.
func (w *crawler) round(ctx context.Context, book *feedcrawl.Book, due, end time.Time) (*feedcrawl.Book, error) {
	c, err := w.begin(ctx, book, due, end)
	if err != nil {
		return nil, err
	}
	// Before Run: a round that was killed goes on from the answers that are in its journal, as if it had not been.
	if err := w.shelf.Replay(last(book), c.Replay); err != nil {
		return nil, err
	}
	if n := c.Counts().Replayed; n > 0 {
		slog.Info(fmt.Sprintf("going on with a round of which %d requests are done", n))
		c.Rest()
	}
	progress := cli.StartProgress(&cli.Live, 0)
	err = c.Run(ctx)
	// Stopped before the error is looked at: a bar that goes on would be in the message.
	progress.Stop()
	if err != nil {
		return nil, err
	}
	// The journal is whole before the book names it: killed between the two, the round is replayed to the same result.
	if err := w.shelf.End(); err != nil {
		return nil, err
	}
	w.total.Add(c.Counts())
	next := c.Book(book, w.clock.Now())
	journals, err := w.shelf.Journals(last(book))
	if err != nil {
		return nil, err
	}
	if next.Journals = book.Journals; len(journals) > 0 {
		// The newest name is enough: names ascend, and all before it are in the book as well.
		next.Journals = journals[len(journals)-1:]
	}
	return next, w.shelf.WriteBook(next)
}

// counted shows in the progress what is fetched.
type counted struct{ *feedcrawl.Shelf }

// Exchange keeps a request and its answer.
func (c counted) Exchange(x *fetch.Exchange, n feedcrawl.Note) error {
	cli.Live.Captures.Add(1)
	return c.Shelf.Exchange(x, n)
}

// printPlan prints what would be visited when. It touches nothing: dir is the shelf's folder, which need not be there.
func (w *crawler) printPlan(ctx context.Context, dir folder.Folder) error {
	book, err := feedcrawl.BookIn(dir)
	if err != nil {
		return err
	}
	now := w.clock.Now()
	due := now
	if !w.until.IsZero() {
		// With --until the plan is of the whole crawl, and not of its first round.
		due = w.until
	}
	// The end only has to lie after what is due: nothing is fetched by it.
	c, err := w.begin(ctx, book, due, due.Add(onceFor))
	if err != nil {
		return err
	}
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	visits := c.Planned()
	for i, v := range visits {
		// A feed without a time is due now: a date in the past would puzzle who reads the plan.
		at := later(v.Due, now).UTC()
		if _, err := fmt.Fprintf(t, "%s\t%s\t%s\n", at.Format(time.RFC3339), v.Kind, v.URL); err != nil {
			return err
		}
		visits[i].Due = at
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(&b, "%s requests are planned until %s, beside those for robots.txt and for items that are not known yet\n",
		cli.FormatCount(int64(len(visits))), due.UTC().Format(time.RFC3339))
	return cli.Answer(stdout, cli.AnswerPlan, struct {
		Until  time.Time         `json:"until"`
		Visits []feedcrawl.Visit `json:"visits"`
	}{due.UTC(), visits}, b.String())
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
