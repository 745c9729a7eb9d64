package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/gleaner-web/gleaner/transforms/pattern"
)

// User is a user of the server.
type User struct {
	Name    string
	Role    int // view.Role
	Created time.Time
	Session int64 // of the log-in; 0 for none, as with a token
	Token   int64 // number of the token; 0 for none
}

// Mistake is an error of the caller instead of the store.
type Mistake string

// Error returns the text.
func (m Mistake) Error() string { return string(m) }

// Mistakes about users.
const (
	ErrNoUser Mistake = "there is no such user"
	ErrThere  Mistake = "there is a user of this name"
	ErrName   Mistake = "a name has 1 to 64 letters, digits and . _ - @, and begins with a letter or digit"
)

// namePattern restricts names to forms suitable for logs, command lines and URLs, without spaces and look-alikes in
// other scripts.
var namePattern = pattern.Lazy(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)

// AddUser adds a user.
func (s *Store) AddUser(ctx context.Context, name, password string, role int) error {
	if !namePattern().MatchString(name) {
		return ErrName
	}
	if err := checkPassword(name, password); err != nil {
		return err
	}
	hash, err := s.hashOf(ctx, password)
	if err != nil {
		return err
	}
	done, err := s.db.ExecContext(ctx,
		// There is no check before: if two processes add the same name, one of them changes a row and the other gets
		// the error.
		"insert into user (name, hash, role, created) values (?, ?, ?, ?) on conflict do nothing",
		name, hash, role, s.now().Unix())
	return expect(done, err, ErrThere)
}

// expect returns an error unless one row was changed.
func expect(done sql.Result, err, none error) error {
	if err != nil {
		return fmt.Errorf("account: %w", err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, none)
	}
	return nil
}

// SetPassword sets another password for a user, and ends all sessions.
func (s *Store) SetPassword(ctx context.Context, name, password string) error {
	if err := checkPassword(name, password); err != nil {
		return err
	}
	hash, err := s.hashOf(ctx, password)
	if err != nil {
		return err
	}
	done, err := s.db.ExecContext(ctx, "update user set hash = ? where name = ?", hash, name)
	if err := expect(done, err, ErrNoUser); err != nil {
		return err
	}
	// The password is set first. Otherwise somebody could log in by the old one in between and stay. Tokens remain, as
	// they were never made from the password.
	_, err = s.db.ExecContext(ctx, "delete from session where user = ?", name)
	return errors.Join(err, s.forgetBrowsers(ctx, name))
}

// SetRole gives a user another role, which applies at once.
func (s *Store) SetRole(ctx context.Context, name string, role int) error {
	done, err := s.db.ExecContext(ctx, "update user set role = ? where name = ?", role, name)
	return expect(done, err, ErrNoUser)
}

// RemoveUser removes a user with all sessions and tokens.
func (s *Store) RemoveUser(ctx context.Context, name string) error {
	// The schema deletes sessions and tokens by "on delete cascade", in the same transaction.
	done, err := s.db.ExecContext(ctx, "delete from user where name = ?", name)
	return expect(done, err, ErrNoUser)
}

// Users returns all users, by name.
func (s *Store) Users(ctx context.Context) (list []User, err error) {
	rows, err := s.db.QueryContext(ctx, "select name, role, created from user order by name")
	if err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var u User
		var created int64
		if err := rows.Scan(&u.Name, &u.Role, &created); err != nil {
			return nil, fmt.Errorf("account: %w", err)
		}
		u.Created = time.Unix(created, 0).UTC()
		list = append(list, u)
	}
	return list, rows.Err()
}
