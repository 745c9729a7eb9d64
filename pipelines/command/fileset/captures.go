package fileset

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/gleaner-web/gleaner/io/archive"
	"github.com/gleaner-web/gleaner/io/archive/cdx"
	"github.com/gleaner-web/gleaner/io/dataset/filesets"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/work"
	"github.com/gleaner-web/gleaner/io/work/lookup"
	"github.com/gleaner-web/gleaner/pipelines/batch"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/schemas"
)

// part is a unit's share of the index: a file of sorted lines and a file of discovered requests.
type part struct {
	Key      string
	Captures filesets.Captures
}

func partFile(key string) string  { return filesets.Hidden("part-" + key + ".cdxj") }
func foundFile(key string) string { return filesets.Hidden("part-" + key + "-found.jsonl") }

// makeIndex makes the index of captures unless it exists.
func (p *plan) makeIndex(ctx context.Context, c config, f folder.Folder) error {
	// A CDX server has its own index, and the live web needs none.
	if p.index == "" {
		return nil
	}
	// Its name depends on all archives and versions, and it is renamed last: if it exists, it is right and complete.
	if _, err := f.Size(filesets.Hidden(p.index)); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	todo, err := batch.List(f, p.todo)
	if err != nil {
		return cli.OutputError(err)
	}
	o := indexed{Options: c.options, Found: p.found}
	// On a copy: tasks sets the options of the second pass.
	o.Index = p.index
	progress := cli.StartProgress(&cli.Live, p.bytes)
	defer progress.Stop()
	s := batch.Submission{Command: "fileset", Output: o.Output, Runner: c.runner}
	return s.Do(ctx, indexing, o, todo, batch.Listing{})
}

// indexed is the first pass: it indexes units and then merges their parts.
type indexed struct {
	Options
	Found string // the file of discovered requests
}

func (o indexed) Open() (batch.Worker, error) {
	return &indexer{o: o.Options, store: blob.New(o.Remote)}, nil
}

type indexer struct {
	o     Options
	store *blob.Store
}

func (f *indexer) Close() error { return f.store.Close() }

// AtOnce returns how many units of a bundle run at the same time.
func (f *indexer) AtOnce() int { return cli.Workers(f.o.Workers) }

func (f *indexer) Do(ctx context.Context, element []byte) (any, error) {
	var t indexTask
	if err := json.Unmarshal(element, &t); err != nil {
		return nil, err
	}
	return f.make(ctx, t)
}

// make writes a part unless it exists: its row is written last.
func (f *indexer) make(ctx context.Context, t indexTask) (p part, err error) {
	out := f.o.Generation.Guard(folder.Open(ctx, f.o.Output, f.store))
	defer func() { err = errors.Join(err, out.Close()) }()
	row := filesets.Hidden("part-" + t.Key + ".json")
	// If the row is unreadable, the part is made again with the same bytes.
	if data, err := read(out, row); err == nil && json.Unmarshal(data, &p) == nil {
		if _, err := out.Size(partFile(t.Key)); err == nil {
			return p, nil
		}
	}
	p.Key = t.Key
	w, err := newPartWriter(out, t, f.o.Memory)
	if err != nil {
		return p, err
	}
	// abort does nothing after commit.
	defer w.abort()
	if t.Lines != "" {
		err = w.lines(ctx, f.store, t)
	} else {
		err = w.archives(ctx, f.store, t)
	}
	if err == nil {
		p.Captures, err = w.commit()
	}
	if err != nil {
		return p, err
	}
	// The row is written last: it means that its files are complete.
	data, err := json.Marshal(p)
	if err == nil {
		err = out.Write(row, data)
	}
	return p, err
}

type partWriter struct {
	task    indexTask
	out     folder.Folder
	temp    string
	file    folder.File
	buf     *bufio.Writer
	lineup  *lookup.Builder
	rejects *filesets.Rejects
	found   discovered
	counts  filesets.Captures
}

