// Command servebench sends a running server the requests of its users. It prints how long they take, in a table for
// docs/benchmarks.md.
//
//	go run ./.tools/rows -from out -n 1000000 -output rows-1m
//	go run ./pipelines/query index --output=rows-1m      # once; or the server makes it
//	go run ./pipelines/serve --collection=rows-1m &
//	go run ./.tools/servebench -pid $! http://127.0.0.1:8080
//
// Words, pairs of words and addresses come from the collection itself, by a seed. No search is repeated. The
// concurrent clients use other searches; with -questions, they repeat them after all have been used.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"time"
)

// clients is the number of clients of the load test, as in the documentation.
const clients = 200

func main() {
	pid := flag.Int("pid", 0, "process of the server, of which processor time and memory are told; 0 for none")
	n := flag.Int("n", 200, "questions of each kind")
	load := flag.Duration("load", time.Minute, "how long 200 clients ask at once; 0 for not at all")
	questions := flag.Int("questions", 0, "how many different ones the clients ask, again and again; 0: none comes again")
	seed := flag.Uint64("seed", 1, "of what is asked")
	slow := flag.Duration("slow", 0, "tell which answers take longer than this, on standard error; 0 for none")
	wait := flag.Duration("wait", 0, "how long to wait for the server's first answer")
	flag.Parse()
	b := &bench{
		base: flag.Arg(0), pid: *pid, slow: *slow, random: rand.New(rand.NewPCG(*seed, 0)), client: newClient(),
	}
	b.started(context.Background(), *wait)
	if err := b.run(context.Background(), *n, *questions, *load); err != nil {
		fmt.Fprintln(os.Stderr, "servebench:", err)
		os.Exit(1)
	}
}

// run makes n requests of each kind one by one, and then others from many clients at once.
func (b *bench) run(ctx context.Context, n, questions int, load time.Duration) error {
	if b.base == "" {
		return errors.New("name the address of a server")
	}
	s, err := b.draw(ctx, n)
	if err != nil {
		return err
	}
	fmt.Printf("most frequent words: %v\n\n", s.frequent)
	fmt.Println("| request | asked | median | p95 | slowest | processor time each |\n|---|---|---|---|---|---|")
	type kind struct {
		name  string
		paths []string
	}
	kinds := []kind{
		{"overview", s.overviews},
		{"PDF documents of a language in a month, the newest 20", s.documents},
		{"search, two words, with counts and facets", s.pairs},
		{"search, two words, the page", s.pages},
		{"search, one of the ten most frequent words, with counts and facets", s.words},
		{"search by a filter, with counts and facets", s.filters},
		{"one address", s.addresses},
		{"a URL with its calendar, the page", s.calendars},
		{"trends of three words, by year, month or day", s.trends},
	}
	for _, field := range listed {
		kinds = append(kinds, kind{"values of " + field, s.values[field]})
	}
	for _, kind := range kinds {
		r, err := b.each(ctx, kind.paths)
		if err != nil {
			return err
		}
		fmt.Println("| " + kind.name + r.row())
	}
	if load == 0 {
		return nil
	}
	next := b.mixed(&s)
	if questions > 0 {
		next = again(next, questions)
	}
	r, err := b.together(ctx, next, load)
	if err != nil {
		return err
	}
	fmt.Println("| " + fmt.Sprint(clients) + " at once: overview, two words, one address" + r.row())
	fmt.Printf("\n%d clients, %v: %d answers, %d errors, p99 %v, memory at most %s\n",
		clients, load, len(r.took), r.errors, r.at(.99).Round(time.Millisecond), b.memory())
	return nil
}

// search returns the path of a search in the API.
func search(query string) string { return "/api/v1/search?" + url.Values{"query": {query}}.Encode() }
