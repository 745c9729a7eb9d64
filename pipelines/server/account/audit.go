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

// Every try to log in is noted, so others decide how much is written: texts are cut, and old entries
// removed.
// Note adds an event.
func (s *Store) Note(ctx context.Context, e Event) error {
	// Bytes: a character may be cut, which only the reader of the log sees.
	clip := func(t string, n int) string { return t[:min(len(t), n)] }
	done, err := s.db.ExecContext(ctx, "insert into audit (time, who, origin, what, detail) values (?, ?, ?, ?, ?)",
		// UTC seconds, by the store's clock, whatever e.Time says.
		s.now().Unix(), clip(e.Who, 64), clip(e.Origin, 64), clip(e.What, 64), clip(e.Detail, 1000))
	if err != nil {
		return fmt.Errorf("account: %w", err)
	}
	// Now and then, so that a log that others fill does not fill the disk.
	if id, err := done.LastInsertId(); err == nil && id%1000 == 0 {
		// Numbers grow by one for each entry, so this leaves the newest hundred thousand.
		_, err = s.db.ExecContext(ctx, "delete from audit where id <= ?", id-mostEvents)
		return err
	}
	return nil
}

// Events are the newest events.
func (s *Store) Events(ctx context.Context, most int) (list []Event, err error) {
	// By number: entries of one second keep their order.
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
