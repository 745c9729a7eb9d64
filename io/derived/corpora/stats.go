package corpora

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/gleaner-web/gleaner/io/storage/folder"
	"github.com/gleaner-web/gleaner/io/stream/extsort"
	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/schemas"
)

// Statistics describe a finished corpus.
type Statistics struct {
	Request   string           `json:"request"`   // of the manifest
	Documents int64            `json:"documents"` // read, including refused ones
	Refused   map[string]int64 `json:"refused"`   // documents by reason
	// Clusters are documents of the corpus by their number of duplicates, in powers of 2 like Part.Lengths. It is nil
	// if the corpus has no table of clusters.
	Clusters   []int64 `json:"clusters"`
	Whole      Part    `json:"whole"`
	Divided    int     `json:"divided"`    // partitions of --partition; 0 if the corpus is not divided
	Partitions []Part  `json:"partitions"` // those with most documents, at most MaxPartitions
}

// Part describes a partition, or the whole corpus. A histogram of shares has ten elements: from 0 to .1, to .2, and so
// on.
type Part struct {
	Name      string `json:"name"` // language=fr; empty for the whole
	Documents int64  `json:"documents"`
	Bytes     int64  `json:"bytes"` // of texts, UTF-8
	// Lengths are documents by the bytes of their texts: element i counts lengths from 2^i to below twice that.
	Lengths        []int64          `json:"lengths"`
	LanguageScores [10]int64        `json:"language_scores"` // confidence of the language
	Quality        [10]int64        `json:"quality"`         // as --keep=best compares it
	Languages      Ranking          `json:"languages"`
	Domains        Ranking          `json:"domains"`
	MediaTypes     Ranking          `json:"media_types"`
	Duplicates     map[string]int64 `json:"duplicates,omitempty"` // by kind, from the table of clusters
}

// MaxPartitions limits the described partitions, because statistics are a page for people. Domains may be millions.
const MaxPartitions = 200

// ErrNoColumns means that the corpus has no format with columns.
var ErrNoColumns = errors.New("the corpus has WET files alone, which have no columns: make it with --format=parquet")

// ErrNoCorpus means that the folder has no finished corpus.
var ErrNoCorpus = errors.New("not a corpus, or one of which no run has finished")

// statRow are the columns of a row for statistics; from Parquet nothing else is read.
type statRow struct {
	Language      string        `json:"language" parquet:"language,dict"`
	LanguageScore schemas.Float `json:"language_score" parquet:"language_score"`
	Domain        string        `json:"domain" parquet:"domain,dict"`
	MediaType     string        `json:"media_type" parquet:"media_type,dict"`
}

// Stats describes the corpus in a folder, from a few columns of its shards and its signatures, without texts. Sorting
// beyond memory, in bytes, uses temporary files; it sorts six columns at a time.
func Stats(ctx context.Context, f folder.Folder, memory int) (st Statistics, err error) {
	c := &counting{f: f, sort: extsort.Options{MemoryBytes: memory}}
	// A collection has a manifest of this name too, without a request.
	err = folder.ReadJSON(f, ManifestFile, maxJSON, &c.manifest)
	if errors.Is(err, fs.ErrNotExist) || err == nil && c.manifest.Request == "" {
		return st, fmt.Errorf("%s: %w", f.Path(""), ErrNoCorpus)
	} else if err != nil {
		return st, err
	}
	m := c.manifest
	st = Statistics{Request: m.Request, Documents: m.Counts.Documents, Refused: map[string]int64{}, Partitions: []Part{}}
	for reason, r := range m.Counts.Reasons {
		st.Refused[reason] = r.Documents
	}
	files, err := c.shards()
	if err != nil {
		return st, err
	}
	c.whole = c.newPart("")
	defer func() { err = errors.Join(err, c.whole.close()) }()
	if err := c.read(ctx, files, &st); err != nil {
		return st, err
	}
	if st.Whole, err = c.whole.end(); err != nil {
		return st, err
	}
	if st.Whole.Documents != m.Counts.Kept {
		return st, fmt.Errorf("%s: %d documents, and the manifest has %d", f.Path(""), st.Whole.Documents, m.Counts.Kept)
	}
	return st, c.duplicates(&st)
}

type counting struct {
	f        folder.Folder
	manifest Manifest
	sort     extsort.Options
	whole    *part
}

// shards returns the files of one format, in the order of the corpus, which is that of its signatures.
func (c *counting) shards() (files []schemas.Shard, err error) {
	ext := map[string]string{Parquet: ".parquet", JSONL: ".jsonl.zst"}
	at := slices.IndexFunc(c.manifest.Options.Formats, func(f string) bool { return f == Parquet })
	if at < 0 {
		at = slices.Index(c.manifest.Options.Formats, JSONL)
	}
	if at < 0 {
		return nil, ErrNoColumns
	}
	for _, file := range c.manifest.Files {
		base := path.Base(file.Name)
		if strings.HasPrefix(base, "train-") && strings.HasSuffix(base, ext[c.manifest.Options.Formats[at]]) {
			files = append(files, file)
		}
	}
	// Shards are numbered across partitions.
	slices.SortFunc(files, func(a, b schemas.Shard) int { return cmp.Compare(path.Base(a.Name), path.Base(b.Name)) })
	return files, nil
}

