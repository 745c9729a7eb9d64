package payload

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/digest"
)

func packed(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestHTTP(t *testing.T) {
	long := bytes.Repeat([]byte("long "), 1000)
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
	chunked := head + "Transfer-Encoding: chunked\r\n"
	aChunk := func(text string) string { return fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(text), text) }
	coded := string(packed(t, long))
	tests := []struct {
		name, block string
		size        int64 // more than the block when not 0
		digest      string
		body        int
		flags       string
	}{
		{"plain", head + "\r\nbody", 0, "", 4, "[]"},
		{"no body", head + "\r\n", 0, "", 0, "[]"},
		{"gzip", head + "Content-Encoding: gzip\r\n\r\n" + coded, 0, "", 4000, "[body]"},
		{"gzip that is cut", head + "Content-Encoding: gzip\r\n\r\n" + coded[:len(coded)-9], 0, "", 4000, "[body]"},
		{"over the limit", head + "\r\n" + string(long), 0, "", 4000, "[body]"},
		{
			"block that was cut, digest", head + "\r\nbody", 99999, "sha1:AIED6RLZ4CFGCJBFYDA2C7XEPLOXQO4U", 4,
			"[body digest_unchecked]",
		},
		{"a chunk", chunked + "\r\n4\r\nbody\r\n0\r\n\r\n", 0, "", 4, "[]"},
		{"a chunk that is cut", chunked + "\r\n20\r\nbody of a page that", 0, "", 19, "[chunked incomplete]"},
		{"a long chunk", chunked + "\r\n1388\r\n" + string(long) + "\r\n0\r\n\r\n", 0, "", 4000, "[body]"},
		{"two chunks", chunked + "\r\n2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n", 0, "", 4, "[]"},
		{"a chunk of gzip", chunked + "Content-Encoding: gzip\r\n\r\n" + aChunk(coded), 0, "", 4000, "[body]"},
		{"a chunk in no coding", chunked + "Content-Encoding: gzip\r\n\r\n" + aChunk("a plain text"), 0, "", 12, "[]"},
		{
			"a chunk in a coding that is not known", chunked + "Content-Encoding: sdch\r\n\r\n" + aChunk("a plain text"), 0, "",
			12, "[encoding]",
		},
		{"no chunk", chunked + "\r\na plain text", 0, "", 12, "[]"},
		{"no HTTP", "neither head nor tail", 0, "", 21, "[http]"},
		{"nothing", "", 0, "", 0, "[]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c schemas.Capture
			block := []byte(tt.block)
			HTTP(&c, Block{Bytes: block, Size: max(tt.size, int64(len(block))), PayloadDigest: tt.digest},
				Options{MaxBody: 4000})
			if len(c.Body) != tt.body || fmt.Sprint(c.Flags) != tt.flags {
				t.Errorf("body of %d bytes, flags %v, want %d, %s", len(c.Body), c.Flags, tt.body, tt.flags)
			}
			body := bytes.Clone(c.Body)
			for i := range block {
				block[i] = '!'
			}
			if !bytes.Equal(body, c.Body) {
				t.Error("the body is in the block's memory")
			}
		})
	}
}

