package corpora

import (
	"encoding/json"
	"errors"

	"github.com/gleaner-web/gleaner/io/stream/jsonl"
	"github.com/gleaner-web/gleaner/transforms/rights"
)

// The filter rights needs the files of hosts, such as robots.txt, of all collections. They are known before the step
// sign. Its workers read them from a file between the steps.

// HostsKey identifies what the files of hosts state. They are in the order of rights.Distinct.
func HostsKey(files []rights.File) string {
	values := []any{"rights", layout, rights.Version}
	for _, f := range files {
		values = append(values, f)
	}
	return keyOf(values...)
}

func rightsFile(key string) string { return hidden("rights", key, ".jsonl.zst") }

// WriteRights writes the files of hosts, whose key is Options.Hosts.
func (s *Steps) WriteRights(files []rights.File) error {
	name := rightsFile(s.Options.Hosts)
	if ok, err := s.has(name); ok || err != nil {
		return err
	}
	o, err := create(s.Out)
	if err != nil {
		return err
	}
	defer o.abort()
	w, err := jsonl.NewWriter(o, jsonl.Zstd)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := w.Write(f); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	_, err = o.commit(name)
	return err
}

// ReadRights reads what WriteRights has written.
func (s *Steps) ReadRights() (h *rights.Hosts, err error) {
	in, err := s.Out.Open(rightsFile(s.Options.Hosts))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	r, err := jsonl.NewReader(in)
	if err != nil {
		return nil, err
	}
	var files []rights.File
	for line, err := range r.All() {
		var f rights.File
		if err == nil {
			err = json.Unmarshal(line, &f)
		}
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return rights.NewHosts(files), nil
}