func newPartWriter(out folder.Folder, t indexTask, memory int64) (*partWriter, error) {
	// Unique, since a runner may do the same unit twice at the same time.
	w := &partWriter{task: t, out: out, temp: filesets.Hidden("tmp-" + folder.Unique())}
	var err error
	if w.file, err = out.Create(w.temp); err != nil {
		return nil, err
	}
	w.buf = bufio.NewWriterSize(w.file, 256<<10)
	w.lineup = lookup.NewBuilder(w.buf, int(memory), "")
	w.rejects = filesets.NewRejects(out, t.Key)
	return w, nil
}

func (w *partWriter) lines(ctx context.Context, store *blob.Store, t indexTask) error {
	in, err := store.Open(ctx, t.Lines)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // nothing was written
	for l, err := range cdx.NewReader(io.NewSectionReader(in, 0, in.Size()), cdx.Options{}).All() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// A bad line becomes a reject; the others are still useful.
		if errors.Is(err, cdx.ErrFormat) {
			err = w.reject(&schemas.Reject{File: t.Lines, Stage: "index", Kind: schemas.KindGarbage, Message: err.Error()})
			if err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.Lines, err)
		}
		if err := w.add(l); err != nil {
			return err
		}
	}
	return nil
}

// archives adds the captures of a unit. It reads bodies only to discover datasets.
func (w *partWriter) archives(ctx context.Context, store *blob.Store, t indexTask) error {
	// The stamps make an archive that has changed an error.
	r := work.NewReader(store.At(t.Stamps), t.Unit, archive.Options{HeadOnly: !t.Discover, MaxBody: maxLanding})
	for item, err := range r.All(ctx) {
		if err != nil {
			return err
		}
		switch c := item.Capture; {
		case item.Reject != nil:
			err = w.reject(item.Reject)
		case c == nil || c.URL == "":
		case c.Origin.Sequence > 0:
			// Several records share a compressed member, and an index line can lead only to the first.
			err = w.reject(&schemas.Reject{
				File: c.Origin.File, Offset: c.Origin.Offset, Stage: "index", Kind: schemas.KindUnsupported, URL: c.URL,
				Message: "the record does not begin a member, so that it cannot be looked up: convert the archive",
			})
		default:
			if err = w.add(lineOf(c)); err == nil && t.Discover {
				w.found.look(c)
			}
		}
		if err != nil {
			return err
		}
	}
	cli.Live.Bytes.Add(t.Unit.Bytes())
	return nil
}

func lineOf(c *schemas.Capture) cdx.Line {
	l := cdx.Line{
		Timestamp: c.Timestamp, URL: c.URL, MIME: c.MIMEDeclared, Status: c.Status, Digest: c.Digest, Length: c.Origin.Length,
		Offset: c.Origin.Offset, Filename: c.Origin.File,
	}
	// Lookup recognizes revisits by this type, as in indexes of WARC files.
	if c.RecordType == schemas.TypeRevisit {
		l.MIME = cdx.MIMERevisit
	}
	return l
}

func (w *partWriter) add(l cdx.Line) error {
	// Names are relative to the base, so that the index does not depend on where the folder is.
	l.Filename = strings.TrimPrefix(l.Filename, w.task.Dir)
	w.counts.Lines++
	cli.Live.Captures.Add(1)
	return w.lineup.Add(w.task.Base, l)
}

func (w *partWriter) reject(r *schemas.Reject) error {
	w.counts.Rejects++
	cli.Live.Reject(string(r.Kind))
	return w.rejects.Write(r)
}

func (w *partWriter) commit() (filesets.Captures, error) {
	err := w.lineup.Close()
	if err = errors.Join(err, w.buf.Flush(), w.file.Sync(), w.file.Close()); err != nil {
		return w.counts, err
	}
	w.file = nil
	// Requests and rejects come before the part, which make looks for.
	if err := w.out.Write(foundFile(w.task.Key), w.found.text()); err != nil {
		return w.counts, err
	}
	s, err := w.rejects.Commit()
	if err != nil {
		return w.counts, err
	}
	w.counts.Shards = s
	return w.counts, w.out.Rename(w.temp, partFile(w.task.Key))
}

