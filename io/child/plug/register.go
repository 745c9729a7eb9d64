package plug

import (
	"fmt"
	"sync"

	"github.com/gleaner-web/gleaner/transforms/enrich"
)

// registered holds the plugs of the process, by command, as package enrich holds its extractors.
var registered = struct {
	sync.Mutex
	by map[string]*Plug
}{by: map[string]*Plug{}}

// Register opens a plug and registers it as an extractor, unless that has been done. It returns the plug's name.
func Register(command string, o Options) (name string, err error) {
	registered.Lock()
	defer registered.Unlock()
	if p := registered.by[command]; p != nil {
		return p.Name(), nil
	}
	p, err := Open(command, o)
	if err != nil {
		return "", err
	}
	if err := enrich.Register(p); err != nil {
		p.Close()
		return "", fmt.Errorf("plug %q: %w", command, err)
	}
	registered.by[command] = p
	return p.Name(), nil
}

// CloseAll ends all registered plugs, and removes their extractors.
func CloseAll() {
	registered.Lock()
	defer registered.Unlock()
	for command, p := range registered.by {
		enrich.Unregister(p.Name())
		p.Close()
		delete(registered.by, command)
	}
}
