package account

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const password = "correct horse battery"

func open(t *testing.T) (*Store, *time.Time) {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "state", "accounts.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	s.now = func() time.Time { return now }
	return s, &now
}

func add(t *testing.T, s *Store, name string, role int) {
	t.Helper()
	if err := s.AddUser(t.Context(), name, password, role); err != nil {
		t.Fatal(err)
	}
}

// try tries to log in with an unknown browser.
func try(t *testing.T, s *Store, name, word, origin string) (string, error) {
	t.Helper()
	e, err := s.Login(t.Context(), Try{Name: name, Password: word, Origin: origin})
	return e.Session, err
}

func TestUsers(t *testing.T) {
	s, _ := open(t)
	add(t, s, "ada", 2)
	for name, want := range map[string]error{"ada": ErrThere, "": ErrName, "../x": ErrName, "a b": ErrName} {
		if err := s.AddUser(t.Context(), name, password, 1); !errors.Is(err, want) {
			t.Errorf("AddUser(%q): %v, want %v", name, err, want)
		}
	}
	for _, bad := range []string{"", "short", "nine char", strings.Repeat("x", 2000)} {
		if s.AddUser(t.Context(), "bob", bad, 1) == nil {
			t.Errorf("AddUser took the password %q", bad)
		}
	}
	if s.AddUser(t.Context(), "administrator", "Administrator", 1) == nil {
		t.Error("AddUser took the name as password")
	}
	if err := s.SetRole(t.Context(), "nobody", 1); !errors.Is(err, ErrNoUser) {
		t.Errorf("SetRole of nobody: %v", err)
	}
}

// TestFile_holdsNoSecrets: the file contains nothing that is sufficient for logging in, and other users of the machine
// cannot read it.
func TestFile_holdsNoSecrets(t *testing.T) {
	s, _ := open(t)
	add(t, s, "ada", 3)
	session, err := try(t, s, "ada", password, "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := s.NewToken(t.Context(), "ada", "script", 1, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	var path string
	if err := s.db.QueryRow("select file from pragma_database_list").Scan(&path); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Exec("pragma wal_checkpoint(truncate)"); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{password, session, token, strings.TrimPrefix(token, tokenStart)} {
		if strings.Contains(string(data), secret) {
			t.Errorf("the file holds %q", secret)
		}
	}
	if !strings.Contains(string(data), "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Error("the password is not hashed by argon2id")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v, want 0600", info.Mode(), err)
	}
}

func TestLogin(t *testing.T) {
	s, now := open(t)
	add(t, s, "ada", 2)
	e, err := s.Login(t.Context(), Try{Name: "ada", Password: password, Origin: "192.0.2.1"})
	if err != nil || e.User.Role != 2 {
		t.Fatalf("Login: %+v, %v", e, err)
	}
	first := e.Session
	second, err := try(t, s, "ada", password, "192.0.2.1")
	if err != nil || first == second {
		t.Errorf("two log-ins have one session: %v", err)
	}
	if got, err := s.Session(t.Context(), first); err != nil || got.Name != "ada" {
		t.Errorf("Session: %+v, %v", got, err)
	}
	if err := s.Logout(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Session(t.Context(), first); !errors.Is(err, ErrNoSession) {
		t.Errorf("a session after log-out: %v", err)
	}
	if err := s.SetPassword(t.Context(), "ada", password+"!"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Session(t.Context(), second); !errors.Is(err, ErrNoSession) {
		t.Errorf("a session after another password: %v", err)
	}
	third, err := try(t, s, "ada", password+"!", "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	*now = now.Add(idle + time.Second)
	if _, err := s.Session(t.Context(), third); !errors.Is(err, ErrNoSession) {
		t.Errorf("a session after a day without a request: %v", err)
	}
	if _, err := s.Session(t.Context(), "anything that a browser brings"); !errors.Is(err, ErrNoSession) {
		t.Errorf("a session that nobody began: %v", err)
	}
}

func TestTokens(t *testing.T) {
	s, now := open(t)
	add(t, s, "ada", 2)
	if _, _, err := s.NewToken(t.Context(), "ada", "script", 3, time.Time{}); !errors.Is(err, ErrRole) {
		t.Errorf("an editor's token that is to be an administrator's: %v, want %v", err, ErrRole)
	}
	if _, _, err := s.NewToken(t.Context(), "nobody", "script", 1, time.Time{}); !errors.Is(err, ErrNoUser) {
		t.Errorf("a token of nobody: %v, want %v", err, ErrNoUser)
	}
	text, id, err := s.NewToken(t.Context(), "ada", "script", 2, now.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if u, err := s.ByToken(t.Context(), text); err != nil || u.Role != 2 {
		t.Errorf("an editor's token: %+v, %v", u, err)
	}
	if err := s.SetRole(t.Context(), "ada", 1); err != nil {
		t.Fatal(err)
	}
	if u, err := s.ByToken(t.Context(), text); err != nil || u.Role != 1 {
		t.Errorf("after its user lost a role: %+v, %v", u, err)
	}
	if err := s.Revoke(t.Context(), "bob", id); err == nil {
		t.Error("somebody else revoked the token")
	}
	*now = now.Add(2 * time.Hour)
	if _, err := s.ByToken(t.Context(), text); !errors.Is(err, ErrNoSession) {
		t.Errorf("a token that is out of date: %v", err)
	}
	text, id, err = s.NewToken(t.Context(), "ada", "again", 1, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Revoke(t.Context(), "ada", id); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ByToken(t.Context(), text); !errors.Is(err, ErrNoSession) {
		t.Errorf("a token that was revoked: %v", err)
	}
	for err = error(nil); err == nil && id < 2*MostTokens; {
		_, id, err = s.NewToken(t.Context(), "ada", "one more", 1, time.Time{})
	}
	if list, _ := s.Tokens(t.Context(), "ada"); !errors.Is(err, ErrManyTokens) || len(list) != MostTokens {
		t.Errorf("%d tokens, and then %v, want %d", len(list), err, MostTokens)
	}
	if err := s.RemoveUser(t.Context(), "ada"); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Tokens(t.Context(), ""); err != nil || len(list) != 0 {
		t.Errorf("tokens of a user who is gone: %v, %v", list, err)
	}
}

func TestEvents(t *testing.T) {
	s, _ := open(t)
	for _, what := range []string{"log in", "job started"} {
		if err := s.Note(context.Background(), Event{Who: "ada", What: what, Detail: strings.Repeat("x", 5000)}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.Events(t.Context(), 10)
	if err != nil || len(list) != 2 || list[0].What != "job started" || len(list[0].Detail) != 1000 {
		t.Errorf("%d events, %v", len(list), err)
	}
}
