package main

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// harbour makes n pages of an archive, and returns the digests of their bodies by URL.
func harbour(r *rand.Rand, prefix string, n int) (records [][]byte, digests map[string]string) {
	words := strings.Fields("harbour tide ferry lamp pilot rope anchor gull storm quay captain ledger cargo whistle " +
		"fog light")
	digests = map[string]string{}
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "<html><title>Page %d of %s</title><body><p>", i, prefix)
		for range 100 + r.IntN(900) {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteByte(" \n"[r.IntN(8)/7])
			if r.IntN(6) == 0 {
				fmt.Fprint(&b, r.Uint32())
			}
		}
		b.WriteString("</p></body></html>")
		url := fmt.Sprintf("https://harbour.example/%s/%d.html", prefix, i)
		var record bytes.Buffer
		writeRecord(&record, url, []byte(b.String()))
		sum := sha1.Sum([]byte(b.String()))
		records = append(records, record.Bytes())
		digests[url] = "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
	}
	return records, digests
}

// found holds the checked fields of a document.
type found struct {
	URL       string   `json:"url"`
	Digest    string   `json:"digest"`
	Flags     []string `json:"flags"`
	Damaged   bool     `json:"damaged"`
	Truncated string   `json:"truncated"`
	Filename  string   `json:"filename"`
	Offset    int64    `json:"offset"`
	Sequence  int      `json:"sequence"`
}

