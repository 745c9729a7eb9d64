package setting

import (
	"flag"
	"fmt"
	"time"
)

// Setting is a flag, and a key of configuration files.
type Setting struct {
	Name string // with underscores: unit_size
	// Value points to the variable that the setting fills. It is a *string, *bool, *int, *[]string, *time.Duration or a
	// flag.Value, such as *Count and *Length. An *int64 is a number of bytes.
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

// Kind is the form of a setting's values, as help shows it. A switch needs no value.
type Kind string

// The kinds of settings.
const (
	Text   Kind = "TEXT"
	Number Kind = "NUMBER"
	Size   Kind = "SIZE"
	List   Kind = "LIST"
	Switch Kind = ""
)

// Kind returns the form of the values, from the type of Value.
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

// Flag sets Value to the default, and returns the flag that fills Value. It panics for a Value of an unsupported type,
// which is a mistake of the program.
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

// Given returns the values of a list or of a text, without empty ones. It returns nil for other kinds.
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
