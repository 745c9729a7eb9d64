package account

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Event is an entry of the audit log.
type Event struct {
	Time   time.Time
	Who    string // account; "" for nobody
	Origin string // address
	What   string // the action: log in, log in failed, token made, job started, …
	Detail string
}

// mostEvents is the number of events kept, the newest ones.
const mostEvents = 100_000

// Note adds an event.
func (s *Store) Note(ctx context.Context, e Event) error {
	// Names and details come from requests of people who have not logged in. Without this limit, a failed log-in could
	// write a whole request. Lengths are in bytes.
	clip := func(t string, n int) string { return t[:min(len(t), n)] }
	done, err := s.db.ExecContext(ctx, "insert into audit (time, who, origin, what, detail) values (?, ?, ?, ?, ?)",
		// The time is the store's: callers leave Event.Time empty, and events are in the order of writing.
		s.now().Unix(), clip(e.Who, 64), clip(e.Origin, 64), clip(e.What, 64), clip(e.Detail, 1000))
	if err != nil {
		return fmt.Errorf("account: %w", err)
	}
	// Old events are deleted now and then, so that others cannot fill the disk.
	if id, err := done.LastInsertId(); err == nil && id%1000 == 0 {
		// Deletion is by number, since a count would read the whole table. The table exceeds its limit by at most
		// 1,000 entries.
		_, err = s.db.ExecContext(ctx, "delete from audit where id <= ?", id-mostEvents)
		return err
	}
	return nil
}

// Events returns the newest events.
func (s *Store) Events(ctx context.Context, most int) (list []Event, err error) {
	// The order is by id, since several events may have the same second.
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
