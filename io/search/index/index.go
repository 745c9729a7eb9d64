package index

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync/atomic"

	"github.com/gleaner-web/gleaner/io/storage/folder"
)

// Options of an index; the zero value is the default.
type Options struct {
	// Dir is where the index lives; "" for the hidden folder of the collection, or among the user's caches.
	Dir string
	// VolumeRows is above how many versions another volume is begun: one for each month. 0 for 20 million.
	VolumeRows int64
	// CacheBytes is how much of a volume SQLite keeps in memory for a connection that writes, and half as much for each
	// that reads. 0 for 64 MiB. Half as much again is for columns, a quarter each for bitmaps and for values that are
	// counted, and an eighth each for texts and for versions that were searched for, which all connections share; the
	// writer of the first volume has 2.5 times as much.
	CacheBytes int64
	// Bound has the index answer only as long as it is as Update has left it: ErrMoved when another process has brought
	// it to another state of the collection.
	Bound bool
	// NoRevisits says that the collection has no revisits, by its manifest, so that none are looked for.
	NoRevisits bool

	limits limits
}

// limits are the numbers at which one way to an answer becomes dearer than another, as measured on a million rows. They
// are the default but in tests.
type limits struct {
	// few is up to how many candidates it is cheaper to look at them than at another bitmap.
	few uint64
	// fewTexts is up to how many texts their versions are looked up one by one; of more all columns are read.
	fewTexts uint64
	// manyTexts is how many texts are read to find the versions that have a word. Of more frequent ones, candidates are
	// tried one by one: of these, one in twenty or more has the word where there are a million.
	manyTexts int
	// fewTitles is up to how many titles it is cheaper to read them than to search for their words.
	fewTitles uint64
	// sortable is how many candidates are read at once and sorted here. Of more, SQLite gives those of one month, or all
	// by SURT, in order, and what is not wanted is passed over.
	sortable int
	// longestRun bounds the candidates that an order leaves equal and that are sorted here. Of more, SQLite sorts them,
	// on the disk if need be.
	longestRun int
	// groupRows is at how many versions a group of shards is committed.
	groupRows int64
	// pagesAtOnce bounds the pages whose newest versions are looked for at a time: 16 bytes each, 64 MB. More pages take
	// more passes over the columns.
	pagesAtOnce int64
}

var defaultLimits = limits{
	few: 256, fewTexts: 2000, manyTexts: 50_000, fewTitles: 1000, sortable: 4096, longestRun: 65_536,
	pagesAtOnce: 4 << 20, groupRows: 65_536,
}

func (o Options) withDefaults() Options {
	o.VolumeRows = cmp.Or(o.VolumeRows, 20_000_000)
	o.CacheBytes = cmp.Or(o.CacheBytes, 64<<20)
	if o.limits == (limits{}) {
		o.limits = defaultLimits
	}
	return o
}

// Index is the index of a collection. Its methods may be called by several goroutines, except for Update, Purge and
// Close.
type Index struct {
	options Options
	place   place
	volumes []*volume             // the first, and those of months
	damaged atomic.Pointer[error] // what a question found, so that Update makes the index again
}

// noted is an error that a question gives, which is kept when it says that the index is damaged.
func (x *Index) noted(err error) error {
	if errors.Is(err, ErrDamaged) {
		x.damaged.Store(&err)
	}
	return err
}

// Open opens the index of the collection in f. There need not be one: Update makes it. What is of another version or
// damaged counts as not there.
func Open(ctx context.Context, f folder.Folder, o Options) (*Index, error) {
	p, err := placeOf(f, o)
	if err != nil {
		return nil, err
	}
	x := &Index{options: o.withDefaults(), place: p}
	if err := x.open(ctx); err != nil && !isStale(err) {
		return nil, errors.Join(err, x.Close())
	}
	return x, nil
}

// errAsked is not damage: somebody wants the index to be made again.
var errAsked = errors.New("index: it was asked for")

// isStale reports whether an error says that an index is to be made again.
func isStale(err error) bool {
	return errors.Is(err, errStale) || errors.Is(err, ErrDamaged) || errors.Is(err, errAsked)
}

// Dir is where the index lives. Why says why that is not in the collection's folder, or why nothing can be written
// there; "" when there is nothing to say.
func (x *Index) Dir() (dir, why string) { return x.place.dir, x.place.away }

// open opens the volumes that are there. When one cannot be opened, none is.
func (x *Index) open(ctx context.Context) error {
	if err := x.Close(); err != nil {
		return err
	}
	names, err := volumeNames(x.place.dir)
	if err != nil {
		return err
	}
	a := reading
	if x.place.frozen {
		a = frozen
	}
	for _, name := range names {
		v, err := openVolume(ctx, name, filepath.Join(x.place.dir, name), a, x.options)
		if err != nil {
			return errors.Join(err, x.Close())
		}
		x.volumes = append(x.volumes, v)
	}
	return nil
}

// Close closes the index. It may be called more than once.
func (x *Index) Close() error {
	var errs []error
	for _, v := range x.volumes {
		errs = append(errs, v.close())
	}
	x.volumes = nil
	return errors.Join(errs...)
}

var monthPattern = regexp.MustCompile(`^(\d{4}-\d{2}|other)$`)

// otherName is the volume of shards whose first document has no time.
const otherName = "other"

// volumeNames are the names of the volumes in a folder, sorted; the first one's is "".
func volumeNames(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		switch {
		case e.Name() == indexFile:
			names = append([]string{""}, names...)
		case e.IsDir() && monthPattern.MatchString(e.Name()):
			if ok, err := there(filepath.Join(dir, e.Name(), indexFile)); err != nil {
				return nil, err
			} else if ok {
				names = append(names, e.Name())
			}
		}
	}
	return names, nil
}
