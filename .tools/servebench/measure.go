package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// bench sends requests to a server.
type bench struct {
	base       string // URL of the server
	collection string // path of the first collection
	pid        int
	slow       time.Duration // log slower responses
	random     *rand.Rand
	client     *http.Client
}

// newClient returns a client that keeps as many connections as there are clients.
func newClient() *http.Client {
	return &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
}

// started waits for the first response of the server.
func (b *bench) started(ctx context.Context, wait time.Duration) {
	for begin := time.Now(); time.Since(begin) < wait; time.Sleep(10 * time.Millisecond) {
		if _, _, err := b.get(ctx, "/api/v1/collections"); err == nil {
			return
		}
	}
}

// get requests a path.
func (b *bench) get(ctx context.Context, path string) (body []byte, status int, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.base+path, nil)
	if err != nil {
		return nil, 0, err
	}
	answer, err := b.client.Do(r)
	if err != nil {
		return nil, 0, err
	}
	body, err = io.ReadAll(answer.Body)
	_ = answer.Body.Close() // all of it was read
	return body, answer.StatusCode, err
}

// result holds how long responses took.
type result struct {
	took      []time.Duration // sorted
	processor time.Duration   // of the server, in total
	errors    int
}

// at returns a quantile of the durations.
func (r *result) at(share float64) time.Duration {
	if len(r.took) == 0 {
		return 0
	}
	return r.took[min(len(r.took)-1, int(share*float64(len(r.took))))]
}

// row returns the rest of a row of the table.
func (r *result) row() string {
	each := r.processor / time.Duration(max(1, len(r.took)))
	cells := []string{"", strconv.Itoa(len(r.took))}
	for _, d := range []time.Duration{r.at(.5), r.at(.95), r.at(1), each} {
		cells = append(cells, fmt.Sprintf("%.1f ms", d.Seconds()*1000))
	}
	return strings.Join(cells, " | ") + " |"
}

// each requests all paths one by one.
func (b *bench) each(ctx context.Context, paths []string) (r result, err error) {
	before := b.processor()
	for _, path := range paths {
		start := time.Now()
		body, status, err := b.get(ctx, path)
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("%s: status %d: %.300s", path, status, body)
		}
		if err != nil {
			return r, err
		}
		took := time.Since(start)
		if b.slow > 0 && took > b.slow {
			fmt.Fprintln(os.Stderr, took.Round(time.Millisecond), path)
		}
		r.took = append(r.took, took)
	}
	r.processor = b.processor() - before
	slices.Sort(r.took)
	return r, nil
}

// together runs many clients at once for some time. Each waits for its response before its next request. next returns
// the path to request, and is called by one client at a time.
func (b *bench) together(ctx context.Context, next func() string, load time.Duration) (r result, err error) {
	before, end := b.processor(), time.Now().Add(load)
	var mu sync.Mutex
	var group sync.WaitGroup
	for range clients {
		group.Go(func() {
			for time.Now().Before(end) {
				mu.Lock()
				path := next()
				mu.Unlock()
				start := time.Now()
				_, status, err := b.get(ctx, path)
				took := time.Since(start)
				if b.slow > 0 && took > b.slow {
					fmt.Fprintln(os.Stderr, took.Round(time.Millisecond), path)
				}
				mu.Lock()
				r.took = append(r.took, took)
				if err != nil || status != http.StatusOK {
					r.errors++
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	r.processor = b.processor() - before
	slices.Sort(r.took)
	return r, nil
}

// tick is the unit of times in /proc/PID/stat: USER_HZ, which is 100 on all current Linux machines.
const tick = 10 * time.Millisecond

// processor returns the CPU time of the server (fields 14 and 15, see proc(5)), or 0 if unknown.
func (b *bench) processor() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", b.pid))
	// The name of the program, field 2, may contain spaces.
	_, rest, found := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if err != nil || !found || len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])   // the kernel writes digits
	system, _ := strconv.Atoi(fields[12]) // likewise
	return time.Duration(user+system) * tick
}

// memory returns the peak memory of the server.
func (b *bench) memory() string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", b.pid))
	_, rest, found := strings.Cut(string(text), "VmHWM:")
	if err != nil || !found {
		return "unknown"
	}
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}
