// Package sinks is the table of the servers that documents can be sent to beside the output, and of their flags. A new
// one is a line of the table: all else is in its own package, which keeps the contract of [sink.Config].
package sinks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/io/sink/elastic"
	"github.com/gleaner-web/gleaner/io/sink/hbase"
	"github.com/gleaner-web/gleaner/schemas"
)

// kind is a sink that there is: its name in keys of units, counts, rejects and the summary's table (schemas.Sinks),
// and the heading of its flags.
type kind struct {
	name, group string
	config      func() sink.Config
}

// table is the sinks. A sink more is a line here, or among clients where it brings a large library, and a package that
// implements sink.Config.
var table = append([]kind{
	{schemas.SinkElastic, "Elasticsearch and OpenSearch", func() sink.Config { return new(elastic.Config) }},
	{schemas.SinkHBase, "Apache HBase", func() sink.Config { return new(hbase.Config) }},
}, clients...)

// Sinks are the sinks of a run. They travel to workers as JSON. The zero value has none. Copies share their settings.
// They are a part of job.Options, and so their settings have to survive JSON.
type Sinks struct {
	configs map[string]sink.Config // of all kinds, wanted or not
}

// none are sinks that are not wanted yet.
// Each has its defaults.
// Flags write into them, so each call makes new ones.
func none() Sinks {
	s := Sinks{map[string]sink.Config{}}
	for _, k := range table {
		s.configs[k.name] = k.config()
	}
	return s
}

// wanted are the sinks that were asked for, in the table's order.
// The order of a map would change the order of messages, and with it of rejects.
func (s Sinks) wanted() iter.Seq2[string, sink.Config] {
	return func(yield func(string, sink.Config) bool) {
		for _, k := range table {
			if c := s.configs[k.name]; c != nil && c.Wanted() && !yield(k.name, c) {
				return
			}
		}
	}
}

// First is the name of the first sink, "" for none.
// It is for messages that need one flag to show.
func (s Sinks) First() string {
	for name := range s.wanted() {
		return name
	}
	return ""
}

// Lasting are the settings that units are made with, by sink.
// Hosts and passwords are not among them: they do not change what is sent.
func (s Sinks) Lasting() map[string]map[string]any {
	m := map[string]map[string]any{}
	for name, c := range s.wanted() {
		m[name] = c.Lasting()
	}
	return m
}

// In reports whether options, as the manifest has them, say that documents were sent to some sink.
// The names of sinks are keys of the options, which no option of a unit has.
func In(options map[string]any) bool {
	for _, k := range table {
		if options[k.name] != nil {
			return true
		}
	}
	return false
}

// Versions are those of what makes messages.
// Another version makes other messages, so that units have to be sent again.
func (s Sinks) Versions() map[string]string {
	v := map[string]string{}
	for _, c := range s.wanted() {
		maps.Copy(v, c.Versions())
	}
	return v
}

// Versions are those of all that can be sent.
// ACHE's model has a version of its own, which a config without hosts would not tell.
func Versions() map[string]string {
	v := elastic.Config{Options: elastic.Options{Model: elastic.ACHE}}
	all := v.Versions()
	for _, k := range table {
		maps.Copy(all, k.config().Versions())
	}
	return all
}

// WantContent reports whether some sink gets Datastreamer's records.
// Making records takes time, so it is not done for sinks that have no use for them.
func (s Sinks) WantContent() bool {
	for _, c := range s.wanted() {
		if u, ok := c.(sink.ContentUser); ok && u.WantsContent() {
			return true
		}
	}
	return false
}

// Elsewhere says why processes on other machines could not do the work.
// Settings that only this machine can have, such as a secret that must not travel.
func (s Sinks) Elsewhere() error {
	for _, c := range s.wanted() {
		if err := c.Elsewhere(); err != nil {
			return err
		}
	}
	return nil
}

// Ask asks the servers before anything is begun.
// Not all kinds of sinks can be asked.
func (s Sinks) Ask(ctx context.Context) error {
	for _, c := range s.wanted() {
		if a, ok := c.(sink.Asker); ok {
			if err := a.Ask(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// Open connects to the servers.
// What was opened is closed again when a later one fails.
func (s Sinks) Open(ctx context.Context) (sink.Set, error) {
	var set sink.Set
	for name, c := range s.wanted() {
		to, err := c.Open(ctx)
		// The error of the server comes first, since that of closing follows from it.
		if err != nil {
			return nil, errors.Join(err, set.Close())
		}
		set = append(set, sink.Named{Name: name, Sink: to})
	}
	return set, nil
}

// Finish tells the servers that all units are there. What they cannot do about that is said, and no failure of the run.
// By then all documents are in the output.
func (s Sinks) Finish(ctx context.Context) {
	for _, c := range s.wanted() {
		if f, ok := c.(sink.Finisher); ok {
			if err := f.Finish(ctx); err != nil {
				slog.Warn(err.Error())
			}
		}
	}
}

// MarshalJSON writes the settings by sink.
// Settings of sinks that are not wanted go along, as they do no harm.
func (s Sinks) MarshalJSON() ([]byte, error) { return json.Marshal(s.configs) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Sinks) UnmarshalJSON(b []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	// Workers get settings of kinds that the submitter did not know as defaults.
	*s = none()
	for name, c := range s.configs {
		if raw[name] == nil {
			continue
		}
		if err := json.Unmarshal(raw[name], c); err != nil {
			return fmt.Errorf("sinks: %s: %w", name, err)
		}
	}
	return nil
}
