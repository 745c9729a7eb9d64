package warc

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/mend"
	"github.com/gleaner-web/gleaner/io/archive/record"
)

// checkSound compares a head that isSound accepts with what mendHead makes of it.
func checkSound(t *testing.T, b []byte) (sound bool) {
	t.Helper()
	var h record.Head
	size := parse(&h, b, true)
	if size == 0 || !isSound(&h, b[:size]) {
		return false
	}
	want, mended := record.Head{}, bytes.Clone(b[:size])
	parse(&want, mended, true)
	if n := mendHead(&want, mended); n != size || !bytes.Equal(mended, b[:size]) || want.Damaged {
		t.Errorf("mendHead makes %q of %q, damaged: %v", mended[:n], b[:size], want.Damaged)
	}
	if diff := cmp.Diff(want, h); diff != "" {
		t.Errorf("%q (-mended +sound):\n%s", b[:size], diff)
	}
	return true
}

// TestMendHead_leavesSoundHeads takes each known name with each type and version.
func TestMendHead_leavesSoundHeads(t *testing.T) {
	for _, version := range []string{"WARC/0.9", "WARC/1.0", "WARC/0.18", "WARC/1.1", "WARC/7.4"} {
		for _, kind := range types {
			for _, name := range names[1:] {
				for _, before := range []string{"", "WARC-Target-URI: http://a.example/\r\n"} {
					head := version + "\r\n" + before + name + ": x\r\nWARC-Type: " + kind + "\r\n\r\n"
					if !checkSound(t, []byte(head)) {
						t.Errorf("%q is not sound", head)
					}
				}
			}
		}
	}
}

// TestIsSound_refuses takes heads that mendHead has to look at.
func TestIsSound_refuses(t *testing.T) {
	for _, head := range []string{
		"WARC/1.0\r\nWARC-Type: warcinfo\nWARC-Date: x\r\n\r\n",
		"WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: x\ry\r\n\r\n",
		"WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Datf: x\r\n\r\n",
		"WARC/1.0\r\nWARC-Type: warcinfp\r\nWARC-Date: x\r\n\r\n",
		"WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date:x\r\n\r\n",
		"WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Target-URI: http://a.exa\r\nmple/\r\n\r\n",
		"WARC/1.0\nWARC-Type: warcinfo\r\nWARC-Date: x\r\n\r\n",
		"WARC/1.0\r\nWARC-Date: x\r\n\r\n",
		"WARC/1,0\r\nWARC-Type: warcinfo\r\n\r\n",
		"WARC/1.0 \r\nWARC-Type: warcinfo\r\n\r\n",
		"WARC/1.0\r\r\nWARC-Type: warcinfo\r\n\r\n",
		"WARC/1.0\r\nWARC-Type: warcinfo\r\n\n",
	} {
		if checkSound(t, []byte(head)) {
			t.Errorf("%q is sound", head)
		}
	}
}

// slowNames is mendNames as it says: it looks through the whole head for each line.
func slowNames(b []byte) (changed bool) {
	for at := 0; at >= 0 && at < len(b); {
		line, next := cutLine(b, at)
		i, near, ok := nameOf(line)
		if near && !bytes.Contains(b, []byte("\n"+names[i]+":")) {
			copy(line, names[i]+":")
			changed = true
		}
		if ok {
			changed = mendBlank(names[i], line[len(names[i])+1:]) || changed
		}
		at = next
	}
	return changed
}

// slowRename is rename in the same way.
func slowRename(h *record.Head) {
	for i := range h.Fields {
		for _, name := range names[:usual] {
			if mend.Edited(h.Fields[i].Name, name) && h.Get(name) == nil {
				h.Fields[i].Name = []byte(name)
			}
		}
	}
}

// TestMendNames_eachOnce: of several lines that are like a name, the first gets it, and none if the name is there.
func TestMendNames_eachOnce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		var b []byte
		for range 1 + rnd.IntN(7) {
			name := []byte(names[rnd.IntN(usual)])
			for range rnd.IntN(3) {
				name[rnd.IntN(len(name))] ^= 1 << rnd.IntN(6)
			}
			if rnd.IntN(4) == 0 {
				name = name[:len(name)-1]
			}
			b = fmt.Appendf(b, "%s:%sx%s", name, []string{" ", "", "\v", "!"}[rnd.IntN(4)], []string{"\r\n", "\n"}[rnd.IntN(2)])
		}
		got, want := bytes.Clone(b), bytes.Clone(b)
		if mendNames(got) != slowNames(want) || !bytes.Equal(got, want) {
			t.Fatalf("mendNames(%q) makes %q, want %q", b, got, want)
		}
		var h, other record.Head
		parse(&h, bytes.Clone(got), true)
		parse(&other, bytes.Clone(got), true)
		rename(&h)
		slowRename(&other)
		if diff := cmp.Diff(other.Fields, h.Fields); diff != "" {
			t.Fatalf("rename of %q (-want +got):\n%s", got, diff)
		}
	}
}

// TestMendHead_manyLines: heads of nearly 1 MiB, which took minutes. See BenchmarkGrammar_hostileHeads.
func TestMendHead_manyLines(t *testing.T) {
	for _, line := range []string{
		"WARC-Typd: x\r\n", "WARC-Typ: x\r\n", "WARC-Types: x\r\n", "warc-typd: x\n", "Content-Lengti: 1\r\n",
		"WARC-Target-URI: x\r\ny\r\n",
	} {
		b := hostileHead(line, 1<<20/len(line)-10)
		var h record.Head
		if size := (Grammar{}).Parse(&h, b, true); size == 0 || string(h.Get("Content-Length")) != "0" {
			t.Errorf("%q: %d of %d bytes, length %q", line, size, len(b), h.Get("Content-Length"))
		}
	}
}

// FuzzIsSound: what isSound accepts, mendHead leaves as it is.
func FuzzIsSound(f *testing.F) {
	f.Add([]byte("WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 3\r\n\r\n"))
	f.Add([]byte("WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Filename: \xff\vx\r\nContent-Length: 0\r\n\r\n"))
	for i, name := range names {
		f.Add([]byte("WARC/1.0\r\nWARC-Type: " + types[i%len(types)] + "\r\n" + name + ": 12\r\n\r\n"))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkSound(t, slices.Clip(b)) })
}