// read counts all documents. Those of a partition are adjacent.
func (c *counting) read(ctx context.Context, files []schemas.Shard, st *Statistics) (err error) {
	signs, err := openSignatures(c.f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, signs.Close()) }()
	var now *part
	defer func() {
		if now != nil {
			err = errors.Join(err, now.close())
		}
	}()
	for i, file := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if size, err := c.f.Size(file.Name); err != nil || size != file.Bytes {
			return errors.Join(fmt.Errorf("%s: not as the manifest has it", c.f.Path(file.Name)), err)
		}
		name := partitionOf(file.Name)
		if now == nil {
			now = c.newPart(name)
		}
		err := eachStatRow(c.f, file.Name, func(r *statRow) error {
			sig, err := signs.next()
			if err == io.EOF {
				err = errRecords // fewer signatures than rows
			}
			if err != nil {
				return err
			}
			return errors.Join(now.add(r, &sig), c.whole.add(r, &sig))
		})
		if err != nil {
			return fmt.Errorf("%s: %w", c.f.Path(file.Name), err)
		}
		if name == "" || i+1 < len(files) && partitionOf(files[i+1].Name) == name {
			continue
		}
		p, err := now.end()
		if err = errors.Join(err, now.close()); err != nil {
			return err
		}
		now = nil
		st.keep(p)
	}
	if _, err := signs.next(); err != io.EOF {
		return fmt.Errorf("%s: of another corpus than the shards", c.f.Path(SignaturesFile))
	}
	return nil
}

// keep adds a partition to the largest ones, if it is one.
func (st *Statistics) keep(p Part) {
	st.Divided++
	at, _ := slices.BinarySearchFunc(st.Partitions, p, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), cmp.Compare(a.Name, b.Name))
	})
	st.Partitions = slices.Insert(st.Partitions, at, p)
	st.Partitions = st.Partitions[:min(len(st.Partitions), MaxPartitions)]
}

// partitionOf returns the folder of a partition, which is in dataDir; earlier versions had it beside.
func partitionOf(name string) string {
	dir := path.Base(path.Dir("/" + name))
	if !strings.Contains(dir, "=") {
		return ""
	}
	return dir
}

// duplicates counts the table of clusters, if it exists.
func (c *counting) duplicates(st *Statistics) error {
	if !slices.ContainsFunc(c.manifest.Files, func(f schemas.Shard) bool { return f.Name == ClustersFile }) {
		return nil
	}
	st.Clusters = []int64{}
	at := map[string]*Part{}
	for i := range st.Partitions {
		at[st.Partitions[i].Name] = &st.Partitions[i]
	}
	kept, size := "", int64(0)
	err := eachLine(c.f, ClustersFile, func(d *Duplicate) error {
		for _, p := range []*Part{&st.Whole, at[d.Partition]} {
			if p == nil {
				continue // the corpus is not divided, or the partition is not among the largest
			}
			if p.Duplicates == nil {
				p.Duplicates = map[string]int64{}
			}
			p.Duplicates[d.Reason]++
		}
		if d.Kept != kept && size > 0 {
			st.Clusters, size = addLog2(st.Clusters, size), 0
		}
		kept, size = d.Kept, size+1
		return nil
	})
	if size > 0 {
		st.Clusters = addLog2(st.Clusters, size)
	}
	return err
}

// part counts the documents of a partition.
type part struct {
	Part
	languages, domains, mediaTypes *sums
}

func (c *counting) newPart(name string) *part {
	sums := func() *sums { return newSums(extsort.New(c.sort)) }
	return &part{Part: Part{Name: name, Lengths: []int64{}}, languages: sums(), domains: sums(), mediaTypes: sums()}
}

func (p *part) add(r *statRow, sig *signature) error {
	size := int64(sig.facts.Bytes)
	p.Documents++
	p.Bytes += size
	p.Lengths = addLog2(p.Lengths, size)
	p.LanguageScores[tenth(float64(r.LanguageScore))]++
	p.Quality[tenth(float64(sig.facts.Quality)/math.MaxUint16)]++
	return errors.Join(p.languages.add(r.Language, 1, size), p.domains.add(r.Domain, 1, size),
		p.mediaTypes.add(r.MediaType, 1, size))
}

// tenth returns the index of a share; files of others may have invalid ones.
func tenth(share float64) int {
	if !(share > 0) {
		return 0
	}
	return int(min(share*10, 9))
}

func (p *part) end() (Part, error) {
	var errs [3]error
	p.Languages, errs[0] = p.languages.ranking()
	p.Domains, errs[1] = p.domains.ranking()
	p.MediaTypes, errs[2] = p.mediaTypes.ranking()
	return p.Part, errors.Join(errs[:]...)
}

func (p *part) close() error {
	return errors.Join(p.languages.sorter.Close(), p.domains.sorter.Close(), p.mediaTypes.sorter.Close())
}

// eachLine calls do with each line of a file of JSON lines.
func eachLine[T any](f folder.Folder, name string, do func(*T) error) (err error) {
	in, err := f.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	r, err := jsonl.NewReader(in)
	if err != nil {
		return err
	}
	for line, err := range r.All() {
		var v T
		if err == nil {
			err = json.Unmarshal(line, &v)
		}
		if err == nil {
			err = do(&v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
