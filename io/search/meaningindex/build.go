package meaningindex

import (
	"fmt"
	"iter"
	"math"
	"runtime"
	"sync"

	"github.com/gleaner-web/gleaner/io/search/imageindex"
	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/meaning"
	"github.com/gleaner-web/gleaner/transforms/query"
)

// Columns are the columns of documents that the index is made of.
var Columns = []string{"filename", "offset", "sequence", "surt", "text", "timestamp", "title"}

const (
	maxDim = 1024
	// maxPassages bounds the passages of a document: 200,000 words. The rest of a longer text is not found.
	maxPassages = 1000
	// maxTitle bounds the bytes of a title that count.
	maxTitle = 300
	// batchBytes is about how much text a goroutine gets at once.
	batchBytes = 1 << 18
)

// batch are documents of a shard in sequence, and then their passages.
type batch struct {
	rows  []uint32
	list  []*schemas.Document
	bytes int
	part  part
	done  chan struct{}
}

// build makes the part of a shard from its documents, in their order. Goroutines make the vectors, and their number
// changes nothing.
func build(m *meaning.Model, documents iter.Seq2[*schemas.Document, error]) (*part, error) {
	workers := runtime.GOMAXPROCS(0)
	todo, queue := make(chan *batch), make(chan *batch, 2*workers)
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			e := meaning.NewEncoder(m)
			for b := range todo {
				b.encode(e)
				close(b.done)
			}
		})
	}
	all := &part{dim: m.Dim}
	var failed error
	working.Go(func() {
		defer close(todo)
		defer close(queue)
		failed = divide(documents, func(b *batch) {
			queue <- b
			todo <- b
		})
	})
	for b := range queue {
		<-b.done
		all.append(&b.part)
	}
	working.Wait()
	if failed == nil && (len(all.passages) > math.MaxUint32 || !all.link()) {
		failed = fmt.Errorf("meaningindex: the shard has too many passages")
	}
	return all, failed
}

// divide calls send with batches of the documents that have a text.
func divide(documents iter.Seq2[*schemas.Document, error], send func(*batch)) error {
	b := &batch{done: make(chan struct{})}
	row := uint32(0)
	for d, err := range documents {
		if err != nil {
			return err
		}
		if d.Text != "" {
			b.rows, b.list = append(b.rows, row), append(b.list, d)
			b.bytes += len(d.Text)
		}
		if row++; b.bytes >= batchBytes {
			send(b)
			b = &batch{done: make(chan struct{})}
		}
	}
	if len(b.list) > 0 {
		send(b)
	}
	return nil
}

// encode makes the passages of a batch, and lets go of its documents.
func (b *batch) encode(e *meaning.Encoder) {
	for i, d := range b.list {
		entry := document{
			surt: hashOf(d.SURT), place: imageindex.Place(d), row: b.rows[i], first: uint32(len(b.part.passages)),
		}
		if t := query.KeyOf(d).Timestamp; !t.IsZero() {
			entry.time = t.UnixMicro()
		}
		title := clip(d.Title, maxTitle)
		for _, at := range meaning.Split(d.Text, maxPassages) {
			b.part.add(at, meaning.Quantize(e.Vector(title, d.Text[at.From:at.To])))
		}
		b.part.documents = append(b.part.documents, entry)
	}
	b.list = nil
}

// append adds the documents of another part of the shard.
func (p *part) append(q *part) {
	n := uint32(len(p.passages))
	for _, d := range q.documents {
		d.first += n
		p.documents = append(p.documents, d)
	}
	p.passages = append(p.passages, q.passages...)
	p.values = append(p.values, q.values...)
	p.signs = append(p.signs, q.signs...)
}

// clip returns the beginning of a text, of at most n bytes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}
