// Package plug runs extractors of one's own in any language: child processes that read documents and write values.
//
// A process speaks lines of JSON on its standard input and output. Its first line declares it:
//
//	{"name": "edu", "version": "1", "columns": {"edu": "float"}, "reads": ["url", "text"]}
//
// For each line with a document, {"url": …, "text": …}, it answers with a line of values, {"edu": 0.7}, or with
// {"error": "…"}. A value is a string, a number, a boolean, a list of these, or null. With "batch": 64 in the
// declaration, a line is a list of up to 64 documents, and its answer is the list of their values. With
// "exchange": "arrow", documents and values are record batches of Arrow streams instead of lines.
package plug

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// Options bound a plug; the zero value takes the defaults.
type Options struct {
	Processes int           // that run at once; 1
	Timeout   time.Duration // for the answer to a document; a minute
	Start     time.Duration // for the declaration, before which models are loaded; Timeout, and at least a minute
}

// Plug is an extractor in child processes. It implements enrich.Typed and enrich.Batched.
type Plug struct {
	command string
	o       Options
	declaration
	reads []schemas.Column
	html  bool // the page as UTF-8 is sent
	body  bool // the body is sent, in base64 as JSON
	idle  chan *process

	exchange exchange
	batches  sync.Pool // of batch
	warned   sync.Once // of extra lines
}

// declared is the part of a declaration that makes the plug's version.
type declared struct {
	Named   string                       `json:"name"`
	Made    string                       `json:"version"`
	Typed   map[string]schemas.ValueType `json:"columns"`
	Columns []string                     `json:"-"`
	Reads   []string                     `json:"reads"`
}

// declaration is the first line of a process. What it has besides declared changes no value.
type declaration struct {
	declared
	Size     *int   `json:"batch"` // nil if each document has a line
	Exchange string `json:"exchange"`
}

// The values of exchange.
const (
	exchangeJSON  = "json"
	exchangeArrow = "arrow"
)

// maxBatch bounds the documents of a line: more cost memory, and save no time.
const maxBatch = 1024

// The names in reads that documents do not have as columns.
const (
	readHTML = "html"
	readBody = "body"
)

// maxLine bounds a line of a process, in bytes.
const maxLine = 1 << 20

// maxAnswer bounds the answer to a batch, in bytes.
const maxAnswer = 8 << 20

// Open starts a process of a command, which a shell reads, and reads its declaration.
func Open(command string, o Options) (*Plug, error) {
	if o.Processes <= 0 {
		o.Processes = 1
	}
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	if o.Start <= 0 {
		o.Start = max(o.Timeout, time.Minute)
	}
	p := &Plug{command: command, o: o, idle: make(chan *process, o.Processes)}
	first, err := p.start()
	if err != nil {
		return nil, err
	}
	p.declaration = first.says
	if err := p.check(); err != nil {
		first.end()
		return nil, fmt.Errorf("plug %q: %w", command, err)
	}
	p.idle <- first
	for range o.Processes - 1 {
		p.idle <- nil // started when it is needed
	}
	return p, nil
}

// check reads the declaration.
func (p *Plug) check() error {
	if p.Named == "" || p.Made == "" || len(p.Typed) == 0 {
		return errors.New("its first line must declare name, version and columns")
	}
	if p.Size != nil && (*p.Size < 1 || *p.Size > maxBatch) {
		return fmt.Errorf("batch is %d; it can be 1 to %d documents", *p.Size, maxBatch)
	}
	if _, is := p.Typed["error"]; is {
		return errors.New(`"error" cannot be one of its columns: it is the protocol's`)
	}
	p.declared.Columns = slices.Sorted(maps.Keys(p.Typed))
	if p.Reads == nil {
		p.Reads = []string{"url", "text"}
	}
	for _, name := range p.Reads {
		i := slices.IndexFunc(schemas.Columns(), func(c schemas.Column) bool { return c.Name == name })
		switch {
		case name == readHTML:
			p.html = true
		case name == readBody:
			p.body = true
		case i < 0:
			return fmt.Errorf("documents have no column %q, which it reads", name)
		default:
			p.reads = append(p.reads, schemas.Columns()[i])
		}
	}
	return p.chooseExchange()
}

func (p *Plug) chooseExchange() (err error) {
	switch p.Exchange {
	case "", exchangeJSON:
		p.exchange = lines{p.Size != nil, p.Typed}
	case exchangeArrow:
		p.exchange, err = newArrows(p)
	default:
		err = fmt.Errorf("there is no exchange %q: it can be %s or %s", p.Exchange, exchangeJSON, exchangeArrow)
	}
	p.batches.New = func() any { return p.exchange.batch() }
	return err
}

