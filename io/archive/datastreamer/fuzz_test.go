package datastreamer_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/datastreamer"
	"github.com/gleaner-web/gleaner/io/archive/payload"
)

// FuzzDecode: a record that was read comes back from JSON and from a capture without loss.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		specSample, one, two, `{"type":1,"html_blob":"eJwDAAAAAAE=","lang":null}`,
		`{"main":"a","likes":-0,"categories":{"x":1e300}}`,
		`{"extract":"\u0000\ud800","date_found":"9999-12-31T23:59:59-23:00"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, _, err := datastreamer.Decode(b)
		if err != nil {
			return
		}
		line, err := datastreamer.Append(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := datastreamer.Decode(line)
		if err != nil {
			return // what it has is empty, and left out
		}
		second, err := datastreamer.Append(nil, again)
		if err != nil || !bytes.Equal(line, second) {
			t.Errorf("%q is written again as %q, %v", line, second, err)
		}
		page := datastreamer.Capture(again, payload.Options{MaxBody: 1 << 20})
		back := datastreamer.FromCapture(page)
		if again.Title != back.Title || again.Type != back.Type || again.Lang != back.Lang ||
			!cmp.Equal(again.Likes, back.Likes) || !cmp.Equal(again.Tags, back.Tags) {
			t.Errorf("%q comes back as %+v", line, back)
		}
	})
}

// FuzzFrames: files of any form are read to their end, and every byte is accounted for.
func FuzzFrames(f *testing.F) {
	for _, seed := range []string{
		one + "\n" + two, "[" + one + "," + two + "]", `{"headers":{},"content":[` + one + `]}`,
		pretty(specSample),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		size := int64(len(b))
		r, err := archive.NewReader(bytes.NewReader(b), archive.Input{Name: "a", Size: size, End: size},
			archive.Format{Name: "content"}, archive.Options{MaxBody: 1 << 16})
		if err != nil {
			t.Skip("no reader takes this: ", err)
		}
		defer r.Close()
		n := int64(0)
		for c, err := range r.Captures() {
			if err != nil {
				t.Fatal(err)
			}
			if n++; c.Origin.Offset < 0 || c.Origin.Offset+c.Origin.Length > size {
				t.Errorf("origin %+v in a file of %d bytes", c.Origin, size)
			}
		}
		if k := r.Counts(); k.BytesRead != size || k.BytesLost > size || k.Captures != n {
			t.Errorf("counts %+v of %d captures in %d bytes", k, n, size)
		}
	})
}

// FuzzTokenize: it does not panic, and a resource is not much longer than its URL, of which bytes that are not UTF-8
// become U+FFFD.
func FuzzTokenize(f *testing.F) {
	for _, seed := range []string{
		"http://www.cnn.com/index.html?x=1#f", "www.CNN.com", "http://s.com/?phpsessid=0e7&x=1",
		"a:b#c.default.", "http://[::1]:80/",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := datastreamer.Tokenize(s)
		if len(got) > 3*len(s)+len("http://") || strings.HasSuffix(got, "#") && !strings.Contains(s, "#") {
			t.Errorf("Tokenize(%q) = %q", s, got)
		}
		if h := datastreamer.Hashcode(got); len(h) != 27 {
			t.Errorf("Hashcode(%q) = %q", got, h)
		}
		_ = datastreamer.Domain(datastreamer.Site(s))
	})
}