func (w *partWriter) abort() {
	_ = w.lineup.Abort() // its result is not needed
	w.rejects.Abort()
	if w.file != nil {
		_ = w.file.Close()       // the file is dropped
		_ = w.out.Remove(w.temp) // the next run sweeps it
	}
}

// Finish merges all parts into one index. A runner that lost the result may call it again: the bytes are the same.
func (o indexed) Finish(ctx context.Context, rows *batch.Rows) (err error) {
	parts, err := batch.Decode[part](rows)
	if err != nil {
		return err
	}
	out := o.Folder(ctx)
	defer func() { err = errors.Join(err, out.Close()) }()
	// The index comes last, and afterwards the parts are removed.
	if _, err := out.Size(filesets.Hidden(o.Index)); err == nil {
		return nil
	}
	// Sorting needs local files for random access.
	temp, remove, err := folder.Scratch("fileset")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	var all filesets.Captures
	for _, p := range parts {
		all.Lines += p.Captures.Lines
		all.Rejects += p.Captures.Rejects
		all.Shards = append(all.Shards, p.Captures.Shards...)
	}
	// Parts arrive in any order, but the manifest must always have the same bytes.
	all.Sort()
	found, err := mergeFound(out, parts)
	if err == nil {
		err = out.Write(filesets.Hidden(o.Found), found)
	}
	if err == nil {
		err = o.counts(out, all)
	}
	if err == nil {
		err = o.merge(ctx, out, parts, temp)
	}
	return err
}

// counts writes the totals of the index, before the index itself.
func (o indexed) counts(out folder.Folder, all filesets.Captures) error {
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return out.Write(filesets.Hidden(o.Index+".json"), data)
}

// merge sorts the lines of all parts into the index, and then removes the parts.
func (o indexed) merge(ctx context.Context, out folder.Folder, parts []part, temp string) error {
	name := filesets.Hidden("tmp-" + folder.Unique())
	file, err := out.Create(name)
	if err != nil {
		return err
	}
	buf := bufio.NewWriterSize(file, 256<<10)
	// Lines beyond Memory go to files in temp.
	b := lookup.NewBuilder(buf, int(o.Memory), temp)
	defer func() { _ = b.Abort() }() // does nothing after Close
	for _, p := range parts {
		if err = eachLine(ctx, out, partFile(p.Key), b.AddText); err != nil {
			break
		}
	}
	if err == nil {
		err = b.Close()
	}
	// Synced before it gets its name.
	if err = errors.Join(err, buf.Flush(), file.Sync(), file.Close()); err != nil {
		return errors.Join(err, out.Remove(name))
	}
	if err := out.Rename(name, filesets.Hidden(o.Index)); err != nil {
		return err
	}
	return out.RemoveAll(filesets.Hidden("part-*"))
}

// eachLine calls do for each line of a file, without the line end.
func eachLine(ctx context.Context, f folder.Folder, name string, do func([]byte) error) error {
	r, err := f.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // it is only read
	in := bufio.NewReaderSize(r, 1<<20)
	// A Builder wrote these lines, so they are at most 1 MiB.
	for ctx.Err() == nil {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path(name), err)
		}
		if err := do(line[:len(line)-1]); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// maxRead limits files that are read whole, in bytes: a damaged one may have any size.
const maxRead = 1 << 30

// read reads a small file of the folder. A file above maxRead is an error.
func read(f folder.Folder, name string) (data []byte, err error) {
	r, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if r.Size() > maxRead {
		return nil, fmt.Errorf("%s: %d bytes, more than %d", f.Path(name), r.Size(), maxRead)
	}
	// The file may have grown.
	return io.ReadAll(io.LimitReader(r, maxRead))
}
