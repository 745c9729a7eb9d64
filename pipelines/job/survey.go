package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/collection/interim"
	"github.com/gleaner-web/gleaner/io/collection/ledger"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/job/plan"
	"github.com/gleaner-web/gleaner/pipelines/job/recipe"
	"github.com/gleaner-web/gleaner/pipelines/job/unit"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// prepare runs the first pass for --site_templates, as far as it is not done, and returns the options of the second.
// Without the flag it removes the files of an earlier first pass.
//
// The first pass leaves a file for each unit, with samples of its hosts, and a table of all hosts' templates. Their
// names are keys of what made them, so that a killed run continues and changed inputs are surveyed again. The table's
// hash is part of the units' keys: if the table changes, all documents are made again.
func prepare(ctx context.Context, p *plan.Plan, o unit.Job, out *collection.Collection) (unit.Job, error) {
	f := out.Folder()
	if !o.SiteTemplates {
		return o, interim.Keep(f, nil)
	}
	var keys []string
	var keep []interim.File
	// Archives of units that stay may be gone.
	for _, u := range p.Own() {
		key := surveyKey(o.Recipe, u, p.StampsOf(u))
		keys, keep = append(keys, key), append(keep, interim.File{Kind: interim.Sketches, Key: key})
	}
	// The table depends on the units' files, for which their keys stand, and on the version that makes it.
	o.TableKey = ledger.Key(schemas.Unit{}, keys, sitetemplate.Version)
	// Removes stale files. The remaining ones let a killed pass resume.
	if err := interim.Keep(f, append(keep, o.Table())); err != nil {
		return o, err
	}
	done, err := o.Table().Exists(f)
	if err == nil && !done {
		err = survey(ctx, p, o, out, keep)
	}
	if err != nil {
		return o, err
	}
	// The hash is of the table's content, so that other archives with the same templates repeat no unit.
	o.Templates, err = unit.Describe(f, o)
	return o, err
}

// surveyKey is the key of a unit in the first pass. It has the versions only of the packages that sketches depend on,
// so that a new extractor needs no new first pass.
func surveyKey(r recipe.Recipe, u schemas.Unit, stamps map[string]string) string {
	options := map[string]any{"stamps": stamps, "max_body": r.MaxBody, "max_head": r.MaxHead, "max_ratio": r.MaxRatio}
	return ledger.Key(u, options, map[string]string{
		"capture": archive.Version, "charset": charset.Version, "mimetype": mimetype.Version, "page": page.Version,
		"sitetemplate": sitetemplate.Version, "urlkey": urlkey.Version,
	})
}

// survey runs the first pass. files are the units' files.
func survey(ctx context.Context, p *plan.Plan, o unit.Job, out *collection.Collection, files []interim.File) error {
	f := out.Folder()
	var todo []unit.Task
	var done []string
	var bytes int64
	for i, u := range p.Own() {
		there, err := files[i].Exists(f)
		if err != nil {
			return err
		}
		if there {
			done = append(done, files[i].Key)
			continue
		}
		// The key has the stamps. If a file changes now, the second pass notices.
		todo = append(todo, unit.Task{Unit: u, Key: files[i].Key})
		bytes += u.Bytes()
	}
	p.Request.Log.Info(fmt.Sprintf("looking for site templates in %d of %d units", len(todo), o.Units))
	// Workers elsewhere have counters of their own.
	if !o.Elsewhere && p.Request.Progress != nil {
		defer p.Request.Progress(unit.SurveyCounters(o), bytes)()
	}
	tasks, err := batch.List(f, todo)
	if err != nil {
		return plan.OutputError(err)
	}
	keys, err := batch.List(f, done)
	if err != nil {
		return plan.OutputError(err)
	}
	if p.Request.Runner == run.Local {
		return surveyHere(ctx, o, tasks, keys)
	}
	return submitSurvey(ctx, submission(p, out), o, tasks, keys)
}

// surveyHere does the first pass in this process. It keeps one bounded sample per host in memory; a runner spreads
// them over its workers.
func surveyHere(ctx context.Context, o unit.Job, todo, done batch.Listing) error {
	keys, err := batch.LocalRows(ctx, surveying, surveyed{ingest{o}}, todo)
	if err != nil {
		return err
	}
	hosts := map[string]*sitetemplate.Sample{}
	merge := func(key []byte) error {
		return samples(ctx, o, key, func(host string, sample []byte) error { return mergeSample(hosts, host, sample) })
	}
	for _, key := range keys {
		if err := merge(key); err != nil {
			return err
		}
	}
	if err := batch.Lines(ctx, surveyed{ingest{o}}, done, merge); err != nil {
		return err
	}
	var rows []sitetemplate.Row
	for host, s := range hosts {
		if row, ok := templateRow(host, s); ok {
			rows = append(rows, row)
		}
	}
	return writeTable(ctx, o, rows)
}

// templateRow returns a host's row of the table; ok is false if its pages have nothing in common.
func templateRow(host string, all *sitetemplate.Sample) (row sitetemplate.Row, ok bool) {
	t := all.Template()
	return sitetemplate.Row{Host: host, Template: t}, len(t) > 0
}

// mergeSample adds a sample to those of its host.
func mergeSample(hosts map[string]*sitetemplate.Sample, host string, sample []byte) error {
	s, err := sitetemplate.DecodeSample(sample)
	if err != nil {
		return fmt.Errorf("host %s: %w; start over with --fresh", host, err)
	}
	if hosts[host] == nil {
		hosts[host] = &sitetemplate.Sample{}
	}
	hosts[host].Merge(s)
	return nil
}

func (o surveyed) Open() (batch.Worker, error) {
	w, err := o.Job.Open()
	if err != nil {
		return nil, err
	}
	return surveyor{w.(*unit.Engine)}, nil
}

type surveyor struct{ *unit.Engine }

// Do surveys a unit unless its file exists, and returns its key.
func (e surveyor) Do(ctx context.Context, element []byte) (any, error) { return e.Survey(ctx, element) }

// samples emits the samples of a unit by host. row is the key of its file, as JSON.
func samples(ctx context.Context, o unit.Job, row []byte, emit func(host string, sample []byte) error) error {
	var key string
	if err := json.Unmarshal(row, &key); err != nil {
		return err
	}
	out := o.Folder(ctx)
	// Opening the folder for each unit keeps no connection between the elements of a Dataflow worker.
	data, err := interim.File{Kind: interim.Sketches, Key: key}.Read(out)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	var rows map[string][]byte
	if err := json.Unmarshal(data, &rows); err != nil {
		return fmt.Errorf("samples of hosts, %s: %w; start over with --fresh", key, err)
	}
	for host, sample := range rows {
		if err := emit(host, sample); err != nil {
			return err
		}
	}
	return nil
}

// writeTable writes the sorted table of all templates, some hundred bytes a host.
func writeTable(ctx context.Context, o unit.Job, rows []sitetemplate.Row) error {
	out := o.Folder(ctx)
	err := o.Table().Write(out, sitetemplate.EncodeTable(rows))
	return errors.Join(err, out.Close())
}
