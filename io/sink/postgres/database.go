package postgres

import (
	"context"
	"time"

	"github.com/gleaner-web/gleaner/io/sink"
	"github.com/gleaner-web/gleaner/schemas"
)

// database is a table as a sink. A committing unit has its own connection.
type database struct {
	*Pool
	table    string
	patience time.Duration // until a transaction fails
}

// Encode makes the row of a page. Several goroutines call it, and it needs no connection.
func (*database) Encode(p *sink.Page) (*sink.Message, error) {
	row, err := appendRow(p)
	if err != nil {
		return nil, err
	}
	return &sink.Message{ID: p.ID(), Value: row}, nil
}

// Begin begins a unit.
func (d *database) Begin(ctx context.Context, refuse func(schemas.Reject) error) (sink.Writer, error) {
	// No connection yet: a unit takes minutes until it commits, and servers have few.
	s, err := newSpool()
	if err != nil {
		return nil, err
	}
	return &unit{ctx: ctx, d: d, refuse: refuse, spool: s}, nil
}
