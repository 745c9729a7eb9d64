package damage_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/schemas"
)

// headPage is a page with a damaged record head or HTTP head, and an intact body.
type headPage struct {
	url, body string
	record    []byte // head, block and end
	damage    string
}

// spared reports whether the byte of a head has several valid values, so that a reader cannot know the original.
func spared(head []byte, at int) bool {
	line := bytes.LastIndexByte(head[:at], '\n') + 1
	url := bytes.Index(head[line:], []byte("://"))
	end := bytes.IndexAny(head[at:], " \r\n")
	inURL := url >= 0 && at >= line+url && end >= 0 && !bytes.ContainsAny(head[line+url:at], " \r\n") &&
		head[at] != ' ' && head[at] != '\r' && head[at] != '\n'
	status := bytes.HasPrefix(head[line:], []byte("HTTP/")) && at >= line+9 && at < line+12
	return inURL || status
}

// headArchive makes pages, and damages the heads of a third of them.
func headArchive(r *rand.Rand, n, from int, isARC bool) (list []headPage) {
	for i := range n {
		p := headPage{url: fmt.Sprintf("http://site%d.example/p/%05d", i%7, from+i)}
		p.body = fmt.Sprintf("<html><title>%d</title><p>%s</p></html>", i, strings.Repeat(fmt.Sprintf("tide %x ", r.Uint32()),
			20+r.IntN(200)))
		http := []byte("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")
		if r.IntN(2) == 0 {
			http = fmt.Appendf(http, "Content-Length: %d\r\n", len(p.body))
		}
		http = append(http, "\r\n"...)
		size := len(http) + len(p.body)
		head, tail := fmt.Appendf(nil, "WARC/1.%d\r\nWARC-Type: response\r\nWARC-Record-ID: "+
			"<urn:uuid:%08x-0000-4000-8000-%012x>\r\n"+
			"WARC-Date: 2024-02-03T04:05:06Z\r\nWARC-Target-URI: %s\r\nContent-Type: application/http; msgtype=response\r\n"+
			"Content-Length: %d\r\n\r\n", i%2, r.Uint32(), from+i, p.url, size), "\r\n\r\n"
		if isARC {
			head, tail = fmt.Appendf(nil, "%s 192.0.2.%d 20240203040506 text/html %d\n", p.url, i%250, size), "\n"
		}
		before := ""
		if r.IntN(3) == 0 {
			before, p.damage = hurtHead(r, &head, &http, isARC)
		}
		p.record = slices.Concat([]byte(before), head, http, []byte(p.body), []byte(tail))
		list = append(list, p)
	}
	return list
}

// hurtHead damages a head of a record. It returns the bytes to insert before the record, and the kind of damage.
func hurtHead(r *rand.Rand, head, http *[]byte, isARC bool) (before, what string) {
	flip := func(b []byte, name string) string {
		for {
			at := r.IntN(len(b))
			if spared(b, at) {
				continue
			}
			was := b[at]
			for range 1 + r.IntN(2) {
				b[at] ^= 1 << r.IntN(8)
			}
			return fmt.Sprintf("%s: %q for %q at %d", name, b[at], was, at)
		}
	}
	switch k := r.IntN(10); {
	case k < 4:
		return "", flip(*head, "head")
	case k < 6:
		return "", flip(*http, "HTTP head")
	case k == 6:
		return "2024-02-03 04:05:06 WARN writer: queue is full\n", "log line"
	case k == 7:
		return string(*head), "head twice"
	case isARC && k == 8:
		*head = bytes.Replace(*head, []byte(" "), []byte{"\t "[r.IntN(2)], ' '}, 1+r.IntN(4))
		return "", "gaps"
	case isARC:
		date := []string{"00000000000000", "20240203", "2024020304", "202402030405"}[r.IntN(4)]
		*head = bytes.Replace(*head, []byte("20240203040506"), []byte(date), 1)
		return "", "date " + date
	case k == 8:
		*head = bytes.ReplaceAll(*head, []byte("\r\n"), []byte{'\r'})
		return "", "CR alone"
	}
	*head = bytes.ReplaceAll(*head, []byte(": "), []byte(":\u00a0"))
	return "", "U+00A0"
}

