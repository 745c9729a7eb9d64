package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
)

// The parameters of argon2id: what OWASP's password cheat sheet names first (19 MiB, two passes, one lane), which takes
// some 30 ms. They stand in each hash, so that they can be raised.
const (
	passes = 2
	// In KiB, as argon2 counts.
	memory  = 19 << 10 // KiB
	lanes   = 1
	keySize = 32
	salt    = 16
)

// The bounds of a password, in characters and bytes. NIST SP 800-63B asks for 8 at least where nothing else is asked; a
// server on the open net is guessed at more.
const (
	leastPassword = 10
	// An upper bound: hashing takes longer for longer texts, and anybody may send one.
	mostPassword = 1024
)

// ErrPassword is a password that nobody should have.
var ErrPassword = fmt.Errorf("a password has %d characters at least", leastPassword)

func checkPassword(name, password string) error {
	switch {
	// In characters, as people count them.
	case utf8.RuneCountInString(password) < leastPassword:
		return ErrPassword
	case len(password) > mostPassword:
		return fmt.Errorf("a password has %d bytes at most", mostPassword)
	case strings.EqualFold(password, name):
		return errors.New("the name is no password")
	}
	return nil
}

// hashOf is the hash of a password in the form that other programs have: $argon2id$v=19$m=…,t=…,p=…$salt$key.
func (s *Store) hashOf(ctx context.Context, password string) (string, error) {
	// A salt of its own for each hash, so that equal passwords do not look alike. 16 bytes: RFC 9106,
	// section 3.1.
	b := make([]byte, salt)
	_, _ = rand.Read(b) // it never fails
	key, err := s.key(ctx, password, b, passes, memory, lanes)
	if err != nil {
		return "", err
	}
	e := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memory, passes, lanes,
		e.EncodeToString(b), e.EncodeToString(key)), nil
}

// key derives a key from a password, when there is a slot for it: so many log-ins at once take no more memory than two.
func (s *Store) key(ctx context.Context, password string, salt []byte, t, m uint32, p uint8) ([]byte, error) {
	// Whoever waits here can give up; the slot is given back however this ends.
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), salt, t, m, p, keySize), nil
}

// matches tells whether a hash is that of a password.
// The parameters are those of the hash, so that older ones stay valid when ours are raised.
func (s *Store) matches(ctx context.Context, hash, password string) (bool, error) {
	var version int
	var m, t uint32
	var p uint8
	parts := strings.Split(hash, "$")
	// The text begins with "$", so the first of six parts is empty.
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, errors.New("account: a hash of a kind that is not known")
	}
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &m, &t, &p); err != nil {
		return false, fmt.Errorf("account: a hash: %w", err)
	}
	// Whoever can write the file could ask for all memory otherwise.
	// At most 1 GiB (m is in KiB) and 100 passes.
	if version != argon2.Version || m > 1<<20 || t == 0 || t > 100 || p == 0 {
		return false, errors.New("account: a hash with parameters that are not taken")
	}
	e := base64.RawStdEncoding
	b, err1 := e.DecodeString(parts[4])
	want, err2 := e.DecodeString(parts[5])
	if err := errors.Join(err1, err2); err != nil {
		return false, fmt.Errorf("account: a hash: %w", err)
	}
	got, err := s.key(ctx, password, b, t, m, p)
	// In constant time: how long it takes must not tell how much of the key was right.
	return err == nil && subtle.ConstantTimeCompare(got, want) == 1, err
}

// No salt and no slow hash: nobody can try 2^256 texts.
// secret is a new random text of 256 bits, and its hash. SHA-256 is enough for what cannot be guessed.
func secret() (text string, hash []byte) {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it never fails
	text = base64.RawURLEncoding.EncodeToString(b)
	return text, digest(text)
}

func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}