func foundIn(t *testing.T, dir string) (all []found) {
	t.Helper()
	for _, line := range documents(t, dir) {
		var d found
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

// totals are those of a run's manifest.
type totals struct {
	Documents int64            `json:"documents"`
	Damaged   int64            `json:"damaged"`
	BytesRead int64            `json:"bytes_read"`
	BytesLost int64            `json:"bytes_lost"`
	ByFlag    map[string]int64 `json:"by_flag"`
}

func totalsOf(t *testing.T, dir string) totals {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct{ Totals totals }
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return m.Totals
}

func gzipOf(t *testing.T, data ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for _, d := range data {
		if _, err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstdOf(t *testing.T, data ...[]byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(bytes.Join(data, nil), nil)
}

func lz4Of(t *testing.T, data ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := lz4.NewWriter(&b)
	for _, d := range data {
		if _, err := w.Write(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// eachOf packs each record separately.
func eachOf(t *testing.T, pack func(*testing.T, ...[]byte) []byte, records [][]byte) []byte {
	t.Helper()
	var b []byte
	for _, r := range records {
		b = append(b, pack(t, r)...)
	}
	return b
}

func writeTo(t *testing.T, name string, data []byte) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestAttack03_flippedBitInOneMemberFlagsAllItsDocuments(t *testing.T) {
	t.Parallel()
	for name, pack := range map[string]func(*testing.T, ...[]byte) []byte{"gz": gzipOf, "zst": zstdOf, "lz4": lz4Of} {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s-%d", name, seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(3, seed))
				records, digests := harbour(r, "a", 120)
				data := pack(t, records...)
				at := len(data)/4 + r.IntN(len(data)/2)
				data[at] ^= 1 << r.IntN(8)
				archive, out := writeTo(t, "one.warc."+name, data), t.TempDir()
				run := runCommand(t, "--output="+out, "--format=jsonl,parquet,cdxj", archive)
				if run.code != 3 || strings.Contains(run.stdout, "nothing") || !strings.Contains(run.stdout, "\nDamaged ") {
					t.Errorf("exit code %d, want 3, and a summary that says so:\n%s%s", run.code, run.stdout, run.stderr)
				}
				docs := foundIn(t, out)
				for _, d := range docs {
					if !slices.Contains(d.Flags, "unverified") || !d.Damaged {
						t.Errorf("%s, right %v: flags %v, damaged %v", d.URL, d.Digest == digests[d.URL], d.Flags, d.Damaged)
					}
				}
				m := totalsOf(t, out)
				if n := int64(len(docs)); m.Damaged != n || m.ByFlag["unverified"] < n || m.BytesRead != int64(len(data)) ||
					len(docs) < 25 {
					t.Errorf("%d documents, totals %+v", len(docs), m)
				}
			})
		}
	}
}

func TestAttack03_indexAloneCountsWhatIsUnverified(t *testing.T) {
	records, _ := harbour(rand.New(rand.NewPCG(3, 1)), "a", 60)
	data := gzipOf(t, records...)
	data[len(data)-6] ^= 1 // in its checksum
	out := t.TempDir()
	run := runCommand(t, "--output="+out, "--format=cdxj", writeTo(t, "one.warc.gz", data))
	if m := totalsOf(t, out); run.code != 3 || m.Damaged != 60 || m.ByFlag["unverified"] != 60 {
		t.Errorf("exit code %d, totals %+v", run.code, m)
	}
}

func TestAttack03_brokenTypeOfAnHTTPResponse(t *testing.T) {
	records, digests := harbour(rand.New(rand.NewPCG(3, 2)), "a", 5)
	records[1] = bytes.Replace(records[1], []byte("WARC-Type: response"), []byte("WARC-Type: responqe"), 1)
	records[2] = bytes.Replace(records[2], []byte("WARC-Type: response\r\n"), nil, 1)
	records[3] = bytes.Replace(records[3], []byte("WARC-Type: response"), []byte("WARC-Type: request"), 1) // as it says
	out := t.TempDir()
	run := runCommand(t, "--output="+out, writeTo(t, "type.warc", bytes.Join(records, nil)))
	docs := foundIn(t, out)
	if len(docs) != 4 || run.code != 3 {
		t.Fatalf("%d documents, exit code %d", len(docs), run.code)
	}
	for i, d := range docs {
		// A type with one wrong letter is corrected, and a missing one is derived from the block.
		flag := map[int]string{1: "damaged_head", 2: "type"}[i]
		broken := flag != ""
		if d.Digest != digests[d.URL] || broken != slices.Contains(d.Flags, flag) || d.Damaged != broken {
			t.Errorf("%+v", d)
		}
	}
}

func TestAttack06_damagedAndTruncatedSayWhatIsNotWhole(t *testing.T) {
	records, _ := harbour(rand.New(rand.NewPCG(6, 1)), "a", 6)
	data := eachOf(t, gzipOf, records[:5])
	sum := len(data) - 8
	data[sum] ^= 1 // in the fifth member's checksum
	last := gzipOf(t, records[5])
	data = append(data, last[:len(last)/2]...)
	out := t.TempDir()
	run := runCommand(t, "--output="+out, writeTo(t, "cut.warc.gz", data))
	docs := foundIn(t, out)
	if len(docs) != 6 || run.code != 3 {
		t.Fatalf("%d documents, exit code %d", len(docs), run.code)
	}
	for i, d := range docs {
		if d.Damaged != (i >= 4) || (d.Truncated == "unspecified") != (i == 5) {
			t.Errorf("document %d: %+v", i, d)
		}
	}
	if m := totalsOf(t, out); m.Damaged != 2 || !strings.Contains(run.stdout, "\nDamaged      2 captures") {
		t.Errorf("totals %+v\n%s", m, run.stdout)
	}
}

func TestAttack08_filesThatChangeCompression(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 1))
	a, digests := harbour(r, "a", 60)
	b, more := harbour(r, "b", 60)
	for url, digest := range more {
		digests[url] = digest
	}
	gz := eachOf(t, gzipOf, a)
	for name, data := range map[string][]byte{
		"gz-plain": slices.Concat(gz, bytes.Join(b, nil)), "plain-gz": slices.Concat(bytes.Join(b, nil), gz),
		"zst-gz": slices.Concat(eachOf(t, zstdOf, b), gz), "gz-lz4": slices.Concat(gz, eachOf(t, lz4Of, b)),
		"gz-gz": gzipOf(t, gz, eachOf(t, gzipOf, b)),
	} {
		t.Run(name, func(t *testing.T) {
			archive := writeTo(t, "mixed.warc", data)
			var first []string
			for _, size := range []string{"1GiB", "64KiB"} {
				out := t.TempDir()
				run := runCommand(t, "--output="+out, "--unit_size="+size, archive)
				docs := foundIn(t, out)
				for _, d := range docs {
					if d.Digest != digests[d.URL] || len(d.Flags) > 0 || d.Offset >= int64(len(data)) {
						t.Errorf("%+v", d)
					}
				}
				if run.code != 3 || !strings.Contains(run.stdout, "  mixed") { // a second compression is odd, too
					t.Errorf("exit code %d\n%s", run.code, run.stdout)
				}
				if m := totalsOf(t, out); len(docs) != 120 || m.BytesLost != 0 || m.BytesRead != int64(len(data)) {
					t.Errorf("%d documents of 120, totals %+v", len(docs), m)
				}
				lines := documents(t, out)
				if first == nil {
					first = lines
				} else if !slices.Equal(lines, first) {
					t.Error("other documents in units of another size")
				}
			}
		})
	}
}
