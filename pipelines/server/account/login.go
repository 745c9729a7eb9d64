package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// The limits on guessing: failures within window. Anybody may name any account, so an account alone never locks out its
// owner: a browser that has logged in before is counted by itself.
const (
	window       = 15 * time.Minute
	mostByPair   = 5   // of one account from one network, or from one known browser
	mostByOrigin = 20  // of one network, whatever the accounts: many people may share it
	mostByName   = 100 // of one account from all unknown browsers: NIST SP 800-63B, section 5.2.2
	// After so many failures of an account each try of an unknown browser takes a second more.
	slowByName = 10
	slowTime   = time.Second
)

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

// Try is an attempt to log in.
type Try struct {
	Name, Password string
	Origin         string // the address that it came from
	Browser        string // what Login has given to this browser before; "" if nothing
}

// Entry is a log-in: a new session, and what the browser keeps to be known by next time.
type Entry struct {
	User    User
	Session string
	Browser string
}

// Login checks a password, and begins a session. Errors are *WrongError and *LimitError unless the store failed.
func (s *Store) Login(ctx context.Context, try Try) (Entry, error) {
	now := s.now()
	keys := s.keysOf(ctx, now, try)
	for _, k := range keys {
		if wait := s.limit.wait(now, k.text, k.most); wait > 0 {
			return Entry{}, &LimitError{wait}
		}
	}
	// A try counts before the password is compared, or many at once would be free.
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
	// All tries of this account from here. The other limits keep those before this one, or somebody with an account
	// could log in now and then to go on guessing others; this one was not a guess.
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

// key is what tries are counted by, and how many may fail.
type key struct {
	text string
	most int
}

// keysOf are the keys of a try; the first is the one that success clears. Only a known browser that has not used up its
// own tries is exempt from the others.
func (s *Store) keysOf(ctx context.Context, now time.Time, try Try) []key {
	// Cut at what a name may have, so that the memory that is kept is bounded.
	name, network := try.Name[:min(len(try.Name), 64)], Network(try.Origin)
	if s.knows(ctx, try.Name, try.Browser) {
		own := key{"browser " + string(digest(try.Browser)), mostByPair}
		if s.limit.wait(now, own.text, own.most) == 0 {
			return []key{own}
		}
	}
	// A network has no blank, so no name can make two keys alike.
	return []key{
		{"pair " + network + " " + name, mostByPair}, {"from " + network, mostByOrigin}, {"name " + name, mostByName},
	}
}

// check compares the password; the user is without a name if it is wrong.
func (s *Store) check(ctx context.Context, try Try) (u User, err error) {
	var hash string
	var created int64
	err = s.db.QueryRowContext(ctx, "select name, hash, role, created from user where name = ?", try.Name).
		Scan(&u.Name, &hash, &u.Role, &created)
	if errors.Is(err, sql.ErrNoRows) {
		// u.Name stays empty, which refuses even a password that would fit dummy.
		hash, err = dummy, nil
	}
	if err != nil {
		return User{}, fmt.Errorf("account: %w", err)
	}
	// Cut one byte above the most that a password can have: the hash of a longer one matches no password.
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
