package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAttack04_holesInAnUncompressedFileCostWhatTheyHitAndAreSaid overwrites the ends of three records and a sixth of
// the file, and reads it in units of several sizes.
func TestAttack04_holesInAnUncompressedFileCostWhatTheyHitAndAreSaid(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	records, digests := harbour(r, "a", 300)
	data := bytes.Join(records, nil)
	hit := make([]bool, len(records))
	var overwritten int64
	overwrite := func(from, to int) {
		for i := from; i < to; i++ {
			data[i] = byte(r.Uint32())
		}
		overwritten += int64(to - from)
		at := 0
		for i, rec := range records {
			end := at + len(rec)
			hit[i] = hit[i] || from < end-len("\r\n\r\n") && at < to
			at = end
		}
	}
	at := 0
	for i, rec := range records {
		if at += len(rec); i == 20 || i == 40 || i == 60 {
			overwrite(at-4, at+i*i)
		}
	}
	overwrite(len(data)/2, len(data)/2+len(data)/6)
	archive := writeTo(t, "hole.warc", data)
	for _, size := range []string{"64MiB", "200KiB"} {
		out := t.TempDir()
		run := runCommand(t, "--output="+out, "--format=jsonl", "--unit_size="+size, archive)
		m := totalsOf(t, out)
		if run.code != 3 || m.BytesRead != int64(len(data)) || m.BytesLost < overwritten*9/10 {
			t.Errorf("units of %s: exit code %d, %+v; %d bytes were overwritten", size, run.code, m, overwritten)
		}
		got := map[string]string{}
		for _, d := range foundIn(t, out) {
			got[d.URL] = d.Digest
			if digests[d.URL] != d.Digest && !slices.Contains(d.Flags, "length") && !slices.Contains(d.Flags, "unverified") {
				t.Errorf("units of %s: %s has another body, and flags %v", size, d.URL, d.Flags)
			}
		}
		for i := range records {
			if url := fmt.Sprintf("https://harbour.example/a/%d.html", i); !hit[i] && got[url] != digests[url] {
				t.Errorf("units of %s: %s was not hit; digest %q, want %q", size, url, got[url], digests[url])
			}
		}
	}
}
