package sinks

import (
	"errors"
	"flag"
	"fmt"
	"time"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/pipelines/cli"
)

// Flags adds the flags of all sinks. What it returns is called after the command line was read, and returns the sinks
// that it asks for, or what is wrong with them.
// Values are copied into the settings only when they are known to be final: take does that.
func Flags(f *cli.Flags) (read func() (Sinks, error)) {
	// One for each setting; see addFlag.
	s := none()
	var take []func()
	file := f.String(cli.Flag{
		Name: "sink", Example: "sinks.yml", Group: "Output",
		Help: "a YAML file with settings of servers: those of the flags below by their names, and such as time-outs, which " +
			"are not flags (docs/formats/elasticsearch.md, docs/hbase.md). Flags that are given besides win",
	})
	hidden := cli.NewFlags(flag.NewFlagSet("", flag.ContinueOnError), cli.Command{})
	for _, k := range table {
		for _, d := range s.configs[k.name].Settings() {
			// What only the file can say has its default by a flag that nobody can give.
			to := f
			if d.Rare {
				to = hidden
			}
			take = append(take, addFlag(to, d, k.group))
		}
	}
	yml := f.String(cli.Flag{
		Name: "ache_config", Example: "ache.yml", Group: "Output",
		Help: "send pages where ACHE would with this ache.yml, and as it would: where target_storage.data_formats or " +
			"data_format.type has ELASTICSEARCH or KAFKA, the keys of that are followed. Flags about servers that are " +
			"given besides win",
	})
	// First the flags, then what ACHE's configuration says of those that are not set, and our own file, which knows more
	// than ACHE's; then what all leave open.
	return func() (Sinks, error) {
		for _, t := range take {
			t()
		}
		if *yml != "" {
			if err := s.configure(f, *yml); err != nil {
				return s, cli.Usagef("--ache_config: %v", err)
			}
		}
		if *file != "" {
			if err := s.fromFile(f, *file); err != nil {
				return s, cli.Usagef("--sink: %v", err)
			}
		}
		for _, k := range table {
			if err := s.configs[k.name].Complete(); err != nil {
				return s, cli.Usagef("%v", err)
			}
		}
		return s, nil
	}
}

// addFlag adds the flag of a setting. What it returns gives the setting the flag's value.
// Types of settings are few, and each has its kind of flag.
func addFlag(f *cli.Flags, s sink.Setting, group string) (take func()) {
	d := cli.Flag{Name: s.Name, Default: s.Default, Help: s.Help, Example: s.Example, Group: group, Values: s.Values}
	switch to := s.Value.(type) {
	case *string:
		return taker(to, f.String(d))
	case *[]string:
		return taker(to, f.Strings(d))
	case *int64:
		return taker(to, f.Bytes(d))
	case *time.Duration:
		v := new(timeSpan)
		f.Var(v, d)
		return taker(to, (*time.Duration)(v))
	// It keeps its own value, and nothing is to be copied.
	case flag.Value:
		f.Var(to, d)
		return func() {}
	}
	// A sink whose setting has another type is a mistake that the first start shows.
	panic(fmt.Sprintf("sinks: the setting %s is a %T", s.Name, s.Value)) // Setting.Value says what there is
}

// taker copies a flag's value to where the setting is.
func taker[T any](to, from *T) func() { return func() { *to = *from } }

// timeSpan is the value of a flag.
// Package cli has none of this kind.
type timeSpan time.Duration

// String is the time span as Go writes it.
func (d *timeSpan) String() string { return time.Duration(*d).String() }

// Set reads a time span.
func (d *timeSpan) Set(s string) error {
	v, err := time.ParseDuration(s)
	if err != nil {
		return errors.New("not a time span such as 90s, 5m or 1h30m")
	}
	*d = timeSpan(v)
	return nil
}
