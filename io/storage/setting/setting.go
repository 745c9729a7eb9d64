package setting

import (
	"flag"
	"fmt"
	"time"
)

// Setting is one thing that users can say of a command or of a server: a flag, or a key of a configuration file.
type Setting struct {
	Name string // with underscores: unit_size
	// Value is what the setting fills: a *string, *bool, *int, *[]string, *time.Duration, an *int64 for a number of
	// bytes, or a flag.Value such as *Count and *Length.
	Value   any
	Default string // as users would write it
	Help    string // what it does, in the imperative or as a noun; one or two sentences
	Example string // a value
	Group   string // the heading of the flag in the help
	Brief   string // some words for -h, which lists the flags that have them
	// Values are all that the setting takes; each item of a list must be one of them. Nil allows anything.
	Values []string
	Rare   bool // no flag, only a key of a file
}

// Under returns the settings with this group, in their order.
func Under(group string, list []Setting) []Setting {
	for i := range list {
		list[i].Group = group
	}
	return list
}

// Kind is what a setting's values look like, as help shows them. A switch needs no value.
type Kind string

// The kinds of settings.
const (
	Text   Kind = "TEXT"
	Number Kind = "NUMBER"
	Size   Kind = "SIZE"
	List   Kind = "LIST"
	Switch Kind = ""
)

// Kind returns what the values look like. It follows from the type of Value.
func (s Setting) Kind() Kind {
	switch s.Value.(type) {
	case *bool:
		return Switch
	case *int, *Count:
		return Number
	case *int64, *Length:
		return Size
	case *[]string:
		return List
	}
	return Text
}

// Flag returns the flag that fills Value, after it has given Value the default. A type of Value that is not supported
// panics: that is a mistake of the program.
func (s Setting) Flag() (flag.Value, error) {
	v := s.value()
	if s.Default == "" {
		return v, nil
	}
	if err := v.Set(s.Default); err != nil {
		return v, fmt.Errorf("default of %s: %w", s.Name, err)
	}
	if l, ok := v.(*list); ok {
		l.given = false
	}
	return v, nil
}

func (s Setting) value() flag.Value {
	switch to := s.Value.(type) {
	case *string:
		return (*text)(to)
	case *bool:
		return (*toggle)(to)
	case *int:
		return (*number)(to)
	case *int64:
		return (*size)(to)
	case *time.Duration:
		return (*span)(to)
	case *[]string:
		return &list{to: to}
	case flag.Value:
		return to
	}
	panic(fmt.Sprintf("setting: the value of %s is a %T", s.Name, s.Value))
}

// Given returns the values that the setting has: the items of a list, or the one value of any other setting. Values
// that are empty are left out.
func (s Setting) Given() (given []string) {
	switch to := s.Value.(type) {
	case *[]string:
		return *to
	case *string:
		if *to != "" {
			given = []string{*to}
		}
	}
	return given
}