// Name returns the declared name.
func (p *Plug) Name() string { return p.Named }

// Version returns the declared version, and what the plug is declared to read and to make.
func (p *Plug) Version() string {
	text, _ := json.Marshal(p.declared) // strings
	return p.Made + " " + string(text)
}

// Columns returns the declared columns.
func (p *Plug) Columns() []string { return p.declared.Columns }

// Types returns the types of the declared columns.
func (p *Plug) Types() map[string]schemas.ValueType { return p.Typed }

// Batch returns how many documents a line has at most.
func (p *Plug) Batch() int {
	if p.Size == nil {
		return 1
	}
	return *p.Size
}

// Extract asks a process for a page's values.
func (p *Plug) Extract(page *enrich.Page) (map[string][]string, error) {
	v := p.ExtractAll([]enrich.Kept{{Document: page.Document(), Data: p.Keep(page)}})[0]
	return v.ByColumn, v.Err
}

// kept is what a plug reads of a page besides its document.
type kept struct {
	text, html string
	body       []byte
}

// Keep returns what the plug reads of a page besides its document.
func (p *Plug) Keep(page *enrich.Page) any {
	k := kept{text: page.Text()}
	if p.html {
		k.html = string(page.HTML())
	}
	if p.body {
		k.body = slices.Clone(page.Capture().Body) // may be overwritten before the batch is full
	}
	return k
}

// KeepsPages reports whether the plug reads pages or bodies.
func (p *Plug) KeepsPages() bool { return p.html || p.body }

// ExtractAll asks processes for the values of pages.
func (p *Plug) ExtractAll(pages []enrich.Kept) []enrich.Values {
	return p.askAll(len(pages), func(i int) []field {
		k, _ := pages[i].Data.(kept) // missing if its text could not be made
		fields := p.fields(pages[i].Document, k.text)
		if p.html {
			fields = append(fields, field{readHTML, k.html})
		}
		if p.body {
			fields = append(fields, field{readBody, k.body})
		}
		return fields
	})
}

// Score asks processes, and sets the values in documents, which lose those that they had in the plug's columns. The
// texts stand for those of the documents. It returns an error or nil for each document.
func (p *Plug) Score(documents []*schemas.Document, texts []string) []error {
	all := p.askAll(len(documents), func(i int) []field { return p.fields(documents[i], texts[i]) })
	errs := make([]error, len(all))
	for i, v := range all {
		documents[i].DropCustom(p.Columns()...)
		if errs[i] = v.Err; v.Err == nil {
			errs[i] = enrich.SetValues(documents[i], p, v.ByColumn)
		}
	}
	return errs
}

// ReadsCapture returns a name in reads that only captures have, and documents of a collection do not, or "".
func (p *Plug) ReadsCapture() string {
	switch {
	case p.html:
		return readHTML
	case p.body:
		return readBody
	}
	return ""
}

// fields returns the columns that the plug reads, with the document's text.
func (p *Plug) fields(of *schemas.Document, text string) (list []field) {
	d := reflect.ValueOf(of).Elem()
	for _, c := range p.reads {
		if c.Name == "text" { // whether documents keep it or not
			list = append(list, field{"text", text})
		} else if v := d.Field(c.Place); !v.IsZero() || !c.Optional {
			list = append(list, field{c.Name, v.Interface()})
		}
	}
	return list
}

// Close ends the processes. It waits for those that are at work. A process that has written more lines than documents
// may have shifted its answers. This is the last moment to see that: Close logs it.
func (p *Plug) Close() {
	for range p.o.Processes {
		if c := <-p.idle; c != nil && c.end() {
			p.warnOfExtra()
		}
	}
}

// warnOfExtra logs, once, that answers may have been to other questions.
func (p *Plug) warnOfExtra() {
	p.warned.Do(func() {
		slog.Error("a plug has written more lines than it had documents: its values may be those of other documents",
			"plug", p.Named)
	})
}

// start starts a process and reads its declaration.
func (p *Plug) start() (*process, error) {
	ctx, cancel := context.WithTimeout(context.Background(), p.o.Start)
	defer cancel()
	c, err := begin(ctx, p.command)
	if err != nil {
		return nil, fmt.Errorf("plug %q: %w", p.command, err)
	}
	return c, nil
}
