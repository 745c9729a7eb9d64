package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// How long sessions last: without a request, and in total.
const (
	idle    = 24 * time.Hour
	longest = 7 * 24 * time.Hour
)

// ErrNoSession means that a session or token is invalid or has expired.
var ErrNoSession = errors.New("not logged in")

// begin begins a session. Its text is always new, so a text from before a log-in is never valid after it.
func (s *Store) begin(ctx context.Context, user string) (string, error) {
	text, hash := secret()
	now := s.now()
	// Old sessions are deleted here: the table grows only by log-ins, so it needs no timer.
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

// Session returns the user of a session, or ErrNoSession.
func (s *Store) Session(ctx context.Context, text string) (User, error) {
	now := s.now()
	var u User
	var since, created, seen int64
	// Each request reads the role instead of storing it in the session, so that a change of role applies at once.
	err := s.db.QueryRowContext(ctx, `select u.name, u.role, u.created, s.rowid, s.created, s.seen `+
		`from session s join user u on u.name = s.user
		where s.hash = ?`, digest(text)).Scan(&u.Name, &u.Role, &since, &u.Session, &created, &seen)
	u.Created = moment(since)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return User{}, ErrNoSession
	case err != nil:
		return User{}, fmt.Errorf("account: %w", err)
	// This is checked here too, since the cleanup in begin may be days away on a quiet server.
	case now.Sub(time.Unix(seen, 0)) > idle || now.Sub(time.Unix(created, 0)) > longest:
		return User{}, ErrNoSession
	}
	// This is written once a minute instead of for each request, since it need not be exact.
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

// Session is a logged-in browser, without its text, which only the browser has.
type Session struct {
	ID            int64
	Created, Seen time.Time
}

// Sessions returns the valid sessions of a user, the newest first.
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

// EndSession ends a session of a user. It returns ErrNoSession if the user has none with this number.
func (s *Store) EndSession(ctx context.Context, user string, id int64) error {
	done, err := s.db.ExecContext(ctx, "delete from session where rowid = ? and user = ?", id, user)
	return expect(done, err, ErrNoSession)
}

// Token is an API token, without its text, which only its owner has.
type Token struct {
	ID      int64
	User    string
	Label   string
	Role    int
	Created time.Time
	Expires time.Time // zero for never
	Used    time.Time // zero for never
}

// tokenStart is the prefix of tokens. With it, tools that search published files for secrets can find them.
const tokenStart = "gleaner_"

// MostTokens is the maximum number of tokens for an account: more than anybody can keep track of, and few enough for a
// page. Expired tokens count until they are revoked.
const MostTokens = 50

// Errors of NewToken.
var (
	// ErrManyTokens means that the account has MostTokens.
	ErrManyTokens = errors.New("the account has as many tokens as it may have")
	// ErrRole means a role above that of the user.
	ErrRole = errors.New("a token cannot have a higher role than its user")
)

// NewToken makes a token of a user with a role that may not exceed the user's. Its text is returned only here. Its
// errors are ErrNoUser, ErrManyTokens and ErrRole.
func (s *Store) NewToken(
	ctx context.Context, user, label string, role int, expires time.Time,
) (text string, id int64, err error) {
	// The hash from secret is that of the text without the prefix, so it is made again below.
	text, _ = secret()
	text = tokenStart + text
	until := int64(0)
	if !expires.IsZero() {
		until = expires.Unix()
	}
	// One statement checks that the user exists, the role and the number of tokens. So nothing can change in between.
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

// whyNoToken returns the reason why NewToken inserted no row.
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

// Tokens returns the tokens of a user, or all tokens for "".
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

// Revoke removes a token of a user, or of anybody for "".
func (s *Store) Revoke(ctx context.Context, user string, id int64) error {
	// The error is the same for the token of another user and for none, so numbers reveal nothing about others.
	done, err := s.db.ExecContext(ctx, "delete from token where id = ? and (user = ? or ? = '')", id, user, user)
	return expect(done, err, ErrNoSession)
}

// ByToken returns the user of a token, with the role of the token, or ErrNoSession.
func (s *Store) ByToken(ctx context.Context, text string) (User, error) {
	now := s.now().Unix()
	var u User
	var created, used int64
	// The role is the lesser of both current roles: a user who has lost a role has lost it for old tokens too.
	err := s.db.QueryRowContext(ctx, `select t.id, u.name, min(u.role, t.role), u.created, t.used from token t
		join user u on u.name = t.user where t.hash = ? and (t.expires = 0 or t.expires > ?)`, digest(text), now).
		Scan(&u.Token, &u.Name, &u.Role, &created, &used)
	u.Created = moment(created)
	if errors.Is(err, sql.ErrNoRows) {
		return User{}, ErrNoSession
	}
	// As for sessions, this is written once a minute. A program with a token may send many requests a second, and each
	// write locks the file.
	if err == nil && now-used > 60 {
		_, err = s.db.ExecContext(ctx, "update token set used = ? where id = ?", now, u.Token)
	}
	if err != nil {
		return User{}, fmt.Errorf("account: %w", err)
	}
	return u, nil
}
