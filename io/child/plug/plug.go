// Package plug runs extractors of one's own in any language: child processes that read documents and write values.
//
// A process speaks lines of JSON on its standard input and output. Its first line declares it:
//
//	{"name": "edu", "version": "1", "columns": {"edu": "float"}, "reads": ["url", "text"]}
//
// For each line with a document, {"url": …, "text": …}, it answers with a line of values, {"edu": 0.7}, or with
// {"error": "…"}. A value is a string, a number, a boolean, a list of these, or null.
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
	"time"

	"github.com/gleaner-web/gleaner/schemas"
	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// Options bound a plug; the zero value takes the defaults.
type Options struct {
	Processes int           // that run at once; 1
	Timeout   time.Duration // for the declaration, and for an answer; a minute
}

// Plug is an extractor in child processes. It implements enrich.Typed.
type Plug struct {
	command string
	o       Options
	declared
	reads []schemas.Column
	html  bool // the page as UTF-8 is sent
	body  bool // the body is sent, in base64
	idle  chan *process
}

// declared is the first line of a process.
type declared struct {
	Named   string                       `json:"name"`
	Made    string                       `json:"version"`
	Typed   map[string]schemas.ValueType `json:"columns"`
	Columns []string                     `json:"-"`
	Reads   []string                     `json:"reads"`
}

// The names in reads that documents do not have as columns.
const (
	readHTML = "html"
	readBody = "body"
)

// maxLine bounds a line of a process, in bytes.
const maxLine = 1 << 20

// Open starts a process of a command, which a shell reads, and reads its declaration.
func Open(command string, o Options) (*Plug, error) {
	if o.Processes <= 0 {
		o.Processes = 1
	}
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	p := &Plug{command: command, o: o, idle: make(chan *process, o.Processes)}
	first, err := p.start()
	if err != nil {
		return nil, err
	}
	p.declared = first.says
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
	return nil
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

// Extract asks a process for a page's values.
func (p *Plug) Extract(page *enrich.Page) (map[string][]string, error) {
	fields := p.fields(page.Document(), page.Text())
	if p.html {
		fields[readHTML] = string(page.HTML())
	}
	if p.body {
		fields[readBody] = page.Capture().Body
	}
	return p.ask(fields)
}

// Score asks a process, and sets the values in d. text stands for the document's text.
func (p *Plug) Score(d *schemas.Document, text string) error {
	all, err := p.ask(p.fields(d, text))
	if err != nil {
		return err
	}
	for _, column := range slices.Sorted(maps.Keys(all)) {
		of, is := p.Typed[column]
		if !is {
			return fmt.Errorf("%q is none of its columns", column)
		}
		if err := d.SetCustom(column, of, all[column]); err != nil {
			return err
		}
	}
	return nil
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

// ask asks a process. If the process ends during the request, another one is asked, once: a process may also be killed
// from outside.
func (p *Plug) ask(fields map[string]any) (map[string][]string, error) {
	request, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	request = append(request, '\n')
	c := <-p.idle
	defer func() { p.idle <- c }()
	for attempt := 0; ; attempt++ {
		if c == nil {
			if c, err = p.start(); err != nil {
				return nil, err
			}
			if c.says.Named != p.Named || c.says.Made != p.Made {
				c.end()
				c = nil
				return nil, errors.New("the plug declares another name or version than at its start")
			}
		}
		answer, err := c.ask(request, p.o.Timeout)
		if err == nil {
			return values(answer)
		}
		c.end()
		err = fmt.Errorf("%w%s", err, c.lastWords())
		c = nil
		if attempt > 0 || !errors.Is(err, errEnded) {
			return nil, err
		}
	}
}

// fields returns the columns that the plug reads.
func (p *Plug) fields(of *schemas.Document, text string) map[string]any {
	fields := map[string]any{}
	d := reflect.ValueOf(of).Elem()
	for _, c := range p.reads {
		if c.Name == "text" { // whether documents keep it or not
			fields["text"] = text
		} else if v := d.Field(c.Place); !v.IsZero() || !c.Optional {
			fields[c.Name] = v.Interface()
		}
	}
	return fields
}

// values parses an answer.
func values(answer []byte) (map[string][]string, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(answer, &fields); err != nil {
		return nil, fmt.Errorf("the answer is not an object of JSON: %.80q", answer)
	}
	if said, is := fields["error"]; is {
		var text string
		if json.Unmarshal(said, &text) != nil {
			text = string(said)
		}
		return nil, errors.New(text)
	}
	out := map[string][]string{}
	for name, raw := range fields {
		list := []json.RawMessage{raw}
		if raw[0] == '[' {
			if err := json.Unmarshal(raw, &list); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		for _, v := range list {
			switch v[0] {
			case 'n': // null
			case '"':
				var s string
				if err := json.Unmarshal(v, &s); err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
				out[name] = append(out[name], s)
			case '{', '[':
				return nil, fmt.Errorf("%s: a value is a string, a number or a boolean", name)
			default: // numbers and booleans, as they are written
				out[name] = append(out[name], string(v))
			}
		}
	}
	return out, nil
}

// Close ends the processes. It waits for those that are at work. A process that has written more lines than documents
// may have shifted its answers. This is the last moment to see that: Close logs it.
func (p *Plug) Close() {
	for range p.o.Processes {
		if c := <-p.idle; c != nil && c.end() {
			slog.Error("a plug has written more lines than it had documents: its values may be those of other documents",
				"plug", p.Named)
		}
	}
}

// start starts a process and reads its declaration.
func (p *Plug) start() (*process, error) {
	ctx, cancel := context.WithTimeout(context.Background(), p.o.Timeout)
	defer cancel()
	c, err := begin(ctx, p.command)
	if err != nil {
		return nil, fmt.Errorf("plug %q: %w", p.command, err)
	}
	return c, nil
}
