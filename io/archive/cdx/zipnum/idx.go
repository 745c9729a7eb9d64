package zipnum

import (
	"bytes"
	"fmt"
	"sort"
	"strconv"
)

// Block is a line of an .idx file.
type Block struct {
	Key    string // "surt timestamp" of its first line
	Part   string // name of the part, to which the .loc file has paths
	Offset int64  // bytes from the part's start
	Length int64  // compressed bytes
	Number int64  // from 1; 0 if the line has none
}

// AppendTo appends the line, with its line end, to b and returns it.
func (k Block) AppendTo(b []byte) []byte {
	b = append(append(append(append(b, k.Key...), '\t'), k.Part...), '\t')
	b = append(strconv.AppendInt(b, k.Offset, 10), '\t')
	b = append(strconv.AppendInt(b, k.Length, 10), '\t')
	return append(strconv.AppendInt(b, k.Number, 10), '\n')
}

// ParseBlock parses a line of an .idx file, without its line end.
func ParseBlock(line []byte) (Block, error) {
	fields := bytes.Split(line, []byte("\t"))
	if len(fields) < 4 || len(fields) > 5 {
		return Block{}, fmt.Errorf("%w: %d fields, want 4 or 5", ErrFormat, len(fields))
	}
	k := Block{Key: string(fields[0]), Part: string(fields[1])}
	if k.Key == "" || k.Part == "" {
		return Block{}, fmt.Errorf("%w: no key or no part", ErrFormat)
	}
	names := [...]string{"offset", "length", "number"}
	for i, to := range []*int64{&k.Offset, &k.Length, &k.Number} {
		if i+2 == len(fields) {
			break // the number may be missing
		}
		// ParseUint refuses signs; 63 bits fit into the type.
		n, err := strconv.ParseUint(string(fields[i+2]), 10, 63)
		if err != nil {
			return Block{}, fmt.Errorf("%w: %s %.40q", ErrFormat, names[i], fields[i+2])
		}
		*to = int64(n)
	}
	if k.Length == 0 {
		return Block{}, fmt.Errorf("%w: length 0", ErrFormat)
	}
	return k, nil
}

// table is an .idx file in memory: its text, and the offset of each line in it.
type table struct {
	name  string // of the file
	text  []byte
	lines []int64
}

// parseTable checks the text of an .idx file: the form of each line, and the order of keys.
func parseTable(name string, text []byte) (*table, error) {
	t := &table{name: name, text: text}
	last := ""
	for at := 0; at < len(text); {
		line := text[at:]
		next := len(text)
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line, next = line[:end], at+end+1
		}
		if line = bytes.TrimSuffix(line, []byte("\r")); len(line) > 0 {
			k, err := ParseBlock(line)
			if err == nil && k.Key < last {
				err = fmt.Errorf("%w: key %.80q after %.80q", ErrOrder, k.Key, last)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: line at byte %d: %w", name, at, err)
			}
			last = k.Key
			t.lines = append(t.lines, int64(at))
		}
		at = next
	}
	return t, nil
}

// block returns a line of the table, which parseTable has checked.
func (t *table) block(i int) Block {
	line, _, _ := bytes.Cut(t.text[t.lines[i]:], []byte("\n"))
	k, _ := ParseBlock(bytes.TrimSuffix(line, []byte("\r")))
	return k
}

// key returns the key of a block without copying it.
func (t *table) key(i int) []byte {
	line := t.text[t.lines[i]:]
	return line[:bytes.IndexByte(line, '\t')]
}

// first returns the first block that may have a line from key on. That is the last one that begins before key, since
// the key may be inside it. A block that begins with the key may continue the one before.
func (t *table) first(key []byte) int {
	i := sort.Search(len(t.lines), func(i int) bool { return bytes.Compare(t.key(i), key) >= 0 })
	return max(0, i-1)
}
