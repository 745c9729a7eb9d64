package corpus

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// statsMemory is for each of the sorters, of which there are six at the same time.
const statsMemory = 16 << 20

var statsFormats = map[string]func(io.Writer, string, corpora.Statistics) error{
	"text": statsText, "json": statsJSON, "html": statsPage,
}

// statsSettings are the flags of `corpus stats`, which fill format.
func statsSettings(format *string) []setting.Setting {
	return setting.Under(output, []setting.Setting{{
		Name: "format", Value: format, Default: "text", Example: "html", Values: slices.Sorted(maps.Keys(statsFormats)),
		Help:  "text for people, json for programs, html for a page that needs nothing beside it",
		Brief: "text, json or html",
	}})
}

func aboutStats() cli.Command {
	return cli.Command{
		Name: "corpus stats", Args: "[folder]",
		Summary: "Say what a finished corpus holds, the whole and by partition: lengths of texts, languages and how sure " +
			"they are, domains, media types, quality, and duplicates where the corpus was made with --keep_refused.\n" +
			"It reads a few columns and no texts, and changes nothing. The folder is " + outFolder + " by default.\n" +
			"Exit codes: 0 done, 1 failed, 2 usage or no corpus.",
		Examples: []string{
			"go run ./pipelines/corpus stats out-corpus",
			"go run ./pipelines/corpus stats --format=html out-corpus >stats.html",
		},
	}
}

// newStatsFlags makes the flags on set. Parsing them fills format.
func newStatsFlags(set *flag.FlagSet, format *string) *cli.Flags {
	f := cli.NewFlags(set, aboutStats())
	f.Add(statsSettings(format))
	return f
}

func stats(ctx context.Context, args []string) (code int, err error) {
	var format string
	// A new flag set, because flag.CommandLine has Beam's flags.
	f := newStatsFlags(flag.NewFlagSet("corpus stats", flag.ContinueOnError), &format)
	if err := f.Parse(args); err != nil {
		return cli.ExitUsage, err
	}
	if len(f.Args()) > 1 {
		return cli.ExitUsage, cli.Usagef("name one folder: a corpus has its own statistics")
	}
	name := outFolder
	if len(f.Args()) == 1 {
		name = f.Args()[0]
	}
	st, err := readStats(ctx, name)
	if err != nil {
		return cli.ExitFailed, err
	}
	return cli.ExitDone, statsFormats[format](os.Stdout, name, st)
}

func readStats(ctx context.Context, name string) (st corpora.Statistics, err error) {
	store := blob.New(blob.Options{UserAgent: "gleaner"})
	f := folder.Open(ctx, name, store)
	defer func() { err = errors.Join(err, f.Close(), store.Close()) }()
	st, err = corpora.Stats(ctx, f, statsMemory)
	if errors.Is(err, corpora.ErrNoCorpus) || errors.Is(err, corpora.ErrNoColumns) {
		return st, cli.Usagef("%v", err)
	}
	return st, err
}

func statsJSON(w io.Writer, _ string, st corpora.Statistics) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(st)
}

// statsText writes the totals and a line for each partition.
func statsText(w io.Writer, _ string, st corpora.Statistics) error {
	var b strings.Builder
	p := st.Whole
	fmt.Fprintf(&b, "Documents    %s of %s with text\nText         %s\n", cli.FormatCount(p.Documents),
		cli.FormatCount(st.Documents), cli.FormatBytes(p.Bytes))
	for _, t := range tables(p, st.Clusters) {
		fmt.Fprintf(&b, "\n%s\n", t.Title)
		for _, r := range t.Rows {
			bar := strings.Repeat("#", (r.Percent+4)/5)
			fmt.Fprintf(&b, "  %-32s %12s  %s\n", visible(r.Name), cli.FormatCount(r.Documents), bar)
		}
	}
	refused := slices.SortedFunc(maps.Keys(st.Refused), func(x, y string) int {
		return cmp.Or(cmp.Compare(st.Refused[y], st.Refused[x]), cmp.Compare(x, y))
	})
	if len(refused) > 0 {
		b.WriteString("\nRefused\n")
	}
	for _, reason := range refused {
		fmt.Fprintf(&b, "  %-32s %12s\n", visible(reason), cli.FormatCount(st.Refused[reason]))
	}
	if st.Divided > 0 {
		fmt.Fprintf(&b, "\nPartitions, %s of %s: documents, text, domains\n", cli.FormatCount(int64(len(st.Partitions))),
			cli.FormatCount(int64(st.Divided)))
	}
	for _, p := range st.Partitions {
		fmt.Fprintf(&b, "  %-32s %12s %12s %8s\n", visible(p.Name), cli.FormatCount(p.Documents), cli.FormatBytes(p.Bytes),
			cli.FormatCount(p.Domains.Distinct))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// visible makes a name safe for a terminal: archives may contain any domain names.
func visible(name string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return unicode.ReplacementChar
		}
		return c
	}, cmp.Or(name, "(none)"))
}
