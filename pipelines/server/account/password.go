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

// The parameters of argon2id: the first choice in OWASP's password cheat sheet (19 MiB, two passes, one lane), which
// takes some 30 ms. Each hash contains them, so they can be raised.
const (
	passes  = 2
	memory  = 19 << 10 // KiB
	lanes   = 1
	keySize = 32
	// RFC 9106, section 3.1, recommends 16 bytes for passwords; a key of 32 bytes has 256 bits.
	salt = 16
)

// The bounds of a password, in characters and bytes. NIST SP 800-63B requires at least 8. A server on the open
// internet has to expect more guessing.
const (
	leastPassword = 10
	mostPassword  = 1024
)

// ErrPassword means that a password is too short.
var ErrPassword = Mistake(fmt.Sprintf("a password has %d characters at least", leastPassword))

func checkPassword(name, password string) error {
	switch {
	// The minimum is in characters, which people count. The maximum is in bytes, which determine the cost of hashing.
	case utf8.RuneCountInString(password) < leastPassword:
		return ErrPassword
	case len(password) > mostPassword:
		return Mistake(fmt.Sprintf("a password has %d bytes at most", mostPassword))
	case strings.EqualFold(password, name):
		return Mistake("the password must differ from the name")
	}
	return nil
}

// hashOf returns the hash of a password in the usual form: $argon2id$v=19$m=…,t=…,p=…$salt$key.
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

// key derives a key from a password once there is a free slot. So many simultaneous log-ins need no more memory than
// two.
func (s *Store) key(ctx context.Context, password string, salt []byte, t, m uint32, p uint8) ([]byte, error) {
	select {
	case s.slots <- struct{}{}:
		// The slot is released when the key is ready. A client that leaves while waiting frees its place in the queue,
		// but argon2 itself cannot be interrupted.
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return argon2.IDKey([]byte(password), salt, t, m, p, keySize), nil
}

// matches reports whether hash is the hash of password.
func (s *Store) matches(ctx context.Context, hash, password string) (bool, error) {
	var version int
	var m, t uint32
	var p uint8
	parts := strings.Split(hash, "$")
	// There are six parts, since the text begins with $ and the first part is empty.
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, errors.New("account: a hash of a kind that is not known")
	}
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &m, &t, &p); err != nil {
		return false, fmt.Errorf("account: a hash: %w", err)
	}
	// Otherwise anybody who can write the file could demand all memory.
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
	// The comparison time does not depend on where the keys differ. Keys of another length than keySize are unequal.
	return err == nil && subtle.ConstantTimeCompare(got, want) == 1, err
}

// secret returns a new random text of 256 bits and its hash. SHA-256 is enough for texts that cannot be guessed.
func secret() (text string, hash []byte) {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it never fails
	text = base64.RawURLEncoding.EncodeToString(b)
	return text, digest(text)
}

// digest returns the hash that the file holds for a session or token. Look-ups use the hash, so no text is compared
// byte by byte.
func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}
