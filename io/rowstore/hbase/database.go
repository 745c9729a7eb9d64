package hbase

import (
	"context"
	"errors"
	"sync"

	"github.com/gleaner-web/gleaner/io/rowstore"
	"github.com/gleaner-web/gleaner/schemas/odm"
)

// Database is the tables of a cluster, for collections of package odm. It is safe for concurrent use. Close closes the
// tables that it has opened.
type Database struct {
	Options // of the cluster; Table is ignored

	mu   sync.Mutex
	open []*Store
}

// UseTable opens a table.
func (d *Database) UseTable(ctx context.Context, name string) (odm.Store, error) {
	s, err := d.table(name)
	if err != nil {
		return nil, err
	}
	if _, err := s.Families(ctx); err != nil { // fails for a missing table
		return nil, err
	}
	return rowstore.ODM(s), nil
}

// CreateTable makes a table, or opens it and adds missing families.
func (d *Database) CreateTable(ctx context.Context, name string, families []string) (odm.Store, error) {
	s, err := d.table(name)
	if err != nil {
		return nil, err
	}
	if err := s.Prepare(ctx, families, nil); err != nil {
		return nil, err
	}
	return rowstore.ODM(s), nil
}

func (d *Database) table(name string) (*Store, error) {
	// A copy, so that the Database's own options name no table.
	o := d.Options
	o.Table = name
	s, err := Open(o)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	// Also if UseTable fails later: Close closes its connections with the others.
	d.open = append(d.open, s)
	return s, nil
}

// Close closes all opened tables.
func (d *Database) Close() (err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.open {
		err = errors.Join(err, s.Close())
	}
	d.open = nil
	return err
}
