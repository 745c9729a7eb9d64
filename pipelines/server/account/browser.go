package account

import (
	"context"
	"fmt"
	"net/netip"
	"time"
)

// BrowserTime is how long a browser stays known after a log-in.
const BrowserTime = 365 * 24 * time.Hour

// mostBrowsers is the number of known browsers of an account. A new one replaces the one unused for longest.
const mostBrowsers = 20

// knows reports whether text was given to a browser that has logged in as this user. The method is device cookies
// (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
func (s *Store) knows(ctx context.Context, user, text string) bool {
	if text == "" {
		return false
	}
	var n int
	// If the store fails, the log-in itself notices it.
	err := s.db.QueryRowContext(ctx, "select count(*) from browser where hash = ? and user = ? and used >= ?",
		digest(text), user, s.now().Add(-BrowserTime).Unix()).Scan(&n)
	return err == nil && n > 0
}

// knowBrowser makes a browser known by its existing text, or by a new one, and returns the text.
func (s *Store) knowBrowser(ctx context.Context, user, text string) (string, error) {
	hash := digest(text)
	if !s.knows(ctx, user, text) {
		text, hash = secret()
	}
	now := s.now()
	_, err := s.db.ExecContext(ctx, `insert into browser (hash, user, used) values (?, ?, ?)
		on conflict do update set used = excluded.used`, hash, user, now.Unix())
	if err == nil {
		_, err = s.db.ExecContext(ctx, `delete from browser where user = ? and (used < ? or hash not in
			(select hash from browser where user = ? order by used desc, rowid desc limit ?))`,
			user, now.Add(-BrowserTime).Unix(), user, mostBrowsers)
	}
	if err != nil {
		return "", fmt.Errorf("account: %w", err)
	}
	return text, nil
}

// forgetBrowsers makes all browsers of a user unknown.
func (s *Store) forgetBrowsers(ctx context.Context, user string) error {
	_, err := s.db.ExecContext(ctx, "delete from browser where user = ?", user)
	return err
}

// Network returns the key for counting requests from an address. It is an IPv4 address itself, or the /64 of an IPv6
// address, which one customer has (RFC 6177). Other texts are returned unchanged.
func Network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		return ip.String()
	}
	p, _ := ip.Prefix(64) // an IPv6 address has 64 bits
	return p.String()
}
