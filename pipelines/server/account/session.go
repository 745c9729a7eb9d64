package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// How long sessions last: without a request, and in all.
const (
	idle    = 24 * time.Hour
	longest = 7 * 24 * time.Hour
)

// ErrNoSession is a session or token that is not, or no longer, one.
var ErrNoSession = errors.New("not logged in")

// begin begins a session. Its text is new each time: none that was there before a log-in is one after it.
func (s *Store) begin(ctx context.Context, user string) (string, error) {
	text, hash := secret()
	now := s.now()
	// Old sessions are swept here: the table grows by log-ins alone, so it needs no clock of its own.
	_, err := s.db.ExecContext(ctx, "delete from session where seen < ? or created < ?",
		now.Add(-idle).Unix(), now.Add(-longest).Unix())
	if err == nil {
		_, err = s.db.ExecContext(ctx, "insert into session (hash, user, created, seen) values (?, ?, ?, ?)",
			hash, user, now.Unix(), now.Unix())
	}
	if err != nil {
		return "", fmt.Errorf("account: %w", err)
	}
	return text, nil
}

// Session is the user of a session; ErrNoSession when it is none.
func (s *Store) Session(ctx context.Context, text string) (User, error) {
	now := s.now()
	var u User
	var created, seen int64
	// The role is read with each request and not kept in the session, so that a change of role holds
	// at once.
	err := s.db.QueryRowContext(ctx, `select u.name, u.role, s.rowid, s.created, s.seen from session s `+
		`join user u on u.name = s.user
		where s.hash = ?`, digest(text)).Scan(&u.Name, &u.Role, &u.Session, &created, &seen)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return User{}, ErrNoSession
	case err != nil:
		return User{}, fmt.Errorf("account: %w", err)
	// Tested here and not left to begin's sweep, which may be days away on a quiet server.
	case now.Sub(time.Unix(seen, 0)) > idle || now.Sub(time.Unix(created, 0)) > longest:
		return User{}, ErrNoSession
	}
	// Written once a minute and not with each request: it need not be exact.
	if now.Unix()-seen > 60 {
		_, err = s.db.ExecContext(ctx, "update session set seen = ? where hash = ?", now.Unix(), digest(text))
	}
	return u, err
}

// Logout ends a session.
func (s *Store) Logout(ctx context.Context, text string) error {
	_, err := s.db.ExecContext(ctx, "delete from session where hash = ?", digest(text))
	return err
}

// Session is a browser that is logged in, without its text, which the browser alone has.
type Session struct {
	ID            int64
	Created, Seen time.Time
}

// Sessions are those of a user that still hold, the newest first.
func (s *Store) Sessions(ctx context.Context, user string) (list []Session, err error) {
	now := s.now()
	rows, err := s.db.QueryContext(ctx, `select rowid, created, seen from session
		where user = ? and seen >= ? and created >= ? order by created desc, rowid desc`,
		user, now.Add(-idle).Unix(), now.Add(-longest).Unix())
	if err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id, created, seen int64
		if err := rows.Scan(&id, &created, &seen); err != nil {
			return nil, fmt.Errorf("account: %w", err)
		}
		list = append(list, Session{id, moment(created), moment(seen)})
	}
	return list, rows.Err()
}

// EndSession ends a session of a user; ErrNoSession when the user has none of this number.
func (s *Store) EndSession(ctx context.Context, user string, id int64) error {
	done, err := s.db.ExecContext(ctx, "delete from session where rowid = ? and user = ?", id, user)
	return expect(done, err, ErrNoSession)
}

// Token is an API token, without its text, which nobody but its owner has.
type Token struct {
	ID      int64
	User    string
	Label   string
	Role    int
	Created time.Time
	Expires time.Time // zero for never
	Used    time.Time // zero for never
}

// tokenStart is how tokens begin: so that tools that look for secrets in what people publish find them.
const tokenStart = "gleaner_"

// MostTokens is how many tokens an account may have: more than anybody can keep apart, and few enough for a page. Those
// that are out of date count until they are revoked.
const MostTokens = 50

