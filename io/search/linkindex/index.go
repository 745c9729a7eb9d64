package linkindex

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"sort"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/parquetfile"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/schemas"
)

// Index is the open index of a collection. Several goroutines may use it.
type Index struct {
	part   holdings.Part
	shards []schemas.Shard
	files  []*file // of the shards
}

// ErrStale means that a shard has no file, or an outdated one: Update makes it.
var ErrStale = errors.New("linkindex: the index is not complete")

// Open opens the files in dir for part, which is the whole collection. It returns ErrStale if one is missing.
func Open(dir string, part holdings.Part) (*Index, error) {
	x := &Index{part: part, shards: part.Of(holdings.KindLinks)}
	for _, s := range x.shards {
		f, err := openFile(filepath.Join(dir, nameOf(s)))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%w: %w", ErrStale, err), x.Close())
		}
		x.files = append(x.files, f)
		if !f.header.is(s) {
			return nil, errors.Join(fmt.Errorf("%w: %s is of another shard", ErrStale, f.f.Name()), x.Close())
		}
	}
	return x, nil
}

// Close closes the files.
func (x *Index) Close() error {
	var errs []error
	for _, f := range x.files {
		errs = append(errs, f.f.Close())
	}
	x.files = nil
	return errors.Join(errs...)
}

// Ref names links of a page in a shard.
type Ref struct {
	shard int
	First uint32 // row
	Rows  uint32 // number of links
	Key   uint64 // of the capture
	SURT  uint64 // hash of the page's SURT
	Time  int64  // of the capture, in microseconds
}

func refOf(shard int, r record) Ref {
	return Ref{shard: shard, First: r.first, Rows: r.rows, Key: r.key, SURT: r.surt, Time: r.micros}
}

// From returns the captures with links that have a SURT, in the order of the shards. Each Ref names all links of one.
func (x *Index) From(surt string) (list []Ref, err error) {
	hash := hashOf(surt)
	for i, f := range x.files {
		numbers, err := f.find(sources, hash)
		if err != nil {
			return nil, err
		}
		for _, n := range numbers {
			r, err := f.record(int(n))
			if err != nil {
				return nil, err
			}
			list = append(list, refOf(i, r))
		}
	}
	return list, nil
}

// Into returns the links to a SURT, in the order of the shards, up to a number. Each Ref names one link. The result
// more means that there are further links.
func (x *Index) Into(ctx context.Context, surt string, most int) (list []Ref, more bool, err error) {
	hash := hashOf(surt)
	for i, f := range x.files {
		rows, err := f.find(inverse, hash)
		if err != nil {
			return nil, false, err
		}
		for k, row := range rows {
			if len(list) == most {
				return list, true, nil
			}
			if k%1024 == 0 && ctx.Err() != nil {
				return nil, false, ctx.Err()
			}
			r, err := f.pageOf(row)
			if err != nil {
				return nil, false, err
			}
			one := refOf(i, r)
			one.First, one.Rows = row, 1
			list = append(list, one)
		}
	}
	return list, false, nil
}

// pageOf returns the page with a row.
func (x *file) pageOf(row uint32) (r record, err error) {
	n := sort.Search(x.records(), func(i int) bool {
		p, failed := x.record(i)
		err = errors.Join(err, failed)
		return p.first > row
	})
	if err == nil {
		r, err = x.record(n - 1)
	}
	return r, err
}

// Page is a capture with links.
type Page struct {
	Ref
	Host  string
	Year  int // of the capture; 0 if unknown
	hosts []string
	data  []byte // of its targets
}

// Names are the hosts of all pages of the page's shard. They are one list as long as the shard is the same.
func (p *Page) Names() []string { return p.hosts }

// Hosts yields the hosts on the web that the page links to, with the number of links. A host that is the page's own is
// one of them.
func (p *Page) Hosts() iter.Seq2[string, Places] {
	return func(yield func(string, Places) bool) {
		for i, to := range p.Targets() {
			if !yield(p.hosts[i], to) {
				return
			}
		}
	}
}

