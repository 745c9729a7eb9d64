package memory

import (
	"context"
	"fmt"
	"sync"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/schemas/odm"
)

// Database is a set of tables in memory by name, for collections of package odm. The zero value is empty.
type Database struct {
	mu     sync.Mutex
	tables map[string]*Store
}

// UseTable opens a table.
func (d *Database) UseTable(_ context.Context, name string) (odm.Store, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.tables[name]
	if s == nil {
		return nil, fmt.Errorf("memory: there is no table %q: %w", name, rowstore.ErrRefused)
	}
	return rowstore.ODM(s), nil
}

// CreateTable makes a table, or opens it. It has every family.
func (d *Database) CreateTable(_ context.Context, name string, _ []string) (odm.Store, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.tables[name] == nil {
		if d.tables == nil {
			d.tables = map[string]*Store{}
		}
		d.tables[name] = New()
	}
	return rowstore.ODM(d.tables[name]), nil
}
