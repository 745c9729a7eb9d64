package unit

import (
	"context"
	"encoding/json"

	"github.com/gleaner-web/gleaner/io/collection/interim"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
)

// Survey samples the hosts of a unit's pages unless its file of samples exists, and returns the unit's key. It is Do
// for the first pass of --site_templates.
func (e *Engine) Survey(ctx context.Context, element []byte) (any, error) {
	t, err := e.begin(ctx, element)
	if err != nil {
		return nil, err
	}
	defer e.pool.end()
	done, err := interim.File{Kind: interim.Sketches, Key: t.Key}.Exists(e.out)
	if err == nil && !done {
		err = e.sampleHosts(ctx, t)
	}
	return t.Key, err
}

// sampleHosts writes the samples of a unit's hosts to its file, at most 265 bytes a page. In memory it holds at most 34
// KiB for each host of the unit.
func (e *Engine) sampleHosts(ctx context.Context, t Task) error {
	hosts := map[string]*sitetemplate.Sample{}
	// write runs only in this goroutine, so the map needs no lock.
	q := &queue{slots: e.pool.captures, apart: e.pool.full, live: e.live, work: e.sketch, write: func(it *item) error {
		e.surveyed.Captures.Add(1)
		e.surveyed.Bytes.Add(it.cap.Origin.Length)
		if host := hostOf(it.cap.URL); it.sketch != nil && host != "" {
			// Most hosts of an archive have no page that can be sketched, so samples are made late.
			if hosts[host] == nil {
				hosts[host] = &sitetemplate.Sample{}
			}
			hosts[host].Add(*it.sketch)
		}
		return nil
	}}
	defer q.abandon()
	// Captures skips rejects: the second pass counts and reports them.
	for c, err := range newReader(e.o, e.store.AtOrGrown(t.Stamps), t.Unit, e.o.Capture()).Captures(ctx) {
		if err != nil {
			return err
		}
		if e.taken.Has(c.URL) {
			continue // it must not influence templates
		}
		if err := q.capture(c); err != nil {
			return err
		}
	}
	if err := q.drain(); err != nil {
		return err
	}
	// Encoded maps are sorted, so a repeated unit writes the same bytes.
	rows := map[string][]byte{}
	for host, s := range hosts {
		rows[host] = s.Encode()
	}
	data, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	return interim.File{Kind: interim.Sketches, Key: t.Key}.Write(e.out, data)
}

// sketch makes a sketch of a capture that is a page.
func (e *Engine) sketch(it *item) error {
	if k, ok := e.enrich.Sketch(it.cap); ok {
		it.sketch = &k
	}
	return nil
}