// Targets is Hosts by the numbers in Names.
func (p *Page) Targets() iter.Seq2[int, Places] {
	return func(yield func(int, Places) bool) {
		data := p.data
		next := func() uint64 {
			n, size := binary.Uvarint(data)
			data = data[max(size, 0):]
			return n
		}
		for n := next(); n > 0 && len(data) > 0; n-- {
			id := next()
			to := Places{uint32(next()), uint32(next()), uint32(next())}
			if id < uint64(len(p.hosts)) && !yield(int(id), to) {
				return
			}
		}
	}
}

// Pages yields all captures with links, in the order of the shards. A Page is valid until the next one.
func (x *Index) Pages(ctx context.Context) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		for i, f := range x.files {
			list, err := f.all()
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for n := range f.records() {
				r := parseRecord(list.pages[n*pageBytes:])
				if r.targets > uint64(len(list.targets)) || uint64(r.host) >= uint64(len(list.names)) {
					yield(nil, fmt.Errorf("%s: %w: page %d", f.f.Name(), ErrDamaged, n))
					return
				}
				p := &Page{
					Ref: refOf(i, r), Host: list.names[r.host], Year: yearOf(r.micros), hosts: list.names,
					data: list.targets[r.targets:],
				}
				if !yield(p, nil) {
					return
				}
			}
		}
	}
}

// content is a file's content for graphs.
type content struct {
	names          []string // of hosts
	pages, targets []byte
}

func (x *file) all() (c content, err error) {
	names, err := x.load(hosts)
	if err == nil {
		c.pages, err = x.load(pages)
	}
	if err == nil {
		c.targets, err = x.load(targets)
	}
	for len(names) > 0 && err == nil {
		n, size := binary.Uvarint(names)
		if size <= 0 || n > uint64(len(names)-size) {
			return c, fmt.Errorf("%s: %w: names", x.f.Name(), ErrDamaged)
		}
		c.names = append(c.names, string(names[size:size+int(n)]))
		names = names[size+int(n):]
	}
	return c, err
}

// Links yields the links that Refs name, with their position in the list of Refs. They have no SURTs, hosts and
// domains: see parquetfile.LinkRows. It ends after an error.
func (x *Index) Links(ctx context.Context, refs []Ref) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		var open *openShard
		defer func() { open.close() }()
		for i, r := range refs {
			err := ctx.Err()
			if err == nil && (open == nil || open.number != r.shard) {
				open.close()
				open, err = x.openShard(r.shard)
			}
			if err != nil {
				yield(Found{}, err)
				return
			}
			more := true
			err = open.rows.Read(int64(r.First), int64(r.Rows), func(l schemas.Link) bool {
				more = yield(Found{l, i}, nil)
				return more
			})
			if err != nil {
				yield(Found{}, fmt.Errorf("%s: %w", x.shards[r.shard].Name, err))
			}
			if err != nil || !more {
				return
			}
		}
	}
}

// Found is a link, with the number of its Ref.
type Found struct {
	schemas.Link
	Ref int
}

// openShard is a shard that is being read.
type openShard struct {
	number int
	file   folder.Reader
	rows   *parquetfile.LinkRows
}

func (x *Index) openShard(number int) (*openShard, error) {
	s := x.shards[number]
	in, err := x.part.Folder.Open(s.Name)
	if err != nil {
		return nil, err
	}
	o := &openShard{number: number, file: in}
	// Another size means that a run has replaced the shard.
	if in.Size() != s.Bytes {
		err = holdings.ErrChanged
	} else {
		o.rows, err = parquetfile.OpenLinkRows(in, in.Size())
	}
	if err != nil {
		o.close()
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return o, nil
}

func (o *openShard) close() {
	if o != nil {
		_ = o.file.Close() // it was only read
	}
}
