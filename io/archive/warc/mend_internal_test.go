package warc

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// FuzzIsSound: what isSound accepts, mendHead leaves as it is.
func FuzzIsSound(f *testing.F) {
	f.Add([]byte("WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Target-URI: http://a.example/\r\nContent-Length: 3\r\n\r\n"))
	f.Add([]byte("WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Filename: \xff\vx\r\nContent-Length: 0\r\n\r\n"))
	for i, name := range names {
		f.Add([]byte("WARC/1.0\r\nWARC-Type: " + types[i%len(types)] + "\r\n" + name + ": 12\r\n\r\n"))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkSound(t, slices.Clip(b)) })
}
