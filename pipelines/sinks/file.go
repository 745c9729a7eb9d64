package sinks

import (
	"fmt"

	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// fromFile gives settings the values of a YAML file: a mapping of their names to a value, or to several. Flags on the
// command line override the file, so that one run can differ from it.
//
//	elastic: [http://node1:9200, http://node2:9200]
//	elastic_retry_timeout: 1h
func (s Sinks) fromFile(f *cli.Flags, name string) error {
	entries, err := setting.ReadFile(name, "elastic_retry_timeout: 1h")
	if err != nil {
		return err
	}
	known := map[string]setting.Setting{}
	var names []string
	for _, d := range s.settings() {
		d.Default = "" // the setting has its default already
		known[d.Name] = d
		names = append(names, d.Name)
	}
	for _, e := range entries {
		d, ok := known[e.Name]
		switch {
		case !ok:
			return fmt.Errorf("%s:%d: there is no %s%s", name, e.Line, e.Name, cli.Suggest(e.Name, names, ""))
		case len(e.Section) > 0:
			return fmt.Errorf("%s:%d: want lines such as elastic_retry_timeout: 1h", name, e.Section[0].Line)
		case f.Given(e.Name):
			continue
		}
		to, err := d.Flag()
		for _, text := range e.Values {
			if err == nil {
				err = to.Set(text)
			}
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %s: %w", name, e.Line, e.Name, err)
		}
	}
	return nil
}
