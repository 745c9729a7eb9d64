package job

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/collection"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/charset"
	"github.com/gleaner-web/gleaner/transforms/mimetype"
	"github.com/gleaner-web/gleaner/transforms/page"
	"github.com/gleaner-web/gleaner/transforms/sitetemplate"
	"github.com/gleaner-web/gleaner/transforms/urlkey"
)

// prepare makes the first pass that --site_templates asks for, as far as it is not done yet, and returns the options of
// the second. Without the flag it removes what an earlier run has left of one.
//
// The first pass leaves a file for each unit, which says what its pages tell of their hosts, and then one table of all
// hosts' templates. The files have the names of what they were made of, so that a run that was killed goes on where it
// was, and one whose inputs have changed makes what is stale again. The table's hash is a part of the units' keys: when
// the table changes, all documents are made again.
func prepare(ctx context.Context, c Request, o Options, p *Plan, f folder.Folder,
	out *collection.Collection,
) (Options, error) {
	if !o.SiteTemplates {
		return o, out.KeepInterims(nil)
	}
	var keys []string
	var keep []collection.Interim
	// Units that stay are not surveyed: their archives may be gone.
	for _, u := range p.own() {
		key := o.surveyKey(u, p.StampsOf(u))
		keys, keep = append(keys, key), append(keep, collection.Interim{Kind: collection.KindSketches, Key: key})
	}
	// The table depends on the units' files, which their keys stand for, and on what makes it of them.
	o.TemplatesKey = collection.Key(schemas.Unit{}, keys, sitetemplate.Version)
	// Stale files go before the pass, and those that are still right stay, which is how a killed pass is
	// resumed.
	if err := out.KeepInterims(append(keep, o.table())); err != nil {
		return o, err
	}
	done, err := o.table().Exists(f)
	if err == nil && !done {
		err = survey(ctx, c, o, p, f, out, keep)
	}
	if err != nil {
		return o, err
	}
	// The hash is of the table's bytes, and not of its key: a pass over other archives that finds the same
	// templates does no unit again.
	o.Templates, err = describe(f, o)
	return o, err
}

// surveyKey is the key of a unit in the first pass: all that its pages' sketches depend on.
// The versions are those of the packages that a sketch comes from, and not all that documents depend on: a
// new extractor does not need another first pass.
func (o Options) surveyKey(u schemas.Unit, stamps map[string]string) string {
	options := map[string]any{"stamps": stamps, "max_body": o.MaxBody, "max_head": o.MaxHead, "max_ratio": o.MaxRatio}
	return collection.Key(u, options, map[string]string{
		"capture": archive.Version, "charset": charset.Version, "mimetype": mimetype.Version, "page": page.Version,
		"sitetemplate": sitetemplate.Version, "urlkey": urlkey.Version,
	})
}

// survey runs the first pass. files are those of the units.
func survey(ctx context.Context, c Request, o Options, p *Plan, f folder.Folder, out *collection.Collection,
	files []collection.Interim,
) error {
	var todo []task
	var done []string
	var bytes int64
	for i, u := range p.own() {
		there, err := files[i].Exists(f)
		if err != nil {
			return err
		}
		if there {
			done = append(done, files[i].Key)
			continue
		}
		// The stamps are in the key already. A file that changes now is found out by the second pass.
		todo = append(todo, task{Unit: u, Key: files[i].Key})
		bytes += u.Bytes()
	}
	p.log.Info(fmt.Sprintf("looking for site templates in %d of %d units", len(todo), o.Units))
	// The first pass has counters of its own, or what it has read would count twice in the progress of the
	// second.
	defer c.progress(&sessionOf(o).surveyed, bytes)()
	tasks, err := batch.List(f, todo)
	if err != nil {
		return outputError(err)
	}
	keys, err := batch.List(f, done)
	if err != nil {
		return outputError(err)
	}
	if c.Runner == run.Local {
		return surveyHere(ctx, o, tasks, keys)
	}
	return c.submitSurvey(ctx, out, f, surveyPass{o, tasks, keys})
}

// surveyPass is a first pass: done are the keys of units whose files are there; one of the two may be empty.
type surveyPass struct {
	o          Options
	todo, done batch.Listing
}

