package zipnum

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Index is an open cluster. It is safe for concurrent use. Files that are replaced later do not change it.
type Index struct {
	o     Options
	dir   string
	table *table
	parts map[string]*part
	cache *cache
}

// part is a file of blocks.
type part struct {
	name string // of the file
	file *os.File
	size int64
	err  error // why it cannot be read
}

// Open opens a cluster by its folder or by its .idx file. It reads the .idx file, and opens the parts.
func Open(name string, o Options) (*Index, error) {
	o = o.withDefaults()
	file, err := find(name)
	if err != nil {
		return nil, err
	}
	text, err := readFile(file, o.MaxIndex)
	if err != nil {
		return nil, err
	}
	x := &Index{o: o, dir: filepath.Dir(file), parts: map[string]*part{}, cache: newCache(o.Cache)}
	if x.table, err = parseTable(file, text); err != nil {
		return nil, err
	}
	if err := x.openParts(strings.TrimSuffix(file, filepath.Ext(file)) + ".loc"); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return x, nil
}

// Is reports whether name is an .idx file, or a folder with one.
func Is(name string) bool {
	_, err := find(name)
	return err == nil
}

// find returns the .idx file that name is, or that is in the folder of this name.
func find(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		if ext := filepath.Ext(name); ext == ".idx" || ext == ".summary" {
			return name, nil
		}
		return "", fmt.Errorf("%s: %w: its name does not end in .idx", name, ErrFormat)
	}
	list, err := filepath.Glob(filepath.Join(escape(name), "*.idx"))
	switch {
	case err != nil:
		return "", err
	case len(list) == 1:
		return list[0], nil
	case len(list) == 0:
		return "", fmt.Errorf("%s: %w: no .idx file in the folder", name, ErrFormat)
	}
	return "", fmt.Errorf("%s: %d .idx files in the folder: name one", name, len(list))
}

// escape makes a path a pattern that matches only it.
func escape(path string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(path)
}

func readFile(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s: %w: more than %d bytes", name, ErrLimit, limit)
	}
	return text, err
}

// maxLoc limits a .loc file, in bytes. Common Crawl's has 300 lines.
const maxLoc = 16 << 20

// openParts opens the parts that the table names. One that cannot be opened is an error only for its blocks.
func (x *Index) openParts(loc string) error {
	paths := map[string][]string{}
	text, err := readFile(loc, maxLoc)
	if err == nil {
		paths, err = parseLoc(loc, text)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for i := range x.table.lines {
		k := x.table.block(i)
		p := x.parts[k.Part]
		if p == nil {
			p = x.openPart(k.Part, paths[k.Part])
			x.parts[k.Part] = p
		}
		// Compared without a sum, which may overflow.
		if p.err == nil && (k.Offset > p.size || k.Length > p.size-k.Offset) {
			return fmt.Errorf("%s: line at byte %d: %w: bytes %d to %d of %s, which has %d", x.table.name, x.table.lines[i],
				ErrFormat, k.Offset, uint64(k.Offset)+uint64(k.Length), p.name, p.size)
		}
	}
	return nil
}

// maxParts limits the number of open files.
const maxParts = 1000

// openPart opens a part. Without paths, it lies beside the .idx file.
func (x *Index) openPart(name string, paths []string) *part {
	if len(paths) == 0 {
		paths = []string{name, name + ".gz"}
	}
	p := &part{name: name}
	if len(x.parts) >= maxParts {
		p.err = fmt.Errorf("%w: more than %d parts", ErrLimit, maxParts)
		return p
	}
	for _, path := range paths {
		if !filepath.IsLocal(filepath.FromSlash(path)) {
			p.err = fmt.Errorf("%s: %w: %.80q", x.table.name, ErrPath, path)
			continue
		}
		file := filepath.Join(x.dir, filepath.FromSlash(path))
		f, err := os.Open(file)
		if err != nil {
			p.err = err
			continue
		}
		info, err := f.Stat()
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s is not a regular file", file)
		}
		if err != nil {
			p.err = errors.Join(err, f.Close())
			continue
		}
		return &part{name: file, file: f, size: info.Size()}
	}
	return p
}

