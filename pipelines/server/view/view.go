package view

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/server/form"
	"github.com/gleaner-web/gleaner/pipelines/server/jobs"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Options of views; the zero value is the default.
type Options struct {
	// Replay is the address of a replay tool, in which {timestamp} (14 digits) and {url} stand for those of a capture; ""
	// for none.
	// The page of each capture has a link to it then.
	Replay string
	// Store opens archives, for HTTP heads and records, and Archives is the folder in which they are looked for first; ""
	// for where they were when they were read.
	Store    *blob.Store
	Archives string
	// Sources is the Source DB; nil for none.
	Sources *shelf.Sources
	// Jobs are the jobs of the server; nil for none. Forms are what can be asked of them. Inputs is the folder below which
	// they name archives, "" for none, and Exports the one in which they write files.
	Jobs    *jobs.Queue
	Forms   form.Set
	Inputs  string
	Exports string
	// Now is the clock, which tests set.
	Now func() time.Time
}

// Views are the functions that make what is shown. They are for several goroutines.
type Views struct {
	shelf *shelf.Shelf
	o     Options
	// beside has a place for a search that counts while it lists. There is one: of many searches at once each has a
	// processor's share, and would only take twice the memory.
	beside chan struct{}
	turns  turns // of searches, and of what is told of an address

	countTime, findTime time.Duration // see read
}

// New makes the views of the collections of a shelf.
func New(s *shelf.Shelf, o Options) *Views {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Views{
		shelf: s, o: o, beside: make(chan struct{}, 1), turns: newTurns(), countTime: countTime, findTime: findTime,
	}
}

// Frame is what surrounds a page.
func (v *Views) Frame(ctx context.Context, name string) Frame {
	f := Frame{Actor: ActorOf(ctx), Replay: v.o.Replay != "", HasSources: v.o.Sources != nil}
	for _, c := range v.shelf.Collections() {
		f.Collections = append(f.Collections, c.Name())
	}
	if c := v.shelf.Find(name); c != nil {
		f.Collection = c.Name()
		_, release, ok := c.Hold()
		if f.Empty = !ok; ok {
			release()
		}
	}
	return f
}

// open gives the collection of that name as it is now, until release is called.
// The role is asked for here, so that no view of a collection can forget it.
func (v *Views) open(
	ctx context.Context, name string,
) (c *shelf.Collection, now *shelf.Snapshot, release func(), err error) {
	if err := Need(ctx, Viewer); err != nil {
		return nil, nil, nil, err
	}
	if c = v.shelf.Find(name); c == nil {
		e := notFound("There is no collection of this name", "See the collections: GET /api/v1/collections.")
		e.Link = "/"
		return nil, nil, nil, e
	}
	// Whoever opens must release: an old snapshot stays in memory until then.
	now, release, ok := c.Hold()
	if ok {
		return c, now, release, nil
	}
	// No snapshot is either an empty folder or one that cannot be read: the asker is told which.
	e := &Error{
		Kind: NotReady, Title: "Nothing here yet", Detail: "No run has finished in this collection.",
		Remedy: "Run ingest with --output=" + c.Path() + ", or start a job.", Link: jobForm("ingest"), Retry: 10, Empty: true,
	}
	if bad := c.State().Err; bad != "" {
		e.Title, e.Detail, e.Remedy, e.Link = "The collection cannot be read", bad, "See the server's log.", ""
		e.Empty = false
	}
	return nil, nil, nil, e
}

// answer says which collection answered, and how far its index is. Took is set by finish.
func answer(c *shelf.Collection) Answer {
	st := c.State()
	return Answer{
		Collection: c.Name(),
		Index:      IndexState{Ready: st.Ready, Behind: st.Behind, Shards: st.Shards, Note: st.Note, Err: st.Err},
	}
}

// since is how many milliseconds have gone by, to a hundredth.
func (v *Views) since(start time.Time) float64 {
	return float64(v.o.Now().Sub(start).Microseconds()/10) / 100
}

// changed makes an error of the asker's of a shard that is not what the manifest says: a run that ends at this moment
// has replaced it, and the next look sees that; or its folder was moved away.
func changed(err error) error {
	if errors.Is(err, holdings.ErrChanged) {
		slog.Warn("a collection changed while it was read", "error", err)
		return &Error{
			Kind: NotReady, Title: "The collection is changing", Detail: "A run has just replaced the shards of this request.",
			Remedy: "Try again in some seconds.", Retry: 5,
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		slog.Error("a file of a collection is gone", "error", err)
		return &Error{
			Kind: NotReady, Title: "The collection cannot be read", Detail: "A file of it is missing.",
			Remedy: "Restore its folder, or start the server without it.", Retry: 60,
		}
	}
	if typed := (*query.TypeError)(nil); errors.As(err, &typed) {
		return invalid("query", "", typed.Error())
	}
	return err
}

// Open gives a collection as it is now until release is called, for interfaces that are not views: those that other
// tools speak.
func (v *Views) Open(ctx context.Context, name string) (now *shelf.Snapshot, release func(), err error) {
	_, now, release, err = v.open(ctx, name)
	return now, release, err
}

// Snapshots are those that answers come from now, in the order of the collections; nil where there is none.
func (v *Views) Snapshots() []*shelf.Snapshot {
	var list []*shelf.Snapshot
	for _, c := range v.shelf.Collections() {
		now, release, ok := c.Hold()
		if ok {
			release()
		}
		list = append(list, now)
	}
	return list
}

// Renew looks at the collections' folders, and reports whether there are other snapshots than before. Those in a bucket
// are only looked at in their turn, since each look is paid for.
func (v *Views) Renew(ctx context.Context, before []*shelf.Snapshot) (changed bool) {
	for i, c := range v.shelf.Collections() {
		if !blob.IsRemote(c.Path()) && c.Renew(ctx, before[i]) {
			changed = true
		}
	}
	return changed
}

// Store opens archives; nil where none are read.
func (v *Views) Store() *blob.Store { return v.o.Store }

// Replay is the address of the replay tool: see Options.
func (v *Views) Replay() string { return v.o.Replay }

// Names are the names of the collections.
func (v *Views) Names() (names []string) {
	for _, c := range v.shelf.Collections() {
		names = append(names, c.Name())
	}
	return names
}
