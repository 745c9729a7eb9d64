package sinks

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// maxFile bounds the file of --sink, in bytes: it holds a line for each of some dozens of settings.
const maxFile = 1 << 20

// fromFile gives settings the values of a YAML file: a mapping of their names to a value, or to several. A setting
// that is a flag on the command line keeps the value that it has there, so that one run can differ from the file.
//
//	elastic: [http://node1:9200, http://node2:9200]
//	elastic_retry_timeout: 1h
func (s Sinks) fromFile(f *cli.Flags, name string) error {
	values, err := readFile(name)
	if err != nil {
		return err
	}
	set := flag.NewFlagSet("sink", flag.ContinueOnError)
	// Flags of a set that nobody parses: what is wrong with a value is found, and said, as on the command line.
	own := cli.NewFlags(set, cli.Command{})
	take := map[string]func(){}
	var known []string
	for _, k := range table {
		for _, d := range s.configs[k.name].Settings() {
			d.Default = "" // it has been given already
			take[d.Name] = addFlag(own, d, k.group)
			known = append(known, d.Name)
		}
	}
	for _, v := range values {
		give := take[v.name]
		if give == nil {
			return fmt.Errorf("%s:%d: there is no %s%s", name, v.line, v.name, cli.Suggest(v.name, known, ""))
		}
		if f.Set(v.name) {
			continue
		}
		for _, text := range v.texts {
			if err := set.Set(v.name, text); err != nil {
				return fmt.Errorf("%s:%d: %s: %w", name, v.line, v.name, err)
			}
		}
		give()
	}
	return nil
}

// value is what a file says of one setting.
type value struct {
	name  string
	line  int // 1 for the first
	texts []string
}

// readFile reads the settings of a file, in its order.
func readFile(name string) (values []value, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s: more than 1 MiB", name)
	}
	var doc yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&doc); err != nil {
		return nil, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	const want = "%s:%d: want lines such as elastic_retry_timeout: 1h"
	top := doc.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, fmt.Errorf(want, name, top.Line)
	}
	for i := 0; i < len(top.Content); i += 2 {
		key, node := top.Content[i], top.Content[i+1]
		v := value{name: key.Value, line: key.Line}
		list := []*yaml.Node{node}
		if node.Kind == yaml.SequenceNode {
			list = node.Content
		}
		for _, n := range list {
			if n.Kind != yaml.ScalarNode {
				return nil, fmt.Errorf(want, name, n.Line)
			}
			v.texts = append(v.texts, n.Value)
		}
		if slices.ContainsFunc(values, func(w value) bool { return w.name == v.name }) {
			return nil, fmt.Errorf("%s:%d: %s is there twice", name, v.line, v.name)
		}
		values = append(values, v)
	}
	return values, nil
}
