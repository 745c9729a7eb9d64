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

// crawler repeats rounds: it fetches due feeds and pages, ingests them, and updates the Source DB.
type crawler struct {
	config
	store  *blob.Store
	out    folder.Folder // the Source DB
	shelf  *feedcrawl.Shelf
	clock  fetch.Clock
	client *fetch.Client
	until  time.Time // zero for one round
	total  feedcrawl.Counts
}

// simulate lets tests of this package change hosts and clock.
var simulate func(o *fetch.Options)

const (
	// onceFor limits a single round without --until. It waits at most patience for resting hosts, and then leaves
	// them to another run. A robots.txt may ask for pauses as long.
	onceFor  = 24 * time.Hour
	patience = time.Minute
	// pageTime limits one answer.
	pageTime = 10 * time.Minute
)

// crawl visits feeds once, or repeatedly until the time of --until.
func (c config) crawl(ctx context.Context, store *blob.Store, out folder.Folder) (n feedcrawl.Counts, err error) {
	o := c.crawling.fetch
	o.Clock = fetch.System
	if simulate != nil {
		simulate(&o)
	}
	// The crawl handles pauses and robots.txt itself, because it plans with them.
	o.IgnoreRobots = true
	w := &crawler{config: c, store: store, out: out, clock: o.Clock}
	// Negative means no delay; zero would be the client's default of a second.
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
		// A plan takes no lock and opens no shelf, so it can run beside a crawl.
		return n, errors.Join(w.printPlan(ctx, dir), w.client.Close(), dir.Close())
	}
	// Every crawl locks the Source DB first and the archives second.
	w.shelf, err = feedcrawl.OpenShelf(dir, c.crawling.archives, c.crawling.fileBytes)
	if errors.Is(err, folder.ErrBusy) {
		err = fmt.Errorf("--archives=%s: another crawl is writing to it: %w", c.crawling.archives, err)
	}
	if err != nil {
		return n, errors.Join(err, w.client.Close(), dir.Close())
	}
	defer func() { err = errors.Join(err, w.shelf.Close(), w.client.Close(), dir.Close()) }()
	// Again under the lock, since another crawl may have taken the folder meanwhile.
	if err = errors.Join(w.notAnothers(dir), w.shelf.SetOwner(w.owner())); err != nil {
		return n, err
	}
	// The deferred call closes the shelf before the client and the folder.
	if err = w.rounds(ctx); err == nil && w.total.Requests == 0 {
		w.total.Next, err = w.nextVisit(ctx)
	}
	return w.total, err
}

// nextVisit returns when the first request of any feed is due, or the zero time if none will be.
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

// owner returns the absolute name of the collection that the crawl is for.
func (w *crawler) owner() string {
	if blob.IsRemote(w.collections[0]) {
		return secret.Redact(w.collections[0]) // the name is stored
	}
	return absolute("", w.collections[0])
}

// notAnothers refuses a folder of archives of another collection's crawls: these archives would be ingested into this
// one.
func (w *crawler) notAnothers(dir folder.Folder) error {
	name, err := feedcrawl.OwnerIn(dir)
	if err != nil || name == "" || name == w.owner() {
		return err
	}
	return cli.Usagef("--archives=%s has the archives of crawls for the collection %s: name another folder, or that "+
		"collection. If it was moved, remove the file %s", w.crawling.archives, schemas.Printable(name),
		dir.Path(feedcrawl.OwnerFile))
}

// crawlAndSay crawls and prints a summary.
func (c config) crawlAndSay(ctx context.Context, store *blob.Store, out folder.Folder) error {
	n, err := c.crawl(ctx, store, out)
	if err != nil {
		return err
	}
	// A crawl that knows no feeds makes no Source DB.
	if _, err := sourcedb.ReadManifest(out); errors.Is(err, fs.ErrNotExist) {
		return cli.Usagef("no feed is known: name a collection that has some with --collection, or feeds with --feeds")
	}
	return crawlSummary(stdout, n)
}

// rounds crawls until the end. It first ingests what an earlier process has fetched.
func (w *crawler) rounds(ctx context.Context) error {
	book, err := w.shelf.Book()
	if err != nil {
		return err
	}
	if err := w.settle(ctx, book); err != nil {
		return err
	}
	for {
		// The clock has moved since the last round, so each round has its own limits.
		due, end := w.bounds()
		if book, err = w.round(ctx, book, due, end); err != nil {
			return err
		}
		// Settling before the pause adds new captures to the collection as soon as possible.
		if err := w.settle(ctx, book); err != nil {
			return err
		}
		// A round that ended at --until is the last.
		if w.until.IsZero() || !end.Before(w.until) {
			return nil
		}
		// A round may end early because of its budget or lack of work. Sleep returns at once if the time has passed.
		if err := w.clock.Sleep(ctx, end.Sub(w.clock.Now())); err != nil {
			return err
		}
	}
}

