// Command refresh measures policies for visiting feeds again: the one of transforms/source and some of other readers
// and crawlers. It simulates them over recorded timelines of feeds, and prints visits per day, missed items, and
// delays. Before that, it prints how well a single capture predicts a feed's rate.
//
//	go run ./.tools/refresh -timelines timelines.jsonl.gz
//
// The file has a feed per line: {"feed", "class", "window", "begin", "end", "times"} in hours since 1970. The last
// output line is the default policy over all feeds.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/gleaner-web/gleaner/internal/sitetest"
	"github.com/gleaner-web/gleaner/transforms/source"
)

func main() {
	name := flag.String("timelines", "", "`file` of timelines, gzipped JSON lines")
	flag.Parse()
	if err := refresh(os.Stdout, *name); err != nil {
		fmt.Fprintln(os.Stderr, "refresh:", err)
		os.Exit(1)
	}
}

// delays are the settings in the table; the first is the default.
var delays = []time.Duration{
	source.DefaultDelay, 30 * time.Minute, 75 * time.Minute, 2 * time.Hour, 16 * time.Hour, 64 * time.Hour,
}

func refresh(w io.Writer, name string) error {
	if name == "" {
		return errors.New("name a file of timelines: -timelines timelines.jsonl.gz")
	}
	list, err := sitetest.ReadTimelines(name)
	if err != nil {
		return err
	}
	printRates(w, list)
	all := printPolicies(w, list)
	_, err = fmt.Fprintf(w, "all: %.2f visits a day, %.3f %% missed, %.2f h delay\n",
		all.visitsPerDay(), all.missedPercent(), all.meanDelay())
	return err
}

// of returns the timelines of a class, or all.
func of(list []timeline, class string) (some []timeline) {
	for _, t := range list {
		if class == "all" || t.Class == class {
			some = append(some, t)
		}
	}
	return some
}

func printRates(w io.Writer, list []timeline) {
	fmt.Fprintln(w, "Rate from one capture: mean |log2(expected/came)|")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\t")
	for _, c := range classes(list) {
		fmt.Fprint(t, c, "\t")
	}
	fmt.Fprintln(t)
	for _, e := range estimators {
		fmt.Fprint(t, e.name, "\t")
		for _, c := range classes(list) {
			fmt.Fprintf(t, "%.2f\t", errorsOf(e, of(list, c)))
		}
		fmt.Fprintln(t)
	}
	_ = t.Flush() // the last write reports errors
	fmt.Fprintln(w)
}

// printPolicies prints a table for each class and one for all, and returns the default policy's result over all.
func printPolicies(w io.Writer, list []timeline) (all result) {
	var rows []named
	for i, d := range delays {
		name := fmt.Sprintf("gleaner --delay=%v", d)
		if i == 0 {
			name = "gleaner (4h5m)"
		}
		rows = append(rows, named{name, func() policy { return ours(d) }})
	}
	rows = append(rows, peers...)
	for _, c := range append(classes(list), "all") {
		some := of(list, c)
		fmt.Fprintf(w, "%s: %d feeds\n", c, len(some))
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "\tvisits a day\tmissed\tmean delay\t")
		for i, row := range rows {
			var sum result
			for _, line := range some {
				sum.add(simulate(line, row.make()))
			}
			fmt.Fprintf(t, "%s\t%.2f\t%.3f %%\t%.2f h\t\n", row.name, sum.visitsPerDay(), sum.missedPercent(), sum.meanDelay())
			if i == 0 {
				all = sum // of the last class, which is all
			}
		}
		_ = t.Flush() // the last write reports errors
		fmt.Fprintln(w)
	}
	return all
}
