package convert

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/io/archive/record"
	"github.com/gleaner-web/gleaner/io/archive/warc"
)

// gzipped returns a page in the content coding gzip.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func sha1Of(text string) string {
	sum := sha1.Sum([]byte(text))
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// written are the parts of a copied record that a revisit and its original must agree on.
type written struct{ Type, Digest, Block string }

// recordsOf lists the captures of the one WARC file in a folder of a conversion.
func recordsOf(t *testing.T, dir string) (list []written) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "warc", "*", "*.warc*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("files %q, %v", names, err)
	}
	b, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	r, err := warc.NewReader(bytes.NewReader(b), int64(len(b)), record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		if kind := warc.Type(&rec.Head); kind != "warcinfo" {
			list = append(list, written{kind, string(rec.Head.Get("WARC-Payload-Digest")), string(rec.Block)})
		}
	}
	return list
}

// TestConvert_revisits: a copy of a response keeps its block and its digest, so that revisits still find it. They have
// no record ID, as warcio, pywb and old crawlers write them.
func TestConvert_revisits(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	packed := gzipped(t, "<p>A page.")
	chunked := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(packed), packed)
	const coded = ok + "Content-Encoding: gzip\r\n"
	tests := []struct {
		name, head, body string
		digest           string // declared; "" if none is
		code             int
	}{
		{"gzip", coded + "\r\n", packed, sha1Of(packed), 0},
		{"chunks of gzip", coded + "Transfer-Encoding: chunked\r\n\r\n", chunked, sha1Of(packed), 0},
		{"digest of the chunks", coded + "Transfer-Encoding: chunked\r\n\r\n", chunked, sha1Of(chunked), 0},
		{"an interim response", "HTTP/1.1 100 Continue\r\n\r\n" + ok + "\r\n", "<p>x", sha1Of(ok + "\r\n<p>x"), 0},
		{"a blank line too many", ok + "Content-Length: 4\r\n\r\n", "\r\n<p>x", sha1Of("\r\n<p>x"), 0},
		{"another algorithm", coded + "\r\n", packed, "md5:00000000000000000000000000000000", 3},
		{"an unknown algorithm", coded + "\r\n", packed, "own:0", 0},
		{"no match", coded + "\r\n", packed, sha1Of("<p>A page."), 3},
		{"a header in Latin-1", ok + "X: caf\xe9\r\nno field\r\n\r\n", "<p>x", sha1Of("<p>x"), 0},
		{"a status of its own", "HTTP/1.0 200 Fine\r\nA: b\r\n\r\n", "<p>x", sha1Of("<p>x"), 0},
		{"damaged gzip", coded + "\r\n", packed[:len(packed)-9], sha1Of(packed[:len(packed)-9]), 3},
		{"none declared", coded + "\r\n", packed, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			digest := tt.digest
			head := []string{
				"WARC-Type: response", "WARC-Record-ID: " + pageID, targetURI, dated,
				"Content-Type: application/http; msgtype=response",
			}
			if digest == "" {
				digest = sha1Of(tt.body)
			} else {
				head = append(head, "WARC-Payload-Digest: "+digest)
			}
			text := warcRecord("1.1", tt.head+tt.body, head...) + warcRecord("1.1", tt.head, "WARC-Type: revisit",
				"WARC-Record-ID: "+requestID, targetURI, "WARC-Date: 2024-05-07T00:00:00Z",
				"Content-Type: application/http; msgtype=response", "WARC-Payload-Digest: "+digest,
				"WARC-Refers-To-Target-URI: http://a.example/", "WARC-Refers-To-Date: 2024-05-06T07:08:09Z")
			out := t.TempDir()
			code, said := runCommand(t, "--to=warc", "--output="+out, saved(t, "a.warc", text))
			if code != tt.code {
				t.Errorf("exit code %d, want %d\n%s", code, tt.code, said)
			}
			want := []written{{"response", digest, tt.head + tt.body}, {"revisit", digest, tt.head}}
			if diff := cmp.Diff(want, recordsOf(t, out)); diff != "" {
				t.Errorf("-archive +copy:\n%s", diff)
			}
			if drops := dropsOf(t, out); len(drops) > 0 {
				t.Errorf("dropped %v", drops)
			}
		})
	}
}

// TestConvert_mendedBlocks: other programs cannot read these blocks, so the copy has others. A digest that no
// longer holds is counted.
func TestConvert_mendedBlocks(t *testing.T) {
	packed := gzipped(t, "<p>A page.")
	tests := []struct {
		name, block, digest, want string
		drops                     map[string]int64
	}{
		{"no status line", "Content-Type: text/html\r\n\r\n<p>x", sha1Of("<p>x"), sha1Of("<p>x"), nil},
		{
			"no status line, and gzip", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + packed, sha1Of(packed),
			sha1Of("<p>A page."),
			map[string]int64{"warc.digest": 1},
		},
		{
			"no blank line, and gzip", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n<p>x", sha1Of("<p>y"), sha1Of("<p>x"),
			map[string]int64{"warc.digest": 1},
		},
		{
			"a blank line first, and one too many", "\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\r\n<p>x",
			sha1Of("\r\n<p>x"), sha1Of("<p>x"),
			map[string]int64{"warc.digest": 1},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := t.TempDir()
			_, said := runCommand(t, "--to=warc", "--output="+out, saved(t, "a.warc", warcRecord("1.1", tt.block,
				"WARC-Type: response", "WARC-Record-ID: "+pageID, targetURI, dated, "WARC-Payload-Digest: "+tt.digest,
				"Content-Type: application/http; msgtype=response")))
			got := recordsOf(t, out)
			if len(got) != 1 || got[0].Digest != tt.want {
				t.Errorf("records %q, want digest %s\n%s", got, tt.want, said)
			}
			if diff := cmp.Diff(tt.drops, dropsOf(t, out)); diff != "" {
				t.Errorf("dropped (-want +got):\n%s", diff)
			}
		})
	}
}
