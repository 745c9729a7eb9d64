package index

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// Options of an index; the zero value takes the defaults.
type Options struct {
	// Dir is the folder of the index; "" for the collection's hidden folder or the user's cache folder.
	Dir string
	// VolumeRows is the number of versions after which further volumes are made; 20 million for 0. Each month has one,
	// or several if it has more versions.
	VolumeRows int64
	// CacheBytes is the memory that SQLite uses for a volume's writing connection; each reading connection has half as
	// much. 0 means 64 MiB. All volumes of a process share 3 times as much for columns, and twice as much for counted
	// values and orders of names. Each has a twelfth of it at least. Ten million versions have 170 MB of columns, and
	// some 100 MB of counted values. Bitmaps have a quarter, texts and search results an eighth each. The writer of the
	// first volume has 2.5 times as much.
	CacheBytes int64
	// MemoryBytes is what SQLite may take while the first volume is written. It sets CacheBytes; 0 leaves that as it is.
	MemoryBytes int64
	// Bound makes queries fail with ErrMoved after another process has brought the index to another state of the
	// collection.
	Bound bool
	// NoRevisits means that the collection's manifest counts no revisits, so that none are searched.
	NoRevisits bool
	// Caches are those of the index that was open before; nil for none.
	Caches *Caches

	limits limits
}

// limits are the numbers at which one way to an answer becomes more expensive than another, measured on a million rows.
// Only tests change them.
type limits struct {
	// few is how many candidates are cheaper to test singly than by another bitmap.
	few uint64
	// fewTexts is up to how many texts have their versions looked up singly; for more, all columns are read.
	fewTexts uint64
	// manyTexts is how many texts are read to find the versions that have a word. For more frequent words, candidates
	// are tested singly: in a million, at least one in twenty has the word.
	manyTexts int
	// fewTitles is how many titles are cheaper to read than to search for their words.
	fewTitles uint64
	// sortable is how many candidates are read at once and sorted here. More are taken in order from SQLite, by month
	// or by SURT, and filtered.
	sortable int
	// longestRun limits the candidates that are equal in the order and sorted here. SQLite sorts longer runs, on disk
	// if necessary.
	longestRun int
	// groupRows is the number of versions at which a group of shards is committed.
	groupRows int64
	// customRows limits the custom values of a shard, which are in memory until it is written, 28 bytes each.
	customRows int
	// pagesAtOnce limits the pages whose newest versions are searched at a time, 16 bytes each: 64 MB. More pages take
	// more passes over the columns.
	pagesAtOnce int64
	// namesInOrder limits the names of a kind of which the order is kept: 8 MB.
	namesInOrder int
}

var defaultLimits = limits{
	few: 256, fewTexts: 2000, manyTexts: 50_000, fewTitles: 1000, sortable: 4096, longestRun: 65_536,
	pagesAtOnce: 4 << 20, namesInOrder: 1 << 20, groupRows: 65_536, customRows: 8 << 20,
}

// SQLite's allocator only has sizes that are powers of 2, so it takes 64 KiB for 7 pages. That is 2.2 times what
// SQLite counts for its cache. Likewise for the terms that FTS5 collects.
const (
	cacheFactor = 2.2
	hashBytes   = 64 << 20
)

// cacheFor returns the CacheBytes with which a writer of the first volume takes so much memory. It has 2.5 times as
// much for its two databases.
func cacheFor(memory int64) int64 {
	return int64(float64(max(memory-hashBytes, memory/4)) / (2.5 * cacheFactor))
}

func (o Options) withDefaults() Options {
	if o.MemoryBytes > 0 {
		o.CacheBytes = cacheFor(o.MemoryBytes)
	}
	o.VolumeRows = cmp.Or(o.VolumeRows, 20_000_000)
	o.CacheBytes = cmp.Or(o.CacheBytes, 64<<20)
	if o.limits == (limits{}) {
		o.limits = defaultLimits
	}
	return o
}

// Index is the index of a collection. Several goroutines may call its methods, except for Update, Purge and Close.
type Index struct {
	options Options
	place   place
	volumes []*volume             // the first, and those of months
	damaged atomic.Pointer[error] // damage that a query found, so that Update makes the index again
	own     bool                  // options.Caches are closed with the index
}

// noted returns err, and records it if it means that the index is damaged.
func (x *Index) noted(err error) error {
	if errors.Is(err, ErrDamaged) {
		x.damaged.Store(&err)
	}
	return err
}

// Open opens the index of the collection in f. If there is none, or one that is damaged or of another version, Update
// makes it.
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

// errAsked is not damage, but a request to make the index again.
var errAsked = errors.New("index: it was asked for")

// isStale reports whether err means that the index must be made again.
func isStale(err error) bool {
	return errors.Is(err, errStale) || errors.Is(err, ErrDamaged) || errors.Is(err, errAsked)
}

// Dir returns the index's folder. why says why that is not in the collection, or why it cannot be written; otherwise it
// is "".
func (x *Index) Dir() (dir, why string) { return x.place.dir, x.place.away }

// open opens the existing volumes: all of them or none.
func (x *Index) open(ctx context.Context) error {
	if err := x.shut(); err != nil {
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
	if x.options.Caches == nil {
		x.options.Caches, x.own = &Caches{}, true
	}
	var dirs []string
	for _, name := range names {
		dirs = append(dirs, filepath.Join(x.place.dir, name))
	}
	x.options.Caches.only(dirs)
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
	err := x.shut()
	if x.own {
		x.options.Caches.Close()
		x.options.Caches, x.own = nil, false
	}
	return err
}

// shut closes the volumes. What the caches have is used when they are opened again.
func (x *Index) shut() error {
	var errs []error
	for _, v := range x.volumes {
		errs = append(errs, v.close())
	}
	x.volumes = nil
	return errors.Join(errs...)
}

var monthPattern = pattern.Lazy(`^(\d{4}-\d{2}|other)(\.\d+)?$`)

// otherName is the volume of shards whose first document has no time.
const otherName = "other"

// volumeNames returns the names of the volumes in a folder, sorted; the first volume is "".
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
		case e.IsDir() && monthPattern().MatchString(e.Name()):
			if ok, err := there(filepath.Join(dir, e.Name(), indexFile)); err != nil {
				return nil, err
			} else if ok {
				names = append(names, e.Name())
			}
		}
	}
	return names, nil
}