// Errors of NewToken.
var (
	// ErrManyTokens is an account that has MostTokens.
	ErrManyTokens = errors.New("the account has as many tokens as it may have")
	// ErrRole is a role above that of the user.
	ErrRole = errors.New("a token cannot have a higher role than its user")
)

// NewToken makes a token of a user, which may do what role may and never more than its user. Its text is returned this
// once. Its errors are ErrNoUser, ErrManyTokens and ErrRole.
func (s *Store) NewToken(
	ctx context.Context, user, label string, role int, expires time.Time,
) (text string, id int64, err error) {
	// The hash that secret gives is of the text without its beginning, so it is made again below.
	text, _ = secret()
	text = tokenStart + text
	until := int64(0)
	if !expires.IsZero() {
		until = expires.Unix()
	}
	// From the user's row: one statement finds out that there is such a user, what role it has and how many tokens, so
	// nothing can change in between.
	done, err := s.db.ExecContext(ctx, `insert into token (hash, user, label, role, created, expires, used)
		select ?, name, ?, ?, ?, ?, 0 from user where name = ? and role >= ?
		and (select count(*) from token where user = name) < ?`,
		digest(text), label, role, s.now().Unix(), until, user, role, MostTokens)
	if err := expect(done, err, ErrNoUser); errors.Is(err, ErrNoUser) {
		return "", 0, s.whyNoToken(ctx, user, role)
	} else if err != nil {
		return "", 0, err
	}
	id, err = done.LastInsertId()
	return text, id, err
}

// whyNoToken is the reason why NewToken inserted no row.
func (s *Store) whyNoToken(ctx context.Context, user string, role int) error {
	var has, tokens int
	err := s.db.QueryRowContext(ctx, "select role, (select count(*) from token where user = name) from user "+
		"where name = ?", user).Scan(&has, &tokens)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrNoUser
	case err != nil:
		return fmt.Errorf("account: %w", err)
	case has < role:
		return ErrRole
	}
	return ErrManyTokens
}

// Tokens are those of a user, of all for "".
func (s *Store) Tokens(ctx context.Context, user string) (list []Token, err error) {
	rows, err := s.db.QueryContext(ctx, `select id, user, label, role, created, expires, used from token
		where user = ? or ? = '' order by id`, user, user)
	if err != nil {
		return nil, fmt.Errorf("account: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var t Token
		var created, expires, used int64
		if err := rows.Scan(&t.ID, &t.User, &t.Label, &t.Role, &created, &expires, &used); err != nil {
			return nil, fmt.Errorf("account: %w", err)
		}
		t.Created, t.Expires, t.Used = moment(created), moment(expires), moment(used)
		list = append(list, t)
	}
	return list, rows.Err()
}

func moment(seconds int64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

// Revoke removes a token of a user, of anybody for "".
func (s *Store) Revoke(ctx context.Context, user string, id int64) error {
	// The same error for another's token as for none: numbers tell nothing about what others have.
	done, err := s.db.ExecContext(ctx, "delete from token where id = ? and (user = ? or ? = '')", id, user, user)
	return expect(done, err, ErrNoSession)
}

// ByToken is the user of a token, with the role that the token has; ErrNoSession when it is none.
func (s *Store) ByToken(ctx context.Context, text string) (User, error) {
	now := s.now().Unix()
	var u User
	var used int64
	// The lesser of both roles as they are now: a user who has lost a role has lost it for old tokens
	// too.
	err := s.db.QueryRowContext(ctx, `select t.id, u.name, min(u.role, t.role), t.used from token t
		join user u on u.name = t.user where t.hash = ? and (t.expires = 0 or t.expires > ?)`, digest(text), now).
		Scan(&u.Token, &u.Name, &u.Role, &used)
	if errors.Is(err, sql.ErrNoRows) {
		return User{}, ErrNoSession
	}
	// As with sessions, once a minute: a program with a token may send many requests a second, and
	// each write takes the file's lock.
	if err == nil && now-used > 60 {
		_, err = s.db.ExecContext(ctx, "update token set used = ? where id = ?", now, u.Token)
	}
	if err != nil {
		return User{}, fmt.Errorf("account: %w", err)
	}
	return u, nil
}
