package account

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Event is something that was done: an entry of the audit log.
type Event struct {
	Time   time.Time
	Who    string // account; "" for nobody
	Origin string // address
	What   string // log in, log in failed, token made, job started, …
	Detail string
}

// mostEvents is how many events are kept, the newest.
const mostEvents = 100_000

// Note adds an event.
func (s *Store) Note(ctx context.Context, e Event) error {
	// Names and details come from requests of people who have not logged in: unclipped, a failed
	// log-in could write as much as a request may hold. Lengths are bytes.
	clip := func(t string, n int) string { return t[:min(len(t), n)] }
	done, err := s.db.ExecContext(ctx, "insert into audit (time, who, origin, what, detail) values (?, ?, ?, ?, ?)",
		// The time is the store's and not the event's: callers leave Event.Time empty, and order is
		// that of writing.
		s.now().Unix(), clip(e.Who, 64), clip(e.Origin, 64), clip(e.What, 64), clip(e.Detail, 1000))
	if err != nil {
		return fmt.Errorf("account: %w", err)
	}
	// Now and then, so that a log that others fill does not fill the disk.
	if id, err := done.LastInsertId(); err == nil && id%1000 == 0 {
		// By number and not by count, which would read the whole table. The table is at most 1,000
		// entries over its limit.
		_, err = s.db.ExecContext(ctx, "delete from audit where id <= ?", id-mostEvents)
		return err
	}
	return nil
}

// Events are the newest events.
func (s *Store) Events(ctx context.Context, most int) (list []Event, err error) {
	// By id: several events have the same second.
	rows, err := s.db.QueryContext(ctx, "select time, who, origin, what, detail from audit order by id desc limit ?", most)
	if err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var e Event
		var at int64
		if err := rows.Scan(&at, &e.Who, &e.Origin, &e.What, &e.Detail); err != nil {
			return nil, fmt.Errorf("account: %w", err)
		}
		e.Time = time.Unix(at, 0).UTC()
		list = append(list, e)
	}
	return list, rows.Err()
}
