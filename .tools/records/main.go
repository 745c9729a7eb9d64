// Command records compares the speed of archive record readers, Gleaner's and others; README.md explains how.
//
//	go run ./.tools/records -warcs bench-warcs -raw ../shared/corpora/warc/raw
//
// Run it from the repository's root. It prints the tables of docs/benchmarks.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gleaner-web/gleaner/io/archive/record"
)

const (
	here  = ".tools/records" // sources of the peers' programs
	cache = "bench-records"  // build output and bulks
)

func main() {
	warcs := flag.String("warcs", "", "`folder` of .warc.gz files, the first bulk")
	raw := flag.String("raw", "", "`folder` in which real archives are looked for, the second bulk")
	runs := flag.Int("runs", 5, "rounds that count; one more is run to warm up and to compare what was read")
	workers := flag.Int("read", 0, "do not compare: read the files named with that many `workers` and print totals")
	heads := flag.Bool("heads", false, "with -read: do not read the payload where it can be skipped")
	flag.Parse()
	err := error(nil)
	switch {
	case *workers > 0:
		err = report(flag.Args(), *workers, record.Options{HeadsOnly: *heads})
	case *runs < 1:
		err = errors.New("-runs must be at least 1")
	default:
		err = compare(*warcs, *raw, *runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "records:", err)
		os.Exit(1)
	}
}

// compare builds the readers and the bulks, and prints a table for each bulk.
func compare(warcs, raw string, runs int) error {
	files, err := filepath.Glob(filepath.Join(warcs, "*.warc.gz"))
	if err != nil {
		return err
	}
	if warcs == "" || len(files) == 0 {
		return fmt.Errorf("no .warc.gz file in the folder %q; make one (the script's head says what it needs):\n"+
			"  python ../shared/tools/make_bench_warcs.py bench-all 1 && make bench-records WARCS=bench-all", warcs)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	py, readers, err := setUp()
	if err != nil {
		return err
	}
	fmt.Println(machine())
	pages, err := pageBulk(files, py)
	if err != nil {
		return err
	}
	if err := pages.compare(readers, runs); err != nil {
		return err
	}
	file, err := large(files)
	if err != nil {
		return err
	}
	if err := scale(file, runs); err != nil {
		return err
	}
	real, err := realBulk(raw, readers, py)
	if errors.Is(err, os.ErrNotExist) {
		fmt.Printf("\nNo bulk of real archives: %v\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	return real.compare(readers, runs)
}

// note prints the current step.
func note(format string, args ...any) { fmt.Fprintf(os.Stderr, "records: "+format+"\n", args...) }
