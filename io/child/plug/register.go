package plug

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// opened holds the plugs of the process, by command.
var opened = struct {
	sync.Mutex
	by         map[string]*Plug
	registered map[string]bool // as extractors
}{by: map[string]*Plug{}, registered: map[string]bool{}}

// Get opens a plug, unless that has been done.
func Get(command string, o Options) (*Plug, error) {
	opened.Lock()
	defer opened.Unlock()
	return get(command, o)
}

func get(command string, o Options) (*Plug, error) {
	if p := opened.by[command]; p != nil {
		return p, nil
	}
	p, err := Open(command, o)
	if err == nil {
		opened.by[command] = p
	}
	return p, err
}

// Register opens a plug and registers it as an extractor, unless that has been done. It returns the plug's name.
func Register(command string, o Options) (name string, err error) {
	opened.Lock()
	defer opened.Unlock()
	p, err := get(command, o)
	if err != nil || opened.registered[command] {
		return p.name(), err
	}
	if err := enrich.Register(p); err != nil {
		p.Close()
		delete(opened.by, command)
		return "", fmt.Errorf("plug %q: %w", command, err)
	}
	opened.registered[command] = true
	return p.Name(), nil
}

func (p *Plug) name() string {
	if p == nil {
		return ""
	}
	return p.Name()
}

// CloseAll ends all plugs, and removes their extractors.
func CloseAll() {
	opened.Lock()
	defer opened.Unlock()
	for command, p := range opened.by {
		if opened.registered[command] {
			enrich.Unregister(p.Name())
		}
		p.Close()
		delete(opened.by, command)
		delete(opened.registered, command)
	}
}

// Commands is a flag's value: commands of plugs. The flag is repeated, because a command may have commas.
type Commands []string

// String returns the commands.
func (c *Commands) String() string { return strings.Join(*c, "; ") }

// Set adds a command.
func (c *Commands) Set(s string) error {
	if strings.TrimSpace(s) == "" {
		return errors.New("it is empty")
	}
	*c = append(*c, s)
	return nil
}
