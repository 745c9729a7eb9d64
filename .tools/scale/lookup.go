package main

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/gleaner-web/gleaner/internal/cputime"
	"github.com/gleaner-web/gleaner/io/archive/cdx/zipnum"
)

// lookup looks up the URLs in a file, one a line, in a cluster, and prints how long it took. Program lookup.py asks
// pywb the same.
func lookup(index, urls string, cache int64) (err error) {
	x, err := zipnum.Open(index, zipnum.Options{Cache: max(1, cache)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	f, err := os.Open(urls)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // read only
	start, before := time.Now(), cputime.Self()
	n, found := 0, 0
	in := bufio.NewScanner(f)
	for in.Scan() {
		from, to, err := zipnum.Range(in.Text(), zipnum.Exact)
		if err != nil {
			return err
		}
		for _, err := range x.Lines(from, to) {
			if err != nil {
				return err
			}
			found++
		}
		n++
	}
	seconds := math.Max((cputime.Self() - before).Seconds(), 1e-9)
	fmt.Printf("gleaner: %d URLs, %d lines, %.2f s CPU, %.2f s, %.0f lookups a second of CPU\n", n, found, seconds,
		time.Since(start).Seconds(), float64(n)/seconds)
	return in.Err()
}
