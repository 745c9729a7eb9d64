// Package sinks has the table of servers that can receive documents beside the output, and their flags. A new server
// is a line of the table and a package with a [sink.Config].
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

// kind is a kind of sink: its name in keys of units, counts, rejects and the summary (schemas.Sinks), and the heading
// of its flags.
type kind struct {
	name, group string
	config      func() sink.Config
}

// table has the kinds of sinks. Those with large libraries are in clients.
var table = append([]kind{
	{schemas.SinkElastic, "Elasticsearch and OpenSearch", func() sink.Config { return new(elastic.Config) }},
	{schemas.SinkHBase, "Apache HBase", func() sink.Config { return new(hbase.Config) }},
}, clients...)

// Sinks are the sinks of a run. They travel to workers as JSON in a recipe. The zero value has none. Copies share
// their settings.
type Sinks struct {
	configs map[string]sink.Config // of all kinds, wanted or not
}

// none returns new sinks with defaults, none of them wanted. Flags write into them.
func none() Sinks {
	s := Sinks{map[string]sink.Config{}}
	for _, k := range table {
		s.configs[k.name] = k.config()
	}
	return s
}

// wanted yields the sinks that the user asked for, in the table's order, so that messages and rejects have a fixed
// order.
func (s Sinks) wanted() iter.Seq2[string, sink.Config] {
	return func(yield func(string, sink.Config) bool) {
		for _, k := range table {
			if c := s.configs[k.name]; c != nil && c.Wanted() && !yield(k.name, c) {
				return
			}
		}
	}
}

// First returns the name of the first wanted sink, or "", for messages.
func (s Sinks) First() string {
	for name := range s.wanted() {
		return name
	}
	return ""
}

// Lasting returns the settings that affect units, by sink. They exclude hosts and passwords, which do not change
// documents.
func (s Sinks) Lasting() map[string]map[string]any {
	m := map[string]map[string]any{}
	for name, c := range s.wanted() {
		m[name] = c.Lasting()
	}
	return m
}

// In reports whether options, as in a manifest, say that documents were sent to a sink. Sink names are keys of
// options.
func In(options map[string]any) bool {
	for _, k := range table {
		if options[k.name] != nil {
			return true
		}
	}
	return false
}

// Versions returns the versions of all that makes messages. With another version, units are sent again.
func (s Sinks) Versions() map[string]string {
	v := map[string]string{}
	for _, c := range s.wanted() {
		maps.Copy(v, c.Versions())
	}
	return v
}

// Versions returns the versions for all kinds of sinks, including that of ACHE's model, which a default config lacks.
func Versions() map[string]string {
	v := elastic.Config{Options: elastic.Options{Model: elastic.ACHE}}
	all := v.Versions()
	for _, k := range table {
		maps.Copy(all, k.config().Versions())
	}
	return all
}

// WantContent reports whether a sink needs Datastreamer's records, which take time to make.
func (s Sinks) WantContent() bool {
	for _, c := range s.wanted() {
		if u, ok := c.(sink.ContentUser); ok && u.WantsContent() {
			return true
		}
	}
	return false
}

// Elsewhere returns an error if workers on other machines could not do the work, as with secrets that must not
// travel.
func (s Sinks) Elsewhere() error {
	for _, c := range s.wanted() {
		if err := c.Elsewhere(); err != nil {
			return err
		}
	}
	return nil
}

// Ask checks the servers before the run begins, as far as their kinds can be asked.
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

// Open connects to the servers, and closes them if a later one fails.
func (s Sinks) Open(ctx context.Context) (sink.Set, error) {
	var set sink.Set
	for name, c := range s.wanted() {
		to, err := c.Open(ctx)
		if err != nil {
			return nil, errors.Join(err, set.Close())
		}
		set = append(set, sink.Named{Name: name, Sink: to})
	}
	return set, nil
}

// Finish tells the servers that all units are done. Errors are only logged, because the output already has all
// documents.
func (s Sinks) Finish(ctx context.Context) {
	for _, c := range s.wanted() {
		if f, ok := c.(sink.Finisher); ok {
			if err := f.Finish(ctx); err != nil {
				slog.Warn(err.Error())
			}
		}
	}
}

// MarshalJSON encodes the settings by sink, including unwanted ones.
func (s Sinks) MarshalJSON() ([]byte, error) { return json.Marshal(s.configs) }

// UnmarshalJSON decodes the settings by sink.
func (s *Sinks) UnmarshalJSON(b []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	// Kinds that the submitter did not know keep their defaults.
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
