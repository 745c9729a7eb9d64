package sinks

import (
	"github.com/gleaner-web/gleaner/io/storage/setting"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// Flags are the flags of all sinks.
type Flags struct {
	sinks      Sinks
	file, ache string // --sink and --ache_config
	flags      *cli.Flags
}

// NewFlags adds the flags of all sinks to f.
func NewFlags(f *cli.Flags) *Flags {
	s := &Flags{sinks: none(), flags: f}
	f.Add([]setting.Setting{{
		Name: "sink", Value: &s.file, Example: "sinks.yml", Group: "Output",
		Help: "a YAML file with settings of servers: those of the flags below by their names, and such as time-outs, which " +
			"are not flags (docs/formats/elasticsearch.md, docs/hbase.md). Flags that are given besides win",
	}}, s.sinks.settings(), []setting.Setting{{
		Name: "ache_config", Value: &s.ache, Example: "ache.yml", Group: "Output",
		Help: "send pages where ACHE would with this ache.yml, and as it would: where target_storage.data_formats or " +
			"data_format.type has ELASTICSEARCH or KAFKA, the keys of that are followed. Flags about servers that are " +
			"given besides win",
	}})
	return s
}

// settings returns the settings of all sinks, each in the group of its sink.
func (s Sinks) settings() (list []setting.Setting) {
	for _, k := range table {
		for _, d := range s.configs[k.name].Settings() {
			d.Group = k.group
			list = append(list, d)
		}
	}
	return list
}

// Read returns the configured sinks, or a UsageError; call it after parsing. ACHE's configuration sets only what flags
// leave open. The file of --sink comes after it, because it has more settings.
func (s *Flags) Read() (Sinks, error) {
	if s.ache != "" {
		if err := s.sinks.configure(s.flags, s.ache); err != nil {
			return s.sinks, cli.Usagef("--ache_config: %v", err)
		}
	}
	if s.file != "" {
		if err := s.sinks.fromFile(s.flags, s.file); err != nil {
			return s.sinks, cli.Usagef("--sink: %v", err)
		}
	}
	for _, k := range table {
		if err := s.sinks.configs[k.name].Complete(); err != nil {
			return s.sinks, cli.Usagef("%v", err)
		}
	}
	return s.sinks, nil
}
