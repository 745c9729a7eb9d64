package plug

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// maxBatchBytes bounds the documents of a line, in bytes. A line has at least one document, however long.
const maxBatchBytes = 4 << 20

// askAll asks for the values of n documents, in batches. A batch that has no answer is asked again one document at a
// time. So only a document that is at fault has an error.
func (p *Plug) askAll(n int, fields func(i int) map[string]any) []enrich.Values {
	all := make([]enrich.Values, n)
	var batch [][]byte
	var places []int
	size := 0
	end := func() {
		p.askBatch(batch, func(i int, v enrich.Values) { all[places[i]] = v })
		batch, places, size = batch[:0], places[:0], 0
	}
	for i := range n {
		request, err := encode(fields(i))
		if err != nil {
			all[i].Err = err
			continue
		}
		if len(batch) == p.Batch() || size+len(request) > maxBatchBytes {
			end()
		}
		batch, places, size = append(batch, request), append(places, i), size+len(request)
	}
	end()
	return all
}

// encode returns a document as a line, without the line feed.
func encode(fields map[string]any) ([]byte, error) {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	err := to.Encode(fields)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// askBatch asks for the values of documents that fit into one line.
func (p *Plug) askBatch(batch [][]byte, set func(i int, v enrich.Values)) {
	if len(batch) > 1 {
		if list, err := p.ask(batch, 1); err == nil {
			for i, raw := range list {
				set(i, valuesOf(raw))
			}
			return
		}
	}
	for i := range batch {
		// A process may also be killed from outside, so a second one is asked.
		if list, err := p.ask(batch[i:i+1], 2); err != nil {
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

// request returns documents as a line: one alone as an object if the plug has no batches, others as a list.
func (p *Plug) request(batch [][]byte) []byte {
	if p.Size == nil {
		return append(batch[0], '\n')
	}
	list := append([]byte{'['}, bytes.Join(batch, []byte{','})...)
	return append(list, ']', '\n')
}

// split returns the values of n documents. It returns astray if the line is not an answer. The next line may be the
// answer then, so the process must end.
func (p *Plug) split(answer []byte, n int) (list []json.RawMessage, astray bool, err error) {
	if p.Size == nil {
		return []json.RawMessage{answer}, !enclosed(answer, "{}") && string(answer) != "null", nil
	}
	if enclosed(answer, "{}") { // a process may answer a batch with {"error": …}
		if _, err := values(answer); err != nil {
			return nil, false, err
		}
	}
	if json.Unmarshal(answer, &list) != nil {
		return nil, !enclosed(answer, "[]"), fmt.Errorf("the answer to a batch is not a list of JSON: %.80q", answer)
	}
	if len(list) != n {
		return nil, false, fmt.Errorf("the answer has %d values for %d documents", len(list), n)
	}
	return list, false, nil
}

// enclosed reports whether an answer begins and ends with these brackets.
func enclosed(answer []byte, brackets string) bool {
	return len(answer) > 1 && answer[0] == brackets[0] && answer[len(answer)-1] == brackets[1]
}

// ask asks a process about documents, and up to times processes in turn if they end during the request.
func (p *Plug) ask(batch [][]byte, times int) ([]json.RawMessage, error) {
	request := p.request(batch)
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
		answer, err := c.ask(request, len(batch), p.o.Timeout)
		if err == nil {
			list, astray, err := p.split(bytes.Clone(answer), len(batch)) // another caller may use the process soon
			if astray {
				c.end()
				c = nil
			}
			return list, err
		}
		c.end()
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
