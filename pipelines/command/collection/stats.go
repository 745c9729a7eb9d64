package collection

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// stats describes the collection by its manifest and notes, without reading shards.
func stats(_ context.Context, j *job) (int, error) {
	m, err := holdings.ReadManifest(j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	k, err := ledger.ReadCompaction(j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	taken, err := takedown.Read(j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	// Keys are kind and extension: "documents.parquet", "feeds.jsonl.zst".
	files, bytes, older, other := map[string]int64{}, map[string]int64{}, 0, 0
	for _, u := range m.Units {
		// Units have versions only if they differ from the last run's.
		if u.Versions != nil {
			older++
		}
		if u.MadeWith != nil {
			other++
		}
		// The kind comes before the first hyphen.
		for _, s := range u.Shards {
			kind, _, _ := strings.Cut(s.Name, "-")
			_, ext, _ := strings.Cut(s.Name, ".")
			files[kind+"."+ext]++
			bytes[kind+"."+ext] += s.Bytes
		}
	}
	j.say("documents  %s of %s", cli.FormatCount(m.Totals.Documents), cli.Plural(m.Totals.Captures, "capture"))
	// The manifest counts compacted shards as units too.
	j.say("units      %s; %d made by other versions than the last run (ingest --stale does them again), %d with "+
		"other options",
		cli.FormatCount(int64(len(m.Units)-len(k.Shards))), older, other)
	for _, kind := range slices.Sorted(maps.Keys(files)) {
		j.say("  %-24s %8s  %12s", kind, cli.FormatCount(files[kind]), cli.FormatBytes(bytes[kind]))
	}
	if len(k.Shards) > 0 {
		j.say("compacted  %s of %s, by %s; %s wait for `collection expire`", cli.Plural(len(k.Shards), "shard"),
			cli.Plural(len(k.Sources), "unit"), cmp.Or(string(k.Order), "url"), cli.Plural(j.waiting(k), "shard"))
	}
	if len(taken.Entries) > 0 {
		j.say("taken down %s; %s of the archives left out", cli.Plural(len(taken.Entries), "entry"),
			cli.Plural(m.Totals.TakenDown, "capture"))
	}
	return cli.ExitDone, nil
}

// waiting counts the shards that a compaction replaced and that still exist.
func (j *job) waiting(k ledger.Compaction) (n int) {
	for _, s := range k.Sources {
		for _, shard := range s.Shards {
			if _, err := j.f.Size(shard.Name); err == nil {
				n++
			}
		}
	}
	return n + len(k.Replaced)
}
