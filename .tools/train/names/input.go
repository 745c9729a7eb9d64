package main

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/gleaner-web/gleaner/transforms/entity/tagger/model"
)

// text is a document with its names.
type text struct {
	text  string
	names []model.Span
}

var kinds = map[string]model.Type{"person": model.Person, "organization": model.Organization, "place": model.Location}

// readLines returns the sentences of a language in NTREX-128's pages: lines of a code, a tab, and sentences between
// which stands \n.
func readLines(file, language string) (lines []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if code, page, _ := strings.Cut(s.Text(), "\t"); code == language {
			lines = append(lines, strings.Split(page, `\n`)...)
		}
	}
	return lines, s.Err()
}

// readLabels returns the documents of a file of labels. A line "# 105 153" begins a document of the sentences from 105
// to before 153. A line of four fields is a name: the number of its sentence, the bytes where it starts and ends in
// it, and its type.
func readLabels(file string, lines []string) (all []text, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var first int
	var starts []int // of the document's sentences
	for line := range strings.Lines(string(data)) {
		var i, start, end int
		var kind string
		if n, _ := fmt.Sscanf(line, "# %d %d", &start, &end); n == 2 {
			first, starts = start, nil
			var t text
			for _, l := range lines[start:end] {
				starts = append(starts, len(t.text))
				t.text += l + "\n"
			}
			all = append(all, t)
			continue
		}
		if _, err := fmt.Sscanf(line, "%d\t%d\t%d\t%s", &i, &start, &end, &kind); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", file, line, err)
		}
		t, at := &all[len(all)-1], starts[i-first]
		t.names = append(t.names, model.Span{Start: at + start, End: at + end, Type: kinds[kind]})
	}
	return all, nil
}

// readLists sets the lists of m from a file with a number, a tab and a name in each line.
func readLists(m *model.Linear, file string) error {
	m.Lists = make([]byte, 4)
	kinds := map[uint64]uint8{}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(data)) {
		n, name, ok := strings.Cut(strings.TrimSpace(line), "\t")
		k, err := strconv.Atoi(n)
		if !ok || err != nil {
			return fmt.Errorf("%s: %q", file, line)
		}
		if h := m.HashList(name); h != 0 {
			kinds[h] |= uint8(k) & 127
		}
	}
	size := 1
	for size*4 < len(kinds)*5 {
		size *= 2
	}
	m.Lists = listTable(kinds, size)
	return nil
}

// listTable returns a table of so many slots. The lowest hashes come first, so the file does not depend on a map.
func listTable(kinds map[uint64]uint8, size int) []byte {
	table := make([]byte, 4*size)
	for _, h := range sorted(kinds) {
		i := int(h) & (size - 1)
		for binary.LittleEndian.Uint32(table[4*i:]) != 0 {
			i = (i + 1) & (size - 1)
		}
		binary.LittleEndian.PutUint32(table[4*i:], uint32(h>>39<<7)|uint32(kinds[h]))
	}
	return table
}
