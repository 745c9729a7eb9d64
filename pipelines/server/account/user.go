package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"time"
)

// User is somebody who may use the server.
type User struct {
	Name    string
	Role    int // view.Role
	Created time.Time
	Session int64 // by which the user is logged in; 0 for none, as with a token
	Token   int64 // likewise its number
}

// Mistake is an error of who asks, and none of the store's.
type Mistake string

// Error is what is wrong.
func (m Mistake) Error() string { return string(m) }

// Mistakes with users.
const (
	ErrNoUser Mistake = "there is no such user"
	ErrThere  Mistake = "there is a user of this name"
	ErrName   Mistake = "a name has 1 to 64 letters, digits and . _ - @, and begins with a letter or digit"
)

// namePattern keeps names fit for logs, command lines and URLs. Neither spaces nor look-alikes of
// other scripts.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)

// AddUser adds a user.
func (s *Store) AddUser(ctx context.Context, name, password string, role int) error {
	if !namePattern.MatchString(name) {
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
		// No test beforehand: of two processes that add the same name one changes a row and the other
		// is told.
		"insert into user (name, hash, role, created) values (?, ?, ?, ?) on conflict do nothing",
		name, hash, role, s.now().Unix())
	return expect(done, err, ErrThere)
}

// expect is an error unless one row was changed.
func expect(done sql.Result, err, none error) error {
	if err != nil {
		return fmt.Errorf("account: %w", err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, none)
	}
	return nil
}

// SetPassword gives a user another password. Whoever was logged in by the old one is not any more.
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
	// The password first: the other way round somebody could log in by the old one in between and
	// stay. Tokens remain, as they were never made from the password.
	_, err = s.db.ExecContext(ctx, "delete from session where user = ?", name)
	return err
}

// SetRole gives a user another role, at once.
func (s *Store) SetRole(ctx context.Context, name string, role int) error {
	done, err := s.db.ExecContext(ctx, "update user set role = ? where name = ?", role, name)
	return expect(done, err, ErrNoUser)
}

// RemoveUser removes a user, with all sessions and tokens.
func (s *Store) RemoveUser(ctx context.Context, name string) error {
	// Sessions and tokens go by "on delete cascade" of the schema, in the same transaction.
	done, err := s.db.ExecContext(ctx, "delete from user where name = ?", name)
	return expect(done, err, ErrNoUser)
}

// Users are all users, by name.
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

// dummy is a hash that no password has: it is compared with where there is no such user, so that the time that an
// answer takes does not tell which names there are.
const dummy = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// LimitError says that somebody has tried too often.
type LimitError struct{ Wait time.Duration }

// Error says how long to wait.
func (e *LimitError) Error() string {
	return fmt.Sprintf("too many tries: wait %v", e.Wait.Round(time.Second))
}

// WrongError says that name or password is wrong, and how many tries are left. It does not say which.
type WrongError struct{ Left int }

// Error says that, and no more.
func (e *WrongError) Error() string { return "name or password is wrong" }

// Login checks a password, and begins a session: text is what the cookie is to hold. origin is the address that it came
// from. Errors are *WrongError and *LimitError where it is not the store that failed.
func (s *Store) Login(ctx context.Context, name, password, origin string) (text string, u User, err error) {
	now := s.now()
	// The words before them keep a name that looks like an address apart from that address. Names are
	// cut at what a name may have, so that what is kept in memory is bounded.
	byName, byOrigin := "name "+name[:min(len(name), 64)], "from "+origin
	// Whichever of the two comes first in the map: the try is refused in either case, only the wait
	// may be the other's.
	for key, most := range map[string]int{byName: mostByName, byOrigin: mostByOrigin} {
		if wait := s.limit.wait(now, key, most); wait > 0 {
			return "", u, &LimitError{wait}
		}
	}
	// A try counts before the password is compared, or many at once would be free.
	s.limit.add(now, byName)
	s.limit.add(now, byOrigin)
	var hash string
	var created int64
	err = s.db.QueryRowContext(ctx, "select name, hash, role, created from user where name = ?", name).
		Scan(&u.Name, &hash, &u.Role, &created)
	if errors.Is(err, sql.ErrNoRows) {
		// u.Name stays empty, by which the switch below refuses even a password that would fit dummy.
		hash, err = dummy, nil
	}
	if err != nil {
		return "", User{}, fmt.Errorf("account: %w", err)
	}
	// Cut one byte above the most that a password can have: the hash of a longer one is of something
	// that no password is.
	ok, err := s.matches(ctx, hash, password[:min(len(password), mostPassword+1)])
	switch {
	case err != nil:
		return "", User{}, err
	case !ok || u.Name == "":
		return "", User{}, &WrongError{s.limit.left(now, byName, mostByName)}
	}
	u.Created = time.Unix(created, 0).UTC()
	// All tries of the name. The address keeps those before this one, or somebody with an account could
	// log in now and then to go on guessing others; this one was no guess.
	s.limit.forget(byName)
	s.limit.undo(now, byOrigin)
	text, err = s.begin(ctx, u.Name)
	return text, u, err
}
