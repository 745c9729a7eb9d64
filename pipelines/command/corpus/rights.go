package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/gleaner-web/gleaner/io/collection/holdings"
	"github.com/gleaner-web/gleaner/io/derived/corpora"
	"github.com/gleaner-web/gleaner/io/search/parquetscan"
	"github.com/gleaner-web/gleaner/io/storage/blob"
	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/pipelines/cli"
	"github.com/gleaner-web/gleaner/pipelines/run"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/query"
	"github.com/gleaner-web/gleaner/transforms/rights"
)

// readRights reads the files of hosts in the collections, such as robots.txt, if the recipe has the filter rights.
func (c *config) readRights(ctx context.Context, store *blob.Store, units []element) ([]rights.File, error) {
	if !c.options.Corpus.Recipe.HasRights() {
		return nil, nil
	}
	files := []rights.File{}
	var wrong error // nil, since the rows are ours
	take := func(row []byte) {
		var list []rights.File
		wrong = errors.Join(wrong, json.Unmarshal(row, &list))
		files = append(files, list...)
	}
	bundle := run.NewBundle(ctx, cli.Workers(c.options.Workers))
	for _, u := range units {
		err := bundle.Start(take, func(ctx context.Context) (row []byte, err error) {
			in := folder.Open(ctx, u.Collection, store)
			defer func() { err = errors.Join(err, in.Close()) }()
			list, err := filesOf(ctx, holdings.Part{Folder: in, Shards: u.Shards})
			if err != nil {
				return nil, err
			}
			return json.Marshal(list)
		})
		if err != nil {
			bundle.Drop()
			return nil, err
		}
	}
	if err := errors.Join(bundle.Finish(take), wrong); err != nil {
		return nil, err
	}
	files = rights.Distinct(files)
	c.options.Corpus.Hosts = corpora.HostsKey(files)
	return files, nil
}

// filesOf reads the files of hosts in a unit.
func filesOf(ctx context.Context, unit holdings.Part) (files []rights.File, err error) {
	add := func(d *schemas.Document) {
		if f, ok := rights.FileOf(d); ok {
			files = append(files, f)
		}
	}
	lines := holdings.Part{Folder: unit.Folder}
	for _, s := range unit.DocumentShards() {
		if !holdings.IsTable(s) {
			lines.Shards = append(lines.Shards, s)
		} else if err := eachFile(ctx, unit.Folder, s, add); err != nil {
			return nil, err
		}
	}
	for d, err := range lines.DocumentsBy(ctx, decodeFile) {
		if err != nil {
			return nil, err
		}
		add(d)
	}
	return files, nil
}

// gap is the cost of a request to a bucket, in bytes that could be read meanwhile.
const gap = 256 << 10

// eachFile yields the documents of a Parquet shard that may be files of hosts, with the columns that these need.
func eachFile(ctx context.Context, f folder.Folder, s schemas.Shard, yield func(*schemas.Document)) (err error) {
	where, err := query.Parse(`url = "*/robots.txt" OR url = "*/ai.txt" OR url = "*/tdmrep.json"`)
	if err != nil {
		return err
	}
	in, err := f.Open(s.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if in.Size() != s.Bytes {
		return fmt.Errorf("%w: %s", holdings.ErrChanged, f.Path(s.Name))
	}
	file, err := parquetscan.Open(in, in.Size(), parquetscan.Options{Gap: gap})
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path(s.Name), err)
	}
	for row, err := range file.Rows(ctx, where, []string{"url", "status", "timestamp", "record_type", "rights"}) {
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path(s.Name), err)
		}
		yield(row.Document)
	}
	return nil
}

// decodeFile decodes a document that may be a file of a host. Of other documents it returns empty ones.
func decodeFile(line []byte) (*schemas.Document, error) {
	d := new(schemas.Document)
	for _, name := range []string{`/robots.txt"`, `/ai.txt"`, `/tdmrep.json"`} {
		if bytes.Contains(line, []byte(name)) {
			return d, json.Unmarshal(line, d)
		}
	}
	return d, nil
}

// loaded has the files of hosts of the last corpus, for all bundles of a process.
var loaded struct {
	sync.Mutex
	key   string
	hosts *rights.Hosts
}

// hostsOf returns the files of hosts for the filter rights, or nil if the corpus does not use them.
func hostsOf(s *corpora.Steps) (*rights.Hosts, error) {
	key := s.Options.Hosts
	if key == "" {
		return nil, nil
	}
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.key == key {
		return loaded.hosts, nil
	}
	hosts, err := s.ReadRights()
	if err == nil {
		loaded.key, loaded.hosts = key, hosts
	}
	return hosts, err
}
