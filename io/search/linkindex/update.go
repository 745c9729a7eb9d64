package linkindex

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/search/shardfile"
	"github.com/gleaner-web/gleaner/schemas"
)

// Report is the result of Update.
type Report struct {
	Shards        int // of links in the collection
	Made, Removed int
	Bytes         int64 // of all files
}

const suffix = ".links"

func nameOf(s schemas.Shard) string { return strings.TrimSuffix(s.Name, holdings.ExtParquet) + suffix }

// Update brings the files in dir up to date with part, which is the whole collection. It can be interrupted at any
// moment, and several processes may update at the same time.
func Update(ctx context.Context, dir string, part holdings.Part) (r Report, err error) {
	shards := part.Of(holdings.KindLinks)
	r.Shards = len(shards)
	if len(shards) > 0 {
		err = os.MkdirAll(dir, 0o755)
	}
	wanted := map[string]bool{}
	for _, s := range shards {
		if err != nil {
			return r, err
		}
		wanted[nameOf(s)] = true
		path := filepath.Join(dir, nameOf(s))
		if !current(path, s) {
			err = shardfile.Create(path, func(f *os.File) error { return write(ctx, f, part, s, dir) })
			if err == nil {
				r.Made++
			}
		}
	}
	if err != nil {
		return r, err
	}
	if r.Removed, err = shardfile.Sweep(dir, suffix, wanted); err != nil {
		return r, err
	}
	for name := range wanted {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return r, err
		}
		r.Bytes += info.Size()
	}
	return r, nil
}

// Remove removes the files.
func Remove(dir string) error { return os.RemoveAll(dir) }

// current reports whether the file of a shard is up to date.
func current(path string, s schemas.Shard) bool {
	x, err := openFile(path)
	if err != nil {
		return false
	}
	_ = x.f.Close() // it was only read
	return x.header.is(s)
}

// Check compares the files with what Update would make of part, and returns the names of those that differ. Missing and
// outdated files are not among them: Update makes them.
func Check(ctx context.Context, dir string, part holdings.Part) (problems []string, err error) {
	for _, s := range part.Of(holdings.KindLinks) {
		path := filepath.Join(dir, nameOf(s))
		x, err := openFile(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case errors.Is(err, ErrDamaged):
			problems = append(problems, nameOf(s)+": damaged")
			continue
		case err != nil:
			return nil, err
		}
		outdated := !x.header.is(s)
		_ = x.f.Close() // it was only read
		if outdated {
			continue
		}
		same, err := compare(ctx, path, part, s)
		if err != nil {
			return nil, err
		}
		if !same {
			problems = append(problems, nameOf(s)+": not as its shard says")
		}
	}
	return problems, nil
}

// compare makes the file of a shard again, and reports whether it has the same bytes.
func compare(ctx context.Context, path string, part holdings.Part, s schemas.Shard) (same bool, err error) {
	temp, err := os.CreateTemp("", "linkindex-*")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, temp.Close(), os.Remove(temp.Name())) }()
	if err := write(ctx, temp, part, s, ""); err != nil {
		return false, err
	}
	if _, err := temp.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	have, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = have.Close() }() // it is only read
	return equal(temp, have)
}

// equal reports whether two streams have the same bytes.
func equal(a, b io.Reader) (bool, error) {
	one, other := make([]byte, 1<<16), make([]byte, 1<<16)
	for {
		n, err := io.ReadFull(a, one)
		m, errB := io.ReadFull(b, other)
		if !bytes.Equal(one[:n], other[:m]) {
			return false, nil
		}
		for _, e := range []error{err, errB} {
			if e != nil && !errors.Is(e, io.EOF) && !errors.Is(e, io.ErrUnexpectedEOF) {
				return false, fmt.Errorf("linkindex: %w", e)
			}
		}
		if err != nil || errB != nil {
			return true, nil
		}
	}
}