// surveyHere does the first pass in this process. In memory is one sample for each host, which is bounded, and so as
// much as there are hosts; on a runner they are spread over its workers.
func surveyHere(ctx context.Context, o Options, todo, done batch.Listing) error {
	keys, err := batch.Rowed(ctx, surveying, surveyed{o}, todo)
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
	if err := batch.Lines(ctx, surveyed{o}, done, merge); err != nil {
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

// templateRow is a host's row in the table. A host whose pages have nothing in common takes no place there.
func templateRow(host string, all *sitetemplate.Sample) (row sitetemplate.Row, ok bool) {
	t := all.Template()
	return sitetemplate.Row{Host: host, Template: t}, len(t) > 0
}

// mergeSample adds a sample to what is known of its host.
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

// Open makes an engine that surveys.
func (o surveyed) Open() (batch.Worker, error) {
	w, err := o.Options.Open()
	if err != nil {
		return nil, err
	}
	return surveyor{w.(*engine)}, nil
}

// surveyor is an engine that surveys.
type surveyor struct{ *engine }

// Do surveys one unit, unless that was done, and returns its key.
// The file's name is its key, so if it is there it is right.
func (e surveyor) Do(ctx context.Context, element []byte) (any, error) {
	var t task
	if err := json.Unmarshal(element, &t); err != nil {
		return nil, err
	}
	if err := e.pool.begin(ctx); err != nil {
		return nil, err
	}
	defer e.pool.end()
	done, err := collection.Interim{Kind: collection.KindSketches, Key: t.Key}.Exists(e.out)
	if err == nil && !done {
		err = e.survey(ctx, t)
	}
	return t.Key, err
}

// survey reads a unit and notes in a file what its pages tell of their hosts. A page takes at most 265 bytes.
// Its memory is the map of hosts, with at most 34 KiB each: it grows with the hosts of one unit, not of
// the run.
func (e *engine) survey(ctx context.Context, t task) error {
	hosts := map[string]*sitetemplate.Sample{}
	// The write function is called by this goroutine alone, in the order of captures, so the map needs no
	// lock.
	q := &queue{slots: e.pool.captures, live: e.live, work: e.sketch, write: func(it *item) error {
		e.surveyed.Captures.Add(1)
		e.surveyed.Bytes.Add(it.cap.Origin.Length)
		if host := hostOf(it.cap.URL); it.sketch != nil && host != "" {
			// The sample is made with the first page: most hosts of an archive have none that can be sketched.
			if hosts[host] == nil {
				hosts[host] = &sitetemplate.Sample{}
			}
			hosts[host].Add(*it.sketch)
		}
		return nil
	}}
	defer q.abandon()
	// Captures leaves rejects out: they are counted and told of in the second pass.
	for c, err := range e.reader(e.store.At(t.Stamps), t.Unit, e.o.capture()).Captures(ctx) {
		if err != nil {
			return err
		}
		if e.taken.Has(c.URL) {
			continue // nothing of it may be in a template
		}
		if err := q.capture(c); err != nil {
			return err
		}
	}
	if err := q.drain(); err != nil {
		return err
	}
	// Keys of a map are sorted when they are encoded, so that a unit done twice writes the same bytes.
	rows := map[string][]byte{}
	for host, s := range hosts {
		rows[host] = s.Encode()
	}
	data, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	return collection.Interim{Kind: collection.KindSketches, Key: t.Key}.Write(e.out, data)
}

// sketch sketches a capture's page, if it is one.
// Redirects, images and the like have no sketch, and stay nil.
func (e *engine) sketch(it *item) error {
	if k, ok := e.enrich.Sketch(it.cap); ok {
		it.sketch = &k
	}
	return nil
}

// samples emits the samples of a unit by their hosts. row is the key of its file, as JSON.
func samples(ctx context.Context, o Options, row []byte, emit func(host string, sample []byte) error) error {
	var key string
	if err := json.Unmarshal(row, &key); err != nil {
		return err
	}
	out := openOutput(ctx, o)
	// The folder is opened and closed for each unit: a worker of Dataflow holds no connection between
	// elements.
	data, err := collection.Interim{Kind: collection.KindSketches, Key: key}.Read(out)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	var rows map[string][]byte
	// Values are the bytes of a sample, as base64 in the JSON; they are checked where they are decoded.
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

// writeTable writes the table of all templates, which takes some hundred bytes a host.
// EncodeTable sorts, so that the bytes do not depend on the order of rows.
func writeTable(ctx context.Context, o Options, rows []sitetemplate.Row) error {
	out := openOutput(ctx, o)
	err := o.table().Write(out, sitetemplate.EncodeTable(rows))
	return errors.Join(err, out.Close())
}

// describe says what is in the table.
// The hosts' number goes into the manifest, and the hash into the keys of units.
func describe(f folder.Folder, o Options) (d schemas.SiteTemplates, err error) {
	t, err := openTable(f, o)
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	h := sha256.New()
	// The file may be remote and is read in parts; it is hashed as it streams by.
	if _, err := io.Copy(h, io.NewSectionReader(t.file, 0, t.file.Size())); err != nil {
		return d, err
	}
	return schemas.SiteTemplates{Hosts: t.table.Hosts(), SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}
