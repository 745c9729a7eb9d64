package account

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// limited reports whether err refuses the attempt itself.
func limited(err error) bool {
	limit := (*LimitError)(nil)
	return errors.As(err, &limit) && limit.Wait > 0 && limit.Wait <= window
}

func TestLogin_guessingIsLimited(t *testing.T) {
	for _, test := range []struct{ name, from, same, other string }{
		{"IPv4", "192.0.2.1", "192.0.2.1", "192.0.2.2"},
		{"IPv4 in IPv6", "::ffff:192.0.2.1", "192.0.2.1", "::ffff:192.0.2.2"},
		{"IPv6", "2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:3::1"},
		{"IPv6 of a link", "fe80::1%eth0", "fe80::2%eth1", "fd00::1"},
		{"no address", "@", "@", "@other"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, now := open(t)
			add(t, s, "ada", 2)
			for i := range mostByPair {
				_, err := try(t, s, "ada", "guess", test.from)
				if wrong := (*WrongError)(nil); !errors.As(err, &wrong) || wrong.Left != mostByPair-1-i {
					t.Fatalf("guess %d: %v", i, err)
				}
			}
			if _, err := try(t, s, "ada", password, test.same); !limited(err) {
				t.Errorf("after %d guesses from the same network: %v", mostByPair, err)
			}
			if _, err := try(t, s, "ada", password, test.other); err != nil {
				t.Errorf("after others' guesses: %v", err)
			}
			*now = now.Add(window)
			if _, err := try(t, s, "ada", password, test.same); err != nil {
				t.Errorf("after the window: %v", err)
			}
		})
	}
}

// TestLogin_manyNames: one network is limited, with any names that it guesses.
func TestLogin_manyNames(t *testing.T) {
	s, _ := open(t)
	for i := range mostByOrigin + 1 {
		_, err := try(t, s, "name"+strings.Repeat("x", i), "guess", "192.0.2.9")
		if limited(err) != (i >= mostByOrigin) {
			t.Fatalf("guess %d from one address: %v", i, err)
		}
	}
}

// TestLogin_manyAddresses: an account that many addresses guess at becomes slow, and is then closed, except for a
// known browser.
func TestLogin_manyAddresses(t *testing.T) {
	s, _ := open(t)
	add(t, s, "ada", 2)
	add(t, s, "bob", 1)
	slow := 0
	s.pause = func(context.Context, time.Duration) error { slow++; return nil }
	mine, err := s.Login(t.Context(), Try{Name: "ada", Password: password, Origin: "198.51.100.1"})
	if err != nil || mine.Browser == "" {
		t.Fatalf("Login: %+v, %v", mine, err)
	}
	for i := range mostByName {
		// Comparing passwords takes time; this many attempts reach both limits.
		if i > slowByName+2 && i < mostByName-2 {
			s.limit.add(s.now(), "name ada")
			slow++
			continue
		}
		_, err := try(t, s, "ada", "guess", fmt.Sprintf("2001:db8:0:%x::1", i))
		if wrong := (*WrongError)(nil); !errors.As(err, &wrong) {
			t.Fatalf("guess %d: %v", i, err)
		}
		if want := max(0, i+2-slowByName); slow != want {
			t.Fatalf("guess %d: %d were slowed, want %d", i, slow, want)
		}
	}
	if _, err := try(t, s, "ada", password, "203.0.113.1"); !limited(err) {
		t.Errorf("an unknown browser after %d guesses: %v", mostByName, err)
	}
	slow = 0
	// These are another user's text, one that nobody was given, and the right one.
	his, err := s.Login(t.Context(), Try{Name: "bob", Password: password, Origin: "198.51.100.2"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		browser string
		want    bool
	}{{his.Browser, false}, {"made up", false}, {mine.Session, false}, {mine.Browser, true}} {
		e, err := s.Login(t.Context(), Try{"ada", password, "2001:db8:0:1::1", test.browser})
		if (err == nil) != test.want || slow != 0 {
			t.Errorf("by the browser %.8q: %v, slowed %d times, want success: %t", test.browser, err, slow, test.want)
		}
		if test.want && e.Browser != mine.Browser {
			t.Errorf("a known browser is given %q, want what it has", e.Browser)
		}
	}
}

// TestLogin_knownBrowser: the browser's own guesses are limited, and a new password resets everything.
func TestLogin_knownBrowser(t *testing.T) {
	s, now := open(t)
	add(t, s, "ada", 2)
	e, err := s.Login(t.Context(), Try{Name: "ada", Password: password, Origin: "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	by := func(word, origin string) error {
		_, err := s.Login(t.Context(), Try{"ada", word, origin, e.Browser})
		return err
	}
	guesses := 0
	for ; !limited(by("guess", "192.0.2.1")); guesses++ {
		if guesses > 3*mostByPair {
			t.Fatal("a known browser may guess without end")
		}
	}
	// These are its own guesses, and then those of an unknown browser.
	if guesses != 2*mostByPair {
		t.Errorf("%d guesses, want %d", guesses, 2*mostByPair)
	}
	*now = now.Add(window)
	if err := s.SetPassword(t.Context(), "ada", password+"!"); err != nil {
		t.Fatal(err)
	}
	if s.knows(t.Context(), "ada", e.Browser) {
		t.Error("a browser is known after another password")
	}
	for range mostBrowsers + 5 {
		if _, err := s.Login(t.Context(), Try{Name: "ada", Password: password + "!", Origin: "192.0.2.1"}); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	if err := s.db.QueryRow("select count(*) from browser").Scan(&n); err != nil || n != mostBrowsers {
		t.Errorf("%d browsers are kept, %v, want %d", n, err, mostBrowsers)
	}
}

// TestLogin_successIsNoGuess: many people with one address may log in.
func TestLogin_successIsNoGuess(t *testing.T) {
	s, _ := open(t)
	add(t, s, "ada", 1)
	for i := range 2 * mostByOrigin {
		if _, err := try(t, s, "ada", password, "192.0.2.7"); err != nil {
			t.Fatalf("log-in %d: %v", i+1, err)
		}
	}
	// Failures stay, even if others log in meanwhile.
	for range mostByOrigin - 1 {
		s.limit.add(s.now(), "from 192.0.2.7")
	}
	if _, err := try(t, s, "ada", password, "192.0.2.7"); err != nil {
		t.Errorf("the last try: %v", err)
	}
	if left := s.limit.left(s.now(), "from 192.0.2.7", mostByOrigin); left != 1 {
		t.Errorf("%d tries are left, want 1", left)
	}
}