// Close closes the parts.
func (x *Index) Close() (err error) {
	for _, p := range x.parts {
		if p.file != nil {
			err = errors.Join(err, p.file.Close())
		}
	}
	return err
}

// Name returns the path of the .idx file.
func (x *Index) Name() string { return x.table.name }

// Blocks returns the number of blocks.
func (x *Index) Blocks() int { return len(x.table.lines) }

// Block returns the i-th block.
func (x *Index) Block(i int) Block { return x.table.block(i) }

// Lines yields the lines from key from on and before key to, in order, without line ends; "" as to is the end. The
// bytes are valid until the next line, and may not be changed. An error ends it. A block that is asked for again is
// kept decoded; another one is decoded as far as the range needs.
func (x *Index) Lines(from, to string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		begin, end := []byte(from), []byte(to)
		if len(x.table.lines) == 0 {
			return
		}
		for i := x.table.first(begin); i < len(x.table.lines); i++ {
			if to != "" && bytes.Compare(x.table.key(i), end) >= 0 {
				return
			}
			stopped, err := x.search(i, begin, end, yield)
			if err != nil {
				yield(nil, err)
			}
			if stopped || err != nil {
				return
			}
		}
	}
}

// search yields the lines of a block in a range, as scanBlock does.
func (x *Index) search(i int, begin, end []byte, yield func([]byte, error) bool) (stopped bool, err error) {
	b := x.cache.get(i)
	if b == nil && (x.o.Cache < minCache || !x.cache.often(i)) {
		return x.scanBlock(i, begin, end, yield)
	}
	if b == nil {
		if b, err = x.decode(i); err != nil {
			return true, err
		}
	}
	for n := b.from(begin); n < len(b.ends); n++ {
		line := b.line(n)
		if len(end) > 0 && bytes.Compare(line, end) >= 0 || !yield(line, nil) {
			return true, nil
		}
	}
	return false, nil
}

// minCache is less than a block: a smaller cache keeps nothing.
const minCache = 4 << 10

// Raw appends the compressed bytes of a block to buf.
func (x *Index) Raw(i int, buf []byte) ([]byte, error) {
	k := x.table.block(i)
	p := x.parts[k.Part]
	if p.err != nil {
		return buf, fmt.Errorf("%s: line at byte %d: part %s: %w", x.table.name, x.table.lines[i], k.Part, p.err)
	}
	if k.Length > int64(x.o.MaxBlock) {
		return buf, fmt.Errorf("%s: block at %d: %w: %d compressed bytes", p.name, k.Offset, ErrLimit, k.Length)
	}
	start := len(buf)
	buf = append(buf, make([]byte, k.Length)...)
	if _, err := p.file.ReadAt(buf[start:], k.Offset); err != nil {
		return buf[:start], fmt.Errorf("%s: block at %d: %w", p.name, k.Offset, err)
	}
	return buf, nil
}

// decode returns a block from the cache or the file.
func (x *Index) decode(i int) (*block, error) {
	if b := x.cache.get(i); b != nil {
		return b, nil
	}
	raw, _ := buffers.Get().(*[]byte)
	if raw == nil {
		raw = new([]byte)
	}
	defer buffers.Put(raw)
	var err error
	if *raw, err = x.Raw(i, (*raw)[:0]); err != nil {
		return nil, err
	}
	b, err := decodeBlock(*raw, x.o)
	if err == nil {
		err = b.check(x.table.key(i))
	}
	if err != nil {
		return nil, x.at(i, err)
	}
	x.cache.put(i, b)
	return b, nil
}

// buffers are compressed blocks.
var buffers sync.Pool

// BlockLines returns all lines of a block.
func (x *Index) BlockLines(i int) ([][]byte, error) {
	b, err := x.decode(i)
	if err != nil {
		return nil, err
	}
	list := make([][]byte, len(b.ends))
	for n := range list {
		list[n] = b.line(n)
	}
	return list, nil
}
