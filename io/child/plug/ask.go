package plug

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// maxBatchBytes bounds the documents of a line, in bytes. A line has at least one document, however long.
const maxBatchBytes = 4 << 20

// askAll asks for the values of n documents, in batches. A batch that has no answer is asked again one document at a
// time. So only a document that is at fault has an error.
func (p *Plug) askAll(n int, fields func(i int) []field) []enrich.Values {
	all := make([]enrich.Values, n)
	var batch batch
	var places []int
	end := func() {
		p.askBatch(batch, func(i int, v enrich.Values) { all[places[i]] = v })
		batch.text, batch.ends, places = batch.text[:0], batch.ends[:0], places[:0]
	}
	for i := range n {
		before := len(batch.text)
		if all[i].Err = batch.add(fields(i)); all[i].Err != nil {
			continue
		}
		if len(places) == p.Batch() || before > 0 && len(batch.text) > maxBatchBytes {
			last := bytes.Clone(batch.document(len(places)))
			batch.text, batch.ends = batch.text[:before], batch.ends[:len(places)]
			end()
			batch.text, batch.ends = append(batch.text, last...), append(batch.ends, len(last))
		}
		places = append(places, i)
	}
	end()
	return all
}

// askBatch asks for the values of documents that fit into one line.
func (p *Plug) askBatch(batch batch, set func(i int, v enrich.Values)) {
	n := len(batch.ends)
	if n > 1 {
		if list, err := p.ask(batch.text, n, 1); err == nil {
			for i, raw := range list {
				set(i, valuesOf(raw))
			}
			return
		}
	}
	for i := range n {
		// A process may also be killed from outside, so a second one is asked.
		if list, err := p.ask(batch.document(i), 1, 2); err != nil {
			set(i, enrich.Values{Err: err})
		} else {
			set(i, valuesOf(list[0]))
		}
	}
}

func valuesOf(answer []byte) (v enrich.Values) {
	v.ByColumn, v.Err = values(answer)
	return v
}

// split returns the values of n documents. It returns astray if the line is not an answer. The next line may be the
// answer then, so the process must end.
func (p *Plug) split(answer []byte, n int) (list []json.RawMessage, astray bool, err error) {
	var object map[string]json.RawMessage
	isObject := json.Unmarshal(answer, &object) == nil // also null
	if p.Size == nil {
		return []json.RawMessage{answer}, !isObject || p.isForeign(object), nil
	}
	if object["error"] != nil { // for the whole batch
		_, err := values(answer)
		return nil, false, err
	}
	if json.Unmarshal(answer, &list) != nil {
		return nil, true, fmt.Errorf("the answer to a batch is not a list of JSON: %.80q", answer)
	}
	if len(list) != n {
		return nil, true, fmt.Errorf("the answer has %d values for %d documents", len(list), n)
	}
	return list, false, nil
}

// isForeign reports whether an object has a name that the plug has not declared, as a line of a log has.
func (p *Plug) isForeign(object map[string]json.RawMessage) bool {
	for name := range object {
		if _, declared := p.Typed[name]; !declared && name != "error" {
			return true
		}
	}
	return false
}

// ask asks a process about n documents, and up to times processes in turn if they end during the request.
func (p *Plug) ask(documents []byte, n, times int) ([]json.RawMessage, error) {
	request := append(documents[:len(documents):len(documents)], '\n')
	if p.Size != nil {
		request = slices.Concat([]byte{'['}, documents, []byte("]\n"))
	}
	c := <-p.idle
	defer func() { p.idle <- c }()
	for attempt := 1; ; attempt++ {
		if c == nil {
			var err error
			if c, err = p.start(); err != nil {
				return nil, err
			}
			if c.says.Named != p.Named || c.says.Made != p.Made {
				c.end()
				c = nil
				return nil, errors.New("the plug declares another name or version than at its start")
			}
		}
		answer, err := c.ask(request, n, p.o.Timeout)
		if err == nil {
			list, astray, err := p.split(bytes.Clone(answer), n) // another caller may use the process soon
			if astray {
				c.end()
				c = nil
			}
			return list, err
		}
		c.end()
		if n > 1 && errors.Is(err, errExtra) { // its documents are asked again, but not those before
			p.warnOfExtra()
		}
		err = fmt.Errorf("%w%s", err, c.lastWords())
		c = nil
		if attempt >= times || !errors.Is(err, errEnded) {
			return nil, err
		}
	}
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