func TestRaw_digest(t *testing.T) {
	tests := []struct {
		name  string
		block Block
		want  string
	}{
		{"computed", Block{Size: 4}, "sha1:AIED6RLZ4CFGCJBFYDA2C7XEPLOXQO4U []"},
		{
			"declared",
			Block{Size: 4, PayloadDigest: "md5:841a2d689ad86bd1611447453c22c6fc"},
			"md5:841a2d689ad86bd1611447453c22c6fc []",
		},
		{
			"declared for what a revisit refers to",
			Block{Size: 4, Referred: true, PayloadDigest: "md5:00000000000000000000000000000000"},
			"md5:00000000000000000000000000000000 []",
		},
		{"none for a revisit", Block{Size: 4, Referred: true}, " []"},
		{"none for a block that was cut", Block{Size: 5}, " [body]"},
		{"both wrong", Block{
			Size: 4, PayloadDigest: "md5:00000000000000000000000000000000",
			BlockDigest: "md5:00000000000000000000000000000000",
		}, "md5:00000000000000000000000000000000 [payload_digest " +
			"block_digest]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c schemas.Capture
			tt.block.Bytes = []byte("body")
			Raw(&c, tt.block, Options{})
			if got := fmt.Sprintf("%s %v", c.Digest, c.Flags); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func ExampleHTTP() {
	block := []byte("HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\ngone")
	var c schemas.Capture
	quirks := HTTP(&c, Block{Bytes: block, Size: int64(len(block))}, Options{})
	fmt.Println(c.Status, c.MIMEDeclared, string(c.Body), quirks)
	// Output: 404 text/html gone []
}

// TestHTTP_headOnly: without the body, all else is the same except for what checking and decoding would have said.
func TestHTTP_headOnly(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
	tests := []struct {
		name  string
		block Block
		flags string
	}{
		{"digest computed", Block{Bytes: []byte(head + "\r\nbody")}, "[]"},
		{
			"digest declared, and wrong",
			Block{Bytes: []byte(head + "\r\nbody"), PayloadDigest: "md5:x", BlockDigest: "sha1:x"},
			"[]",
		},
		{"digest of a payload elsewhere", Block{Bytes: []byte(head + "\r\n"), Referred: true}, "[]"},
		{"coding not undone", Block{Bytes: []byte(head + "Content-Encoding: gzip\r\n\r\nno gzip")}, "[]"},
		{"block that was cut", Block{Bytes: []byte(head + "\r\nbody"), Size: 1 << 20}, "[body]"},
		{"no HTTP", Block{Bytes: []byte("neither head nor tail")}, "[http]"},
		{"nothing", Block{}, "[]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.block.Size = max(tt.block.Size, int64(len(tt.block.Bytes)))
			var full, got schemas.Capture
			HTTP(&full, tt.block, Options{})
			HTTP(&got, tt.block, Options{HeadOnly: true})
			if got.Body != nil || fmt.Sprint(got.Flags) != tt.flags {
				t.Errorf("body %q, flags %v, want none and %s", got.Body, got.Flags, tt.flags)
			}
			full.Body, full.Flags, got.Flags = nil, nil, nil
			if diff := cmp.Diff(full, got); diff != "" {
				t.Errorf("with the body and without (-with +without):\n%s", diff)
			}
		})
	}
}

// TestHTTP_oneDigest: a payload has one digest, which is ours, whatever it was sent in, read whole or for an index.
func TestHTTP_oneDigest(t *testing.T) {
	const want = "sha1:AIED6RLZ4CFGCJBFYDA2C7XEPLOXQO4U" // of "body"
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
	chunked := head + "Transfer-Encoding: chunked\r\n\r\n"
	coded := string(packed(t, []byte("body")))
	blocks := map[string]string{
		"plain": head + "\r\nbody", "a chunk": chunked + "4\r\nbody\r\n0\r\n\r\n",
		"chunks":     chunked + "1\r\nb\r\n3;x=y\r\nody\r\n0\r\nTrailer: a\r\n\r\n",
		"LF":         chunked + "2\nbo\n2\ndy\n0\n\n",
		"joined":     chunked + "body",
		"gzip, sent": head + "Transfer-Encoding: gzip\r\n\r\n" + coded,
		"gzip, chunked": head + fmt.Sprintf("Transfer-Encoding: gzip, chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n",
			len(coded), coded),
		"behind 100":     "HTTP/1.1 100 Continue\r\n\r\n" + chunked + "4\r\nbody\r\n0\r\n\r\n",
		"a blank line":   head + "Content-Length: 4\r\n\r\n\r\nbody",
		"behind a proxy": "HTTP/1.0 200 Connection established\r\n\r\n" + head + "\r\nbody",
	}
	for name, block := range blocks {
		for _, o := range []Options{{}, {HeadOnly: true}} {
			var c schemas.Capture
			HTTP(&c, Block{Bytes: []byte(block), Size: int64(len(block))}, o)
			if c.Digest != want || c.Status != 200 || len(c.Flags) > 0 || !o.HeadOnly && string(c.Body) != "body" {
				t.Errorf("%s, %+v: digest %s, status %d, body %q, flags %v", name, o, c.Digest, c.Status, c.Body, c.Flags)
			}
		}
		// Writers make digests of what they take for the payload: each of these is right.
		_, behind, _ := bytes.Cut([]byte(block), []byte("\r\n\r\n"))
		for _, declared := range []string{want, digest.SHA1(behind)} {
			var c schemas.Capture
			HTTP(&c, Block{Bytes: []byte(block), Size: int64(len(block)), PayloadDigest: declared}, Options{})
			if c.Digest != declared || len(c.Flags) > 0 {
				t.Errorf("%s: digest %s, flags %v", name, c.Digest, c.Flags)
			}
		}
	}
	var c schemas.Capture
	block := chunked + "4\r\nbody\r\n0\r\n\r\n"
	HTTP(&c, Block{Bytes: []byte(block), Size: int64(len(block)), PayloadDigest: digest.SHA1([]byte("bodi"))}, Options{})
	if !c.HasFlag(schemas.FlagPayload) {
		t.Errorf("another payload: flags %v", c.Flags)
	}
}
