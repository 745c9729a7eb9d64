package collection

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// stats says what the manifest and the notes say; no shard is read.
func stats(_ context.Context, j *job) (int, error) {
	m, err := holdings.ReadManifest(j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	k, err := collection.ReadCompaction(j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	taken, err := collection.ReadTakedowns(j.f)
	if err != nil {
		return cli.ExitFailed, err
	}
	// By kind and ending: "documents.parquet", "feeds.jsonl.zst".
	files, bytes, older, other := map[string]int64{}, map[string]int64{}, 0, 0
	for _, u := range m.Units {
		// A unit that was made by the last run's versions has none of its own.
		if u.Versions != nil {
			older++
		}
		if u.MadeWith != nil {
			other++
		}
		// The kind is before the first hyphen of a name.
		for _, s := range u.Shards {
			kind, _, _ := strings.Cut(s.Name, "-")
			_, ext, _ := strings.Cut(s.Name, ".")
			files[kind+"."+ext]++
			bytes[kind+"."+ext] += s.Bytes
		}
	}
	j.say("documents  %s of %s", cli.FormatCount(m.Totals.Documents), plural(m.Totals.Captures, "capture"))
	// Compacted shards are in the manifest as units as well.
	j.say("units      %s; %d made by other versions than the last run (ingest --stale does them again), %d with "+
		"other options",
		cli.FormatCount(int64(len(m.Units)-len(k.Shards))), older, other)
	for _, kind := range slices.Sorted(maps.Keys(files)) {
		j.say("  %-24s %8s  %12s", kind, cli.FormatCount(files[kind]), cli.FormatBytes(bytes[kind]))
	}
	// Only of a collection that was compacted.
	if len(k.Shards) > 0 {
		j.say("compacted  %s of %s, by %s; %s wait for `collection expire`", plural(len(k.Shards), "shard"),
			// The zero order is that of URLs.
			plural(len(k.Sources), "unit"), cmp.Or(string(k.Order), "url"), plural(j.waiting(k), "shard"))
	}
	if len(taken.Entries) > 0 {
		j.say("taken down %d entries; %s of the archives left out", len(taken.Entries), plural(m.Totals.TakenDown, "capture"))
	}
	return cli.ExitDone, nil
}

// waiting counts the shards that a compaction has left behind and that are there still.
func (j *job) waiting(k collection.Compaction) (n int) {
	// A shard that expire has removed already has no size.
	for _, s := range k.Sources {
		for _, shard := range s.Shards {
			if _, err := j.f.Size(shard.Name); err == nil {
				n++
			}
		}
	}
	return n + len(k.Replaced)
}
