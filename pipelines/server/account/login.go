package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Limits on guessing: failures within window. Anybody may name any account, so failures of an account alone never lock
// out its owner. A browser that has logged in before is counted separately.
const (
	window       = 15 * time.Minute
	mostByPair   = 5   // for one account from one network, or from one known browser
	mostByOrigin = 20  // for one network and any accounts: many people may share it
	mostByName   = 100 // for one account from all unknown browsers: NIST SP 800-63B, section 5.2.2
	// After this many failures of an account, each try from an unknown browser takes one second more.
	slowByName = 10
	slowTime   = time.Second
)

// dummy is a hash that matches no password. It is compared for unknown users, so that the response time does not
// reveal which names exist.
const dummy = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// LimitError means that there were too many tries.
type LimitError struct{ Wait time.Duration }

// Error says how long to wait.
func (e *LimitError) Error() string {
	return fmt.Sprintf("too many tries: wait %v", e.Wait.Round(time.Second))
}

// WrongError means that name or password is wrong; it does not say which. Left is the number of tries left.
type WrongError struct{ Left int }

// Error says only that.
func (e *WrongError) Error() string { return "name or password is wrong" }

// Try is an attempt to log in.
type Try struct {
	Name, Password string
	Origin         string // the address that it came from
	Browser        string // the result Entry.Browser of an earlier log-in; "" if none
}

// Entry is the result of a log-in: a new session, and the text by which the browser is known next time.
type Entry struct {
	User    User
	Session string
	Browser string
}

// Login checks a password and begins a session. Errors are *WrongError and *LimitError unless the store fails.
func (s *Store) Login(ctx context.Context, try Try) (Entry, error) {
	now := s.now()
	keys := s.keysOf(ctx, now, try)
	for _, k := range keys {
		if wait := s.limit.wait(now, k.text, k.most); wait > 0 {
			return Entry{}, &LimitError{wait}
		}
	}
	// A try counts before the password is compared. Otherwise many simultaneous tries would be free.
	slow := false
	for _, k := range keys {
		s.limit.add(now, k.text)
		slow = slow || k.most == mostByName && s.limit.left(now, k.text, slowByName) == 0
	}
	if slow {
		if err := s.pause(ctx, slowTime); err != nil {
			return Entry{}, err
		}
	}
	u, err := s.check(ctx, try)
	if err != nil {
		return Entry{}, err
	}
	if u.Name == "" {
		return Entry{}, &WrongError{s.limit.left(now, keys[0].text, keys[0].most)}
	}
	// This forgets all tries for this account from here. The other limits keep earlier tries. Otherwise somebody with
	// an account could log in now and then to continue guessing others. But this try was not a guess.
	s.limit.forget(keys[0].text)
	for _, k := range keys[1:] {
		s.limit.undo(now, k.text)
	}
	session, err := s.begin(ctx, u.Name)
	if err != nil {
		return Entry{}, err
	}
	browser, err := s.knowBrowser(ctx, u.Name, try.Browser)
	return Entry{u, session, browser}, err
}

// key is a key for counting tries, with the number of allowed failures.
type key struct {
	text string
	most int
}

// keysOf returns the keys of a try. Success clears the first. Only a known browser with tries left is exempt from the
// others.
func (s *Store) keysOf(ctx context.Context, now time.Time, try Try) []key {
	// The name is cut to the maximum length of names, to bound memory.
	name, network := try.Name[:min(len(try.Name), 64)], Network(try.Origin)
	if s.knows(ctx, try.Name, try.Browser) {
		own := key{"browser " + string(digest(try.Browser)), mostByPair}
		if s.limit.wait(now, own.text, own.most) == 0 {
			return []key{own}
		}
	}
	// A network has no blank, so no name can make two keys equal.
	return []key{
		{"pair " + network + " " + name, mostByPair}, {"from " + network, mostByOrigin}, {"name " + name, mostByName},
	}
}

// check compares the password. If it is wrong, the user has no name.
func (s *Store) check(ctx context.Context, try Try) (u User, err error) {
	var hash string
	var created int64
	err = s.db.QueryRowContext(ctx, "select name, hash, role, created from user where name = ?", try.Name).
		Scan(&u.Name, &hash, &u.Role, &created)
	if errors.Is(err, sql.ErrNoRows) {
		// u.Name stays empty. So even a password that matches dummy would be refused.
		hash, err = dummy, nil
	}
	if err != nil {
		return User{}, fmt.Errorf("account: %w", err)
	}
	// The password is cut one byte above the maximum length: the hash of a longer one matches no password.
	ok, err := s.matches(ctx, hash, try.Password[:min(len(try.Password), mostPassword+1)])
	if err != nil || !ok {
		return User{}, err
	}
	u.Created = moment(created)
	return u, nil
}

// wait sleeps, or returns early with the context's error.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
