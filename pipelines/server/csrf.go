package server

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// csrf makes the tokens that forms send back: an HMAC of the request's binding, such as a session, with a key of this
// process. Each output looks different, so that its bytes cannot be guessed from the compression of a page (BREACH).
// The key is new at each start: forms opened before are refused, and must be opened again.
type csrf struct{ key [32]byte }

func newCSRF() *csrf {
	c := &csrf{}
	_, _ = rand.Read(c.key[:]) // it never fails
	return c
}

func (c *csrf) sum(binding string) []byte {
	h := hmac.New(sha256.New, c.key[:])
	_, _ = h.Write([]byte(binding)) // a hash never fails
	return h.Sum(nil)
}

// token returns a token for a request's binding: a pad, and the sum combined with the pad.
func (c *csrf) token(binding string) string {
	sum := c.sum(binding)
	// The pad is as long as the sum, and is sent before it.
	out := make([]byte, 2*len(sum))
	_, _ = rand.Read(out[:len(sum)]) // it never fails
	for i, b := range sum {
		// With exclusive or, applying the pad again removes it.
		out[len(sum)+i] = b ^ out[i]
	}
	return base64.RawURLEncoding.EncodeToString(out)
}

// valid reports whether a token belongs to a request's binding.
func (c *csrf) valid(token, binding string) bool {
	data, err := base64.RawURLEncoding.DecodeString(token)
	// The length is checked first, so that the indexes below are safe.
	if err != nil || len(data) != 2*sha256.Size {
		return false
	}
	for i := range sha256.Size {
		data[sha256.Size+i] ^= data[i]
	}
	// The comparison takes constant time. Otherwise the time would reveal how many bytes are right.
	return hmac.Equal(data[sha256.Size:], c.sum(binding))
}
