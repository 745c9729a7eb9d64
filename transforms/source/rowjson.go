package source

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/gleaner-web/gleaner/schemas"
)

// The parts of a row that Renew writes, for hundreds of thousands of rows per crawl. Written by hand they take a fifth
// of the time of package encoding/json, with the same output.

func appendEntities(b []byte, list []schemas.SourceEntity) []byte {
	b = append(b, '[')
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendText(append(b, `{"type":`...), e.Type)
		b = AppendText(append(b, `,"text":`...), e.Text)
		b = appendNumber(append(b, `,"pages":`...), e.Pages)
		b = append(b, '}')
	}
	return append(b, ']')
}

func appendRefresh(b []byte, r schemas.SourceRefresh) []byte {
	b = appendFloat(append(b, `{"rate":`...), r.Rate)
	b = appendFloat(append(b, `,"interval":`...), r.Interval)
	if r.Next != "" {
		b = AppendText(append(b, `,"next":`...), r.Next)
	}
	b = AppendText(append(b, `,"basis":`...), r.Basis)
	if r.Window != 0 {
		b = appendNumber(append(b, `,"window":`...), r.Window)
	}
	b = appendNumber(append(b, `,"lost":`...), r.Lost)
	return append(b, '}')
}

func appendHealth(b []byte, h schemas.SourceHealth) []byte {
	b = AppendText(append(b, `{"state":`...), h.State)
	b = appendFloat(append(b, `,"failures":`...), h.Failures)
	b = append(b, `,"last":[`...)
	for i, status := range h.Last {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendNumber(b, status)
	}
	return append(b, `]}`...)
}

func appendNumber(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// appendFloat writes a rate, share or number of hours, which are finite.
func appendFloat(b []byte, f schemas.Float) []byte {
	text, err := f.MarshalJSON()
	if err != nil {
		return append(b, "null"...)
	}
	return append(b, text...)
}

// AppendText writes a text as package encoding/json does, with a fast path for plain ASCII.
func AppendText(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return appendJSON(b, s)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// appendJSON writes like package jsonl: HTML is not escaped.
func appendJSON(b []byte, v any) []byte {
	buf := bytes.NewBuffer(b)
	e := json.NewEncoder(buf)
	e.SetEscapeHTML(false)
	// These are texts, numbers and lists of them, which cannot fail.
	_ = e.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte{'\n'})
}
