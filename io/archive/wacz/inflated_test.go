package wacz_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// TestReader_deflatedPackages reads packages that others deflate, one in the other too, and leaves no file after.
func TestReader_deflatedPackages(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	a, b := page("a", true), page("b", false)
	multi := entry{name: "datapackage.json", data: []byte(`{"profile": "multi-wacz-package"}`), deflate: true}
	one := packed(t, entry{name: "archive/a.warc.gz", data: a}, entry{name: "datapackage.json", data: []byte("{}")})
	other := packed(t, entry{name: "archive/b.warc", data: b, deflate: true},
		entry{name: "datapackage.json", data: []byte("{}")})
	both := packed(t, entry{name: "x/one.wacz", data: one, deflate: true},
		entry{name: "x/two.wacz", data: other, deflate: true}, multi)
	deep := both
	for range 5 {
		deep = packed(t, entry{name: "deep.wacz", data: deep, deflate: true}, multi)
	}
	wrong := func(at int) []byte {
		p := packed(t, entry{name: "one.wacz", data: one, deflate: true},
			entry{name: "two.wacz", data: other, deflate: true}, multi)
		p = bytes.Clone(p)
		p[bytes.Index(p, []byte("one.wacz"))+at] ^= 0x10
		return p
	}
	noise := make([]byte, 100)
	for i := range noise {
		noise[i] = byte(rand.New(rand.NewPCG(1, uint64(i))).Uint32())
	}
	tests := []struct {
		name, pages   string
		content       []byte
		lost, damaged bool
	}{
		{"two", "ab", both, false, false},
		{"streamed", "ab", packed(t, entry{name: "one.wacz", data: both, deflate: true, stream: true}, multi), false, false},
		{"one in the other", "ab", packed(t, entry{name: "in.wacz", data: both, deflate: true}, multi), false, false},
		{"beside one that is stored", "ab", packed(t, entry{name: "one.wacz", data: one},
			entry{name: "two.wacz", data: other, deflate: true}, multi), false, false},
		{"in a folder for archives", "ab", packed(t,
			entry{name: "archive/p.zip", data: both, deflate: true}, multi), false, false},
		{"another ZIP file", "a", packed(t, entry{name: "archive/a.warc.gz", data: a}, entry{
			name: "docs.zip", deflate: true,
			data: packed(t, entry{name: "a.txt", data: []byte("text")}),
		}, multi), false, false},
		{
			"another that is called an archive", "a", packed(t, entry{name: "archive/a.warc.gz", data: a},
				entry{name: "archive/docs.zip", deflate: true, data: packed(t, entry{name: "a.txt", data: []byte("text")})}, multi),
			true, false,
		},
		{"too deep", "", deep, true, false},
		{"a bomb", "a", packed(t, entry{name: "archive/a.warc.gz", data: a}, entry{
			name: "bomb.wacz", deflate: true,
			data: append([]byte("PK\x03\x04"), make([]byte, 80<<20)...),
		}, multi), true, true},
		{"not whole", "b", wrong(200), true, true},
		{"noise behind its directory", "a", packed(t,
			entry{name: "one.wacz", deflate: true, data: append(bytes.Clone(one), noise...)}, multi), true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := read(t, tt.content)
			if urls := strings.Join(got.urls(), ""); urls != tt.pages && tt.name != "not whole" {
				t.Errorf("pages %q, want %q; rejects %v", urls, tt.pages, got.rejects)
			}
			var lost int64
			for _, r := range got.rejects {
				lost += r.Lost
			}
			if lost != got.counts.BytesLost || (lost > 0) != tt.lost || got.counts.BytesRead != int64(len(tt.content)) {
				t.Errorf("lost %d of %d bytes, and %d by rejects: %v",
					got.counts.BytesLost, got.counts.BytesRead, lost, got.rejects)
			}
			if damaged := got.counts.HasDamage(); damaged != tt.damaged {
				t.Errorf("damaged %v: %v", damaged, got.counts.ByQuirk)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}
