package plug

import (
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// maxBatchBytes bounds the documents of a request, in bytes. It has at least one document, however long.
const maxBatchBytes = 4 << 20

// exchange is a form in which documents and values are written.
type exchange interface {
	// batch returns a batch without documents.
	batch() batch
	// read reads the answer to a request. An error means that there is none.
	read(c *process, r request) (reply, error)
}

// field is a column of a document that a plug gets.
type field struct {
	name  string
	value any
}

// batch is documents that may be sent in one request.
type batch interface {
	// add appends a document, unless it has a value that cannot be sent.
	add(fields []field) error
	// size returns about how many bytes the documents have.
	size() int
	// request returns the request for documents from i to before j. It is valid until the batch changes.
	request(i, j int) (request, error)
	// drop removes the first n documents.
	drop(n int)
}

// request is what a process is asked.
type request struct {
	head  []byte // for a process that is asked for the first time
	bytes []byte
	n     int   // documents
	row   int64 // of the first document, in Arrow
}

// reply is the values of each document of a request, or an error for all.
type reply struct {
	list []enrich.Values
	err  error
	// It is not an answer to this request. The next one may be, so the process must end.
	astray bool
}

// askAll asks for the values of n documents, in batches. A batch that has no answer is asked again one document at a
// time. So only a document that is at fault has an error.
func (p *Plug) askAll(n int, fields func(i int) []field) []enrich.Values {
	all := make([]enrich.Values, n)
	b := p.batches.Get().(batch)
	var places []int
	send := func(n int) {
		p.askBatch(b, n, func(i int, v enrich.Values) { all[places[i]] = v })
		b.drop(n)
		places = append(places[:0], places[n:]...)
	}
	for i := range n {
		if all[i].Err = b.add(fields(i)); all[i].Err != nil {
			continue
		}
		if places = append(places, i); len(places) > 1 && b.size() > maxBatchBytes {
			send(len(places) - 1)
		}
		if len(places) == p.Batch() {
			send(len(places))
		}
	}
	send(len(places))
	p.batches.Put(b) // not after a panic, since it may have documents then
	return all
}

// askBatch asks for the values of the first n documents in one request.
func (p *Plug) askBatch(b batch, n int, set func(i int, v enrich.Values)) {
	if n > 1 {
		if list, err := p.ask(b, 0, n, 1); err == nil {
			for i, v := range list {
				set(i, v)
			}
			return
		}
	}
	for i := range n {
		// A process may also be killed from outside, so a second one is asked.
		if list, err := p.ask(b, i, i+1, 2); err != nil {
			set(i, enrich.Values{Err: err})
		} else {
			set(i, list[0])
		}
	}
}

// ask asks a process about documents from i to before j, and up to times processes in turn if they end during the
// request.
func (p *Plug) ask(b batch, i, j, times int) ([]enrich.Values, error) {
	r, err := b.request(i, j)
	if err != nil {
		return nil, err
	}
	c := <-p.idle
	answered := false
	defer func() {
		if !answered && c != nil { // a panic: the rest of the answer would be that to another request
			c.end()
			c = nil
		}
		p.idle <- c
	}()
	for attempt := 1; ; attempt++ {
		if c == nil {
			if c, err = p.start(); err != nil {
				return nil, err
			}
			if c.says.Named != p.Named || c.says.Made != p.Made || c.says.Exchange != p.Exchange {
				c.end()
				c = nil
				return nil, errors.New("the plug declares another name or version than at its start")
			}
		}
		said, err := c.ask(r, p.exchange, p.o.Timeout)
		if err == nil {
			answered = true
			if said.astray {
				c.end()
				if said.err != nil {
					said.err = fmt.Errorf("%w%s", said.err, c.lastWords())
				}
				c = nil
			}
			return said.list, said.err
		}
		c.end()
		if r.n > 1 && errors.Is(err, errExtra) { // its documents are asked again, but not those before
			p.warnOfExtra()
		}
		err = fmt.Errorf("%w%s", err, c.lastWords())
		c = nil
		if attempt >= times || !errors.Is(err, errEnded) {
			return nil, err
		}
	}
}
