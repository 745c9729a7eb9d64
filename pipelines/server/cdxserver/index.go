package cdxserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/archive/cdx/zipnum"
	"github.com/gleaner-web/gleaner/pipelines/server/api"
	"github.com/gleaner-web/gleaner/pipelines/server/view"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// Cluster is a ZipNum cluster that is served beside collections. It is opened again when its .idx file has changed.
type Cluster struct {
	path string

	mu    sync.Mutex
	now   *opened
	stamp string    // of the .idx file
	asked time.Time // when it was last looked at
}

// opened is an open cluster. It is closed when a newer one replaces it and its last user is done.
type opened struct {
	*zipnum.Index
	users sync.WaitGroup
}

// checkEvery is the time after which a request looks for a changed cluster.
const checkEvery = 2 * time.Second

// OpenCluster opens a cluster by its folder or its .idx file.
func OpenCluster(path string) (*Cluster, error) {
	c := &Cluster{path: path}
	_, release, err := c.hold()
	if err == nil {
		release()
	}
	return c, err
}

// hold returns the current state. A newer one that cannot be opened is logged, and the older one stays.
func (c *Cluster) hold() (*zipnum.Index, func(), error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now == nil || time.Since(c.asked) > checkEvery {
		c.asked = time.Now()
		if err := c.renew(); err != nil {
			if c.now == nil {
				return nil, nil, err
			}
			slog.Warn("an index cannot be opened again; its earlier state is served", "index", c.path, "error", err)
		}
	}
	now := c.now
	now.users.Add(1)
	return now.Index, now.users.Done, nil
}

// renew opens the cluster if it has changed. The stamp is older than what is opened, so that no change is missed.
func (c *Cluster) renew() error {
	stamp := ""
	if c.now != nil {
		info, err := os.Stat(c.now.Name())
		if err != nil {
			return err
		}
		if stamp = stampOf(info); stamp == c.stamp {
			return nil
		}
	}
	x, err := zipnum.Open(c.path, zipnum.Options{})
	if err != nil {
		return err
	}
	if old := c.now; old != nil {
		go func() {
			old.users.Wait()
			_ = old.Close() // read only
		}()
	}
	c.now, c.stamp = &opened{Index: x}, stamp
	return nil
}

func stampOf(info os.FileInfo) string { return fmt.Sprint(info.Size(), info.ModTime().UnixNano()) }

// serve answers a request from the cluster.
func (c *Cluster) serve(w http.ResponseWriter, r *http.Request, q question) error {
	if err := view.Need(r.Context(), view.Viewer); err != nil {
		return err
	}
	x, release, err := c.hold()
	if err != nil {
		return err
	}
	defer release()
	from, to, err := rangeOf(r.URL.Query(), q.sort)
	if err != nil {
		return err
	}
	each := q.indexed(r.Context(), x, from, to)
	if q.count {
		return q.countPages(w, each)
	}
	return q.answer(w, each)
}

// rangeOf returns the keys of url and matchType, by the rules of captures.
func rangeOf(v url.Values, sort string) (from, to string, err error) {
	address, match := v.Get("url"), zipnum.Match(v.Get("matchType"))
	host, below := strings.CutPrefix(address, "*.")
	rest, begins := strings.CutSuffix(address, "*")
	switch {
	case match == "" && below:
		address, match = host, zipnum.Domain
	case match == "" && begins && sort != "closest":
		address, match = rest, zipnum.Prefix
	case match == zipnum.Prefix:
		address = rest
	case match == zipnum.Host || match == zipnum.Domain:
		address = hostOf(address) + "/"
	}
	if from, to, err = zipnum.Range(address, match); err != nil {
		err = bad("url", address, err.Error())
	}
	return from, to, err
}

// indexed yields the lines of the answer from a cluster.
func (c *question) indexed(ctx context.Context, x *zipnum.Index, from, to string) iter.Seq2[entry, error] {
	// A key of an earlier answer narrows the search.
	if c.from.key > from {
		from = c.from.key
	}
	return func(yield func(entry, error) bool) {
		for line, err := range x.Lines(from, to) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(entry{}, err)
				return
			}
			e, in := c.entryOfLine(line)
			if !in {
				continue
			}
			if skip, ended := c.reach(e); ended {
				return
			} else if skip {
				continue
			}
			if c.sort == "closest" && c.asked != "" {
				if l, err := cdx.Parse(line); err == nil {
					e.fit = urlkey.Fit(c.asked, l.URL, l.Status)
				}
			}
			if len(c.filters) > 0 && !passes(c.filters, e.fields()) {
				continue
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// entryOfLine returns the entry of a line; in is false if it is outside of the period, or is not a capture.
func (c *question) entryOfLine(line []byte) (e entry, in bool) {
	if !cdx.IsLine(line) {
		l, err := cdx.NewReader(bytes.NewReader(line), cdx.Options{}).Next()
		if err != nil {
			return e, false // a legend, or damage that cannot be shown as a capture
		}
		line = bytes.TrimSuffix(l.AppendTo(nil), []byte("\n"))
	}
	_, stamp, _ := bytes.Cut(zipnum.KeyOf(line), []byte(" "))
	e.text = append(append(make([]byte, 0, len(line)+1), line...), '\n')
	if t, err := time.Parse("20060102150405", string(stamp)); err == nil {
		e.time = t
	}
	return e, c.within(string(stamp))
}

// within reports whether a time is in the period that from and to bound. Without a time a line is in no period.
func (c *question) within(stamp string) bool {
	if c.begin == "" && c.end == "" {
		return true
	}
	return stamp != "-" && stamp >= c.begin && (c.end == "" || stamp < c.end)
}

// bounds parses from and to for comparisons of digits. They were checked by period.
func (c *question) bounds(v url.Values) {
	if from, _, err := query.Period(v.Get("from")); err == nil {
		c.begin = from.UTC().Format("20060102150405")
	}
	if _, to, err := query.Period(v.Get("to")); err == nil {
		c.end = to.UTC().Format("20060102150405")
	}
}

// serveCluster answers from a cluster, and writes errors like New.
func serveCluster(w http.ResponseWriter, r *http.Request, x *Cluster) {
	q, err := parse(r.URL.Query(), strings.HasPrefix(r.URL.Path, "/cdx/search"))
	if err == nil {
		q.bounds(r.URL.Query())
		err = x.serve(w, r, q)
	}
	finish(w, r, err)
}

// finish reports the error of an answer. An error is returned as long as nothing was sent. A client that has left
// causes an error too, which is not logged.
func finish(w http.ResponseWriter, r *http.Request, err error) {
	if e := (*view.Error)(nil); errors.As(err, &e) {
		api.WriteError(w, err)
		return
	}
	if err != nil && r.Context().Err() == nil {
		slog.Warn("a CDX answer ended early", "error", err)
		panic(http.ErrAbortHandler) // nobody must take the part for the whole
	}
}
