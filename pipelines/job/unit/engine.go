package unit

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gleaner-web/gleaner/io/child/docsandbox"
	"github.com/gleaner-web/gleaner/io/collection/takedown"
	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// Engine does units, without Beam, and is safe for concurrent use. Each function of the graph that Beam sets up has
// its own, so a process may have several; they share the session.
type Engine struct {
	o         Job
	store     *blob.Store
	out       folder.Folder
	enrich    *enrich.Enricher
	documents *docsandbox.Reader // of payloads that are not HTML
	*session
	templates *templates // nil without --site_templates
	taken     takedown.List
	sinks     sink.Set
	chosen    *chosen
	sources   *sourceLookup // nil without --sources
}

// Open makes an engine for each function that a runner sets up. A remote worker sets its memory limit here; locally
// the command line has set it.
func (o Job) Open() (batch.Worker, error) {
	if o.Elsewhere {
		o.LimitMemory()
	}
	e, err := NewEngine(o)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// NewEngine opens all parts of an engine, and closes them if a later one fails.
func NewEngine(o Job) (*Engine, error) {
	// The folder outlives this call, so it cannot use the caller's context.
	e := &Engine{o: o, store: blob.New(o.Remote), out: o.Folder(context.Background()), session: sessionOf(o)}
	if err := e.open(); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *Engine) open() (err error) {
	o := e.o
	// Each worker reads documents such as PDF in its own process, which hostile ones may crash.
	if e.documents, err = docsandbox.New(cap(e.pool.captures)); err != nil {
		return err
	}
	if _, err = o.OpenPlugs(); err != nil {
		return err
	}
	if e.enrich, err = enrich.New(o.Enrich()); err != nil {
		return err
	}
	e.enrich.ReadDocumentsBy(e.documents.Read)
	e.enrich.ReadPicturesBy(e.documents.Examine)
	if e.chosen, err = newChosen(o.Recipe); err != nil {
		return err
	}
	if e.templates, err = openTemplates(e.out, o); err != nil {
		return err
	}
	if e.sources, err = openSources(o); err != nil {
		return err
	}
	if e.taken, err = takedown.Read(e.out); err != nil {
		return err
	}
	e.sinks, err = o.Sinks.Open(context.Background())
	return err
}

// Close closes what newEngine opened. The documents' reader may be closed already: see captures.
func (e *Engine) Close() error {
	if e.documents != nil { // opened first of the parts that may fail
		e.documents.Close()
	}
	return errors.Join(e.sinks.Close(), e.store.Close(), e.templates.Close(), e.sources.Close(), e.out.Close())
}

// begin decodes a task, and waits while other bundles of the process keep all workers busy. After success, the caller
// calls e.pool.end.
func (e *Engine) begin(ctx context.Context, element []byte) (t Task, err error) {
	if err = json.Unmarshal(element, &t); err == nil {
		err = e.pool.begin(ctx)
	}
	return t, err
}
