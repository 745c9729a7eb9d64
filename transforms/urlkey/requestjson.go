package urlkey

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxJSONDepth is where Python, in which pywb is written, gives up.
const maxJSONDepth = 900

var errNotFlat = errors.New("urlkey: not JSON that has a query")

// jsonQuery returns the named values of a JSON text as a query. The name is that of the innermost object; a name that
// comes again is numbered. It returns false if the text is not JSON.
func jsonQuery(body []byte) (string, bool) {
	if !utf8.Valid(body) {
		return "", false
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	v, err := readJSON(dec, 0)
	if err != nil {
		return "", false
	}
	if _, err := dec.Token(); err != io.EOF {
		return "", false // something follows
	}
	f := flat{seen: map[string]int{}}
	if err := f.add(v, ""); err != nil {
		return "", false
	}
	return strings.Join(f.pairs, "&"), true
}

// object is a JSON object in its order. A name that is repeated keeps its first place and has its last value, as in
// Python.
type object struct {
	names  []string
	values map[string]any
}

func readJSON(dec *json.Decoder, depth int) (any, error) {
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	open, is := t.(json.Delim)
	if !is {
		return t, nil
	}
	if depth > maxJSONDepth {
		return nil, errNotFlat
	}
	o, list := object{values: map[string]any{}}, []any{}
	for dec.More() {
		name := ""
		if open == '{' {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			name, _ = key.(string) // keys are strings
		}
		v, err := readJSON(dec, depth+1)
		if err != nil {
			return nil, err
		}
		if open == '[' {
			list = append(list, v)
			continue
		}
		if _, again := o.values[name]; !again {
			o.names = append(o.names, name)
		}
		o.values[name] = v
	}
	if _, err := dec.Token(); err != nil { // the closing bracket
		return nil, err
	}
	if open == '[' {
		return list, nil
	}
	return o, nil
}

// flat collects pairs.
type flat struct {
	pairs []string
	seen  map[string]int // how often a name was numbered, from 1
}

func (f *flat) add(v any, name string) error {
	switch v := v.(type) {
	case object:
		for _, n := range v.names {
			if err := f.add(v.values[n], n); err != nil {
				return err
			}
		}
		return nil
	case []any:
		for _, each := range v {
			if err := f.add(each, name); err != nil {
				return err
			}
		}
		return nil
	}
	// Without a name there is nothing to append.
	if name == "" {
		return nil
	}
	text, err := scalar(v)
	if err == nil {
		f.pairs = append(f.pairs, quotePlus(f.unique(name))+"="+quotePlus(text))
	}
	return err
}

// unique returns the name with a number if it was there.
func (f *flat) unique(name string) string {
	n, again := f.seen[name]
	if !again {
		f.seen[name] = 1
		return name
	}
	f.seen[name] = n + 1
	numbered := name + "." + strconv.Itoa(n+1) + "_"
	if _, taken := f.seen[numbered]; !taken {
		f.seen[numbered] = 1
	}
	return numbered
}

// scalar returns a value as JavaScript writes it; numbers as Python does.
func scalar(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case nil:
		return "null", nil
	case json.Number:
		return number(string(v))
	}
	return "", errNotFlat
}

func number(s string) (string, error) {
	if !strings.ContainsAny(s, ".eE") {
		// An integer of any size. Zero has no sign.
		if s == "-0" {
			return "0", nil
		}
		return s, nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(x, 0) {
		return "", errNotFlat // Python cannot make a whole number of infinity
	}
	if x == math.Trunc(x) {
		return whole(x), nil
	}
	if exp := math.Log10(math.Abs(x)); exp < -4 || exp >= 16 {
		return strconv.FormatFloat(x, 'e', -1, 64), nil
	}
	return strconv.FormatFloat(x, 'f', -1, 64), nil
}

// whole returns a whole number with all its digits, and zero without a sign.
func whole(x float64) string {
	if x == 0 {
		return "0"
	}
	return new(big.Float).SetFloat64(x).Text('f', 0)
}