// packHeads writes the records one by one, each compressed separately.
func packHeads(t *testing.T, list []headPage, layout string) (data []byte) {
	t.Helper()
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		switch layout {
		case "gz":
			var out bytes.Buffer
			w := gzip.NewWriter(&out)
			_, err := w.Write(p.record)
			if err := errorsOf(err, w.Close()); err != nil {
				t.Fatal(err)
			}
			data = append(data, out.Bytes()...)
		case "zst":
			data = z.EncodeAll(p.record, data)
		default:
			data = append(data, p.record...)
		}
	}
	return data
}

func errorsOf(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestHeads_smallDamageIsReadOrSaid reads archives with slightly damaged heads; some archives mix both formats. Each
// page is complete or has a reject, and nothing is wrong without a flag. Each run has a new seed.
func TestHeads_smallDamageIsReadOrSaid(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	if again, err := strconv.ParseUint(os.Getenv("GLEANER_SEED"), 10, 64); err == nil {
		seed = again
	}
	t.Logf("seed %d", seed)
	pages, whole, hurt, saved := 0, 0, 0, 0
	for round := range 72 {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		layout, isARC := []string{"", "gz", "zst"}[round%3], round/3%2 == 1
		list := headArchive(r, 30, 0, isARC)
		if round%4 == 3 { // both formats in one file
			list = append(list, headArchive(r, 30, 1000, !isARC)...)
		}
		docs, counts := readHeads(t, packHeads(t, list, layout))
		for _, p := range list {
			ok := slices.ContainsFunc(docs, func(c *schemas.Capture) bool {
				return sameURL(c.URL, p.url) && string(c.Body) == p.body && c.Status == 200
			})
			pages, whole = pages+1, whole+toInt(ok)
			hurt, saved = hurt+toInt(p.damage != ""), saved+toInt(ok && p.damage != "")
			if !ok {
				t.Logf("round %d %s: not whole: %s after %s", round, layout, p.url, p.damage)
			}
			if !ok && !counts.HasDamage() {
				t.Errorf("round %d: %s is not whole, and nothing says so: %s", round, p.url, p.damage)
			}
		}
		for _, c := range docs {
			right := slices.ContainsFunc(list, func(p headPage) bool {
				return sameURL(c.URL, p.url) && string(c.Body) == p.body && c.Status == 200
			})
			if !right && len(c.Flags) == 0 {
				t.Errorf("round %d %s: %s, status %d, %d bytes is wrong without a flag: %v", round, layout, c.URL, c.Status,
					len(c.Body), c.Flags)
			}
		}
	}
	t.Logf("%d of %d pages whole (%.2f %%), %d of %d with a damaged head", whole, pages, 100*float64(whole)/float64(pages),
		saved, hurt)
	if 100*whole < 99*pages {
		t.Errorf("%d of %d pages are whole, want 99 %%", whole, pages)
	}
}

// sameURL reports whether two URLs are the same, ignoring the case of their schemes.
func sameURL(a, b string) bool {
	schemeA, restA, _ := strings.Cut(a, "://")
	schemeB, restB, _ := strings.Cut(b, "://")
	return strings.EqualFold(schemeA, schemeB) && restA == restB
}

func toInt(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func readHeads(t *testing.T, data []byte) (docs []*schemas.Capture, counts schemas.Counts) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "heads")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	src, size := bytes.NewReader(data), int64(len(data))
	f, err := archive.Detect(path, src, size)
	if err != nil {
		t.Fatal(err)
	}
	r, err := archive.NewReader(src, archive.Input{Name: path, End: size, Size: size}, f, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for c, err := range r.Captures() {
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, c)
	}
	return docs, r.Counts()
}
