package view

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"time"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/pipelines/server/access"
	"github.com/gleaner-web/gleaner/pipelines/server/form"
	"github.com/gleaner-web/gleaner/pipelines/server/jobs"
	"github.com/gleaner-web/gleaner/pipelines/server/saved"
	"github.com/gleaner-web/gleaner/pipelines/server/shelf"
	"github.com/gleaner-web/gleaner/pipelines/server/statement"
	"github.com/gleaner-web/gleaner/pipelines/server/thumbnail"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Options are the options of views; the zero value is the default.
type Options struct {
	// Replay is the address of a replay tool, or "". It contains {timestamp} (14 digits) and {url}, which are replaced
	// by those of a capture. If it is set, the page of each capture has a link to it.
	Replay string
	// Replays means that the server itself replays pages, without scripts.
	Replays bool
	// Store opens archives, for HTTP headers and records. Archives is the folder where they are looked up first; ""
	// means the place where they were read.
	Store    *blob.Store
	Archives string
	// Sources is the Source DB, or nil.
	Sources *shelf.Sources
	// Jobs are the jobs of the server, or nil. Forms are their forms. Inputs is the folder in which they can name
	// archives, or "". Exports is the folder in which they write files.
	Jobs    *jobs.Queue
	Forms   form.Set
	Inputs  string
	Exports string
	// Thumbnails makes and keeps thumbnails of images, or is nil.
	Thumbnails *thumbnail.Store
	// Access has the rules of access, or is nil if all readers see everything.
	Access *access.File
	// Statements answers SQL.
	Statements *statement.Runner
	// Saved keeps the searches of users, or is nil.
	Saved *saved.Store
	// Now is the clock, which tests set.
	Now func() time.Time
}

// Views are the functions that make the content of pages. Several goroutines may use them.
type Views struct {
	shelf *shelf.Shelf
	o     Options
	// beside has one place, for a search that counts while it lists. With many searches at once, each has only a share
	// of a processor, and would just need twice the memory.
	beside chan struct{}
	turns  turns // of searches, and of requests for an address

	statements *statements // kept answers of SQL
	graphs     *graphs     // kept graphs of hosts

	countTime, findTime time.Duration // see read
}

// New makes the views of the collections of a shelf.
func New(s *shelf.Shelf, o Options) *Views {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Views{
		shelf: s, o: o, beside: make(chan struct{}, 1), turns: newTurns(), countTime: countTime, findTime: findTime,
		statements: &statements{}, graphs: &graphs{most: graphsBytes},
	}
}

// Frame returns the surroundings of a page.
func (v *Views) Frame(ctx context.Context, name string) Frame {
	f := Frame{Actor: ActorOf(ctx), Replay: v.o.Replay != ""}
	f.Partly = v.NeedWhole(ctx) != nil
	f.HasSources = v.o.Sources != nil && !f.Partly
	f.Saves = v.o.Saved != nil && f.Actor.Role >= Viewer && !f.Actor.Visitor
	f.Collections = v.NamesFor(ctx)
	if c := v.named(ctx, name); c != nil {
		f.Collection = c.Name()
		_, release, ok := c.Hold()
		if f.Empty = !ok; ok {
			release()
		}
	}
	return f
}

// open returns the current state of a collection, which is held until release is called. The role is checked here, so
// that no view of a collection can forget it.
func (v *Views) open(
	ctx context.Context, name string,
) (c *shelf.Collection, now *shelf.Snapshot, release func(), err error) {
	if err := Need(ctx, Viewer); err != nil {
		return nil, nil, nil, err
	}
	if c = v.named(ctx, name); c == nil {
		e := notFound("There is no collection of this name", "See the collections: GET /api/v1/collections.")
		e.Link = "/"
		return nil, nil, nil, e
	}
	// Callers must release: an old snapshot stays in memory until then.
	now, release, ok := c.Hold()
	if ok {
		// An error must not show more than the rules do.
		may := v.may(ctx, c.Name())
		if now, err = now.Limited(ctx, may.Key, may.Limits); err != nil {
			release()
			return nil, nil, nil, ruled(err)
		}
		return c, now, release, nil
	}
	// Without a snapshot, the folder is either empty or cannot be read; the user learns which.
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

// answer returns the collection's name and the state of its index. Took is set by finish.
func answer(c *shelf.Collection) Answer {
	st := c.State()
	return Answer{
		Collection: c.Name(),
		Index:      IndexState{Ready: st.Ready, Stale: st.Stale, Shards: st.Shards, Note: st.Note, Err: st.Err},
	}
}

// since returns the elapsed milliseconds, rounded to a hundredth.
func (v *Views) since(start time.Time) float64 {
	return float64(v.o.Now().Sub(start).Microseconds()/10) / 100
}

// changed converts the error of a shard that does not match the manifest. Either a run has just replaced it, and the
// next look notices that, or its folder was moved.
func changed(err error) error {
	if errors.Is(err, holdings.ErrChanged) {
		slog.Warn("a collection changed while it was read", "error", err)
		return &Error{
			Kind: NotReady, Title: "The collection is changing", Detail: "A run has just replaced the shards of this request.",
			Remedy: "Try again in a few seconds.", Retry: 5,
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		slog.Error("a file of a collection is gone", "error", err)
		return &Error{
			Kind: NotReady, Title: "The collection cannot be read", Detail: "A file of it is missing.",
			Remedy: "Restore its folder, or start the server without it.", Retry: 60,
		}
	}
	if isLimit(err) {
		return &Error{Kind: Forbidden, Title: "This is for readers of everything", Detail: "Rules keep a part from you."}
	}
	if typed := (*query.TypeError)(nil); errors.As(err, &typed) {
		return invalid("query", "", typed.Error())
	}
	return err
}

// Open returns the current state of a collection, which is held until release is called. It is for interfaces to other
// tools, which are not views.
func (v *Views) Open(ctx context.Context, name string) (now *shelf.Snapshot, release func(), err error) {
	_, now, release, err = v.open(ctx, name)
	return now, release, err
}

// Snapshots returns the current snapshots, in the order of the collections, or nil for a collection without one.
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

// Renew checks the collections' folders, and reports whether any snapshot has changed. Folders in a bucket are only
// checked at their regular times, since each check is paid for.
func (v *Views) Renew(ctx context.Context, before []*shelf.Snapshot) (changed bool) {
	for i, c := range v.shelf.Collections() {
		if !blob.IsRemote(c.Path()) && c.Renew(ctx, before[i]) {
			changed = true
		}
	}
	return changed
}

// Store opens archives; it is nil if none are read.
func (v *Views) Store() *blob.Store { return v.o.Store }

// Replay is the address of the replay tool: see Options.
func (v *Views) Replay() string { return v.o.Replay }
