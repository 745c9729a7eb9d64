package setting

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Entry is a key of a configuration file.
type Entry struct {
	Name    string
	Line    int // 1 for the first
	Values  []string
	Section []Entry // the keys below this one, in place of Values
}

// maxFile limits a configuration file, in bytes.
const maxFile = 1 << 20

// ReadFile reads a YAML file: a mapping of names to a value, to a list of values, or to another such mapping. A name
// without a value has no Values. Errors name the file and the line, and show example, a line of such a file. The error
// of an empty file wraps io.EOF.
func ReadFile(name, example string) ([]Entry, error) {
	data, err := readFile(name)
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	switch err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: %w", name, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	r := reader{name, example}
	if top := doc.Content[0]; top.Kind != yaml.MappingNode {
		return nil, r.want(top)
	}
	return r.entries(doc.Content[0], 1)
}

func readFile(name string) (data []byte, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	data, err = io.ReadAll(io.LimitReader(file, maxFile+1))
	if err = errors.Join(err, file.Close()); err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s: more than 1 MiB", name)
	}
	return data, err
}

type reader struct{ name, example string }

func (r reader) want(n *yaml.Node) error {
	return fmt.Errorf("%s:%d: want lines such as %s", r.name, n.Line, r.example)
}

// entries reads a mapping that may contain mappings down to a depth of sections.
func (r reader) entries(n *yaml.Node, sections int) (list []Entry, err error) {
	for i := 0; i < len(n.Content); i += 2 {
		key, node := n.Content[i], n.Content[i+1]
		e := Entry{Name: key.Value, Line: key.Line}
		if slices.ContainsFunc(list, func(other Entry) bool { return other.Name == e.Name }) {
			return nil, fmt.Errorf("%s:%d: %s is there twice", r.name, e.Line, e.Name)
		}
		values := []*yaml.Node{node}
		switch {
		case node.Tag == "!!null":
			values = nil
		case node.Kind == yaml.MappingNode && sections > 0:
			values = nil
			if e.Section, err = r.entries(node, sections-1); err != nil {
				return nil, err
			}
		case node.Kind == yaml.SequenceNode:
			values = node.Content
		}
		for _, v := range values {
			if v.Kind != yaml.ScalarNode {
				return nil, r.want(v)
			}
			e.Values = append(e.Values, v.Value)
		}
		list = append(list, e)
	}
	return list, nil
}
