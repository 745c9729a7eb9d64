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
// some 30 ms. They are in each hash, so that they can be raised.
const (
	passes  = 2
	memory  = 19 << 10 // KiB
	lanes   = 1
	keySize = 32
	// 16 bytes as RFC 9106, section 3.1, recommends for passwords; a key of 32 is 256 bits.
	salt = 16
)

// The bounds of a password, in characters and bytes. NIST SP 800-63B asks for 8 at least where nothing else is asked; a
// server on the open net is guessed at more.
const (
	leastPassword = 10
	mostPassword  = 1024
)

// ErrPassword is a password that nobody should have.
var ErrPassword = Mistake(fmt.Sprintf("a password has %d characters at least", leastPassword))

func checkPassword(name, password string) error {
	switch {
	// The least is in characters, which is what people count; the most in bytes, which is what hashing
	// costs.
	case utf8.RuneCountInString(password) < leastPassword:
		return ErrPassword
	case len(password) > mostPassword:
		return Mistake(fmt.Sprintf("a password has %d bytes at most", mostPassword))
	case strings.EqualFold(password, name):
		return Mistake("the password must differ from the name")
	}
	return nil
}

// hashOf is the hash of a password in the form that other programs have: $argon2id$v=19$m=…,t=…,p=…$salt$key.
func (s *Store) hashOf(ctx context.Context, password string) (string, error) {
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
	select {
	case s.slots <- struct{}{}:
		// The slot is given back when the key is there. A client that goes away while it waits frees
		// its place in the queue, but argon2 itself cannot be interrupted.
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), salt, t, m, p, keySize), nil
}

// matches reports whether a hash is that of a password.
func (s *Store) matches(ctx context.Context, hash, password string) (bool, error) {
	var version int
	var m, t uint32
	var p uint8
	parts := strings.Split(hash, "$")
	// Six, since the text begins with $: the first part is empty.
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, errors.New("account: a hash of a kind that is not known")
	}
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &m, &t, &p); err != nil {
		return false, fmt.Errorf("account: a hash: %w", err)
	}
	// Whoever can write the file could ask for all memory otherwise.
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
	// In a time that does not depend on where they differ. Keys of other lengths than keySize are
	// unequal.
	return err == nil && subtle.ConstantTimeCompare(got, want) == 1, err
}

// secret is a new random text of 256 bits, and its hash. SHA-256 is enough for what cannot be guessed.
func secret() (text string, hash []byte) {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it never fails
	text = base64.RawURLEncoding.EncodeToString(b)
	return text, digest(text)
}

// digest is what the file holds of a session or token. It is looked up by the hash, so no text is
// compared byte by byte.
func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}