// bounds returns the latest due time of feeds in this round, and its end. Rounds end at multiples of their length, so
// that a restarted process keeps the same ends.
func (w *crawler) bounds() (due, end time.Time) {
	now := w.clock.Now()
	if w.until.IsZero() {
		// A single round fetches feeds that are due now, within a day.
		return now, now.Add(onceFor)
	}
	if end = now.Truncate(w.crawling.round).Add(w.crawling.round); w.until.Before(end) {
		end = w.until
	}
	return end, end
}

// last returns the newest journal of a book.
func last(b *feedcrawl.Book) string {
	if len(b.Journals) == 0 {
		return ""
	}
	return b.Journals[len(b.Journals)-1]
}

// begin makes a round from the book and the Source DB.
func (w *crawler) begin(ctx context.Context, book *feedcrawl.Book, due, end time.Time) (*feedcrawl.Crawl, error) {
	o := feedcrawl.Options{
		Fetch: w.client, Archive: counted{w.shelf}, Clock: w.clock, Agent: agentName, Due: due, End: end,
		Policy: w.options.Policy, Classes: w.crawling.classes, Feeds: w.crawling.feeds,
		HostDelay: w.crawling.fetch.HostDelay, Hosts: w.crawling.hosts, Budget: w.crawling.budget,
	}
	if w.until.IsZero() {
		// A single round does not wait for a host with a long pause.
		o.Patience = patience
	}
	c, err := feedcrawl.New(o)
	if err != nil {
		return nil, err
	}
	// Fill, Load and Know build on each other. The book has finished feeds and open pages, the Source DB adds due
	// visits, and Know adds feeds that are in neither.
	c.Fill(book)
	m, err := sourcedb.ReadManifest(w.out)
	if err == nil {
		err = c.Load(ctx, w.out, m, book)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil // the Source DB does not exist yet
	}
	// After an error the caller drops the round.
	c.Know(book, w.crawling.feeds...)
	return c, err
}

// round fetches and writes the new book.
func (w *crawler) round(ctx context.Context, book *feedcrawl.Book, due, end time.Time) (*feedcrawl.Book, error) {
	c, err := w.begin(ctx, book, due, end)
	if err != nil {
		return nil, err
	}
	// Replay first: a killed round continues from the answers in its journal.
	if err := w.shelf.Replay(last(book), c.Replay); err != nil {
		return nil, err
	}
	if n := c.Counts().Replayed; n > 0 {
		slog.Info(fmt.Sprintf("continuing a round; %d requests are done", n))
		c.Rest()
	}
	progress := cli.StartProgress(&cli.Live, 0)
	err = c.Run(ctx)
	// Stop first, or the progress bar would mix with the message.
	progress.Stop()
	if err != nil {
		return nil, err
	}
	// The journal is completed before the book names it, so that a killed round replays to the same result.
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
		// Names ascend, so the newest stands for all.
		next.Journals = journals[len(journals)-1:]
	}
	return next, w.shelf.WriteBook(next)
}

// counted adds exchanges to the progress.
type counted struct{ *feedcrawl.Shelf }

// Exchange stores a request and its answer.
func (c counted) Exchange(x *fetch.Exchange, n feedcrawl.Note) error {
	cli.Live.Captures.Add(1)
	return c.Shelf.Exchange(x, n)
}

// printPlan prints the planned visits and changes nothing. dir, the shelf's folder, may not exist.
func (w *crawler) printPlan(ctx context.Context, dir folder.Folder) error {
	book, err := feedcrawl.BookIn(dir)
	if err != nil {
		return err
	}
	now := w.clock.Now()
	due := now
	if !w.until.IsZero() {
		// With --until the plan covers the whole crawl.
		due = w.until
	}
	// Nothing is fetched, so any later end will do.
	c, err := w.begin(ctx, book, due, due.Add(onceFor))
	if err != nil {
		return err
	}
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	visits := c.Planned()
	for i, v := range visits {
		// Feeds without a time are due now.
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
