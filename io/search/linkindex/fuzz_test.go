package linkindex

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gleaner-web/gleaner/schemas"
)

// FuzzOpenFile: a file of the index with any bytes is refused or read without a panic, within its own size.
func FuzzOpenFile(f *testing.F) {
	m := newMaker("")
	for i, target := range []string{"a", "b", "a"} {
		l := schemas.Link{
			SURT: "example,a)/", URL: "http://a.example/", Host: "a.example",
			Timestamp: []string{"", "2020-01-01T00:00:00Z"}[i/2],
			Target:    "http://" + target + ".example/", TargetSURT: "example," + target + ")/", TargetHost: target + ".example",
		}
		if err := m.add(&l); err != nil {
			f.Fatal(err)
		}
	}
	m.end()
	name := filepath.Join(f.TempDir(), "x")
	out, err := os.Create(name)
	if err == nil {
		err = m.write(out, newHeader(schemas.Shard{Name: "links-x.parquet", Bytes: 1}))
	}
	if err != nil {
		f.Fatal(err)
	}
	if err := out.Close(); err != nil {
		f.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:headerBytes])
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "x"+suffix)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := openFile(name)
		if err != nil {
			return
		}
		defer func() { _ = x.f.Close() }() // it is only read
		for _, section := range []int{sources, inverse} {
			if list, err := x.find(section, hashOf("example,a)/")); err == nil && len(list) > len(data) {
				t.Errorf("%d numbers of %d bytes", len(list), len(data))
			}
		}
		_, _ = x.pageOf(1)
		c, err := x.all()
		if err != nil {
			return
		}
		for n := range x.records() {
			r := parseRecord(c.pages[n*pageBytes:])
			if r.targets <= uint64(len(c.targets)) {
				p := &Page{hosts: c.names, data: c.targets[r.targets:]}
				for range p.Hosts() {
					continue
				}
			}
		}
	})
}
