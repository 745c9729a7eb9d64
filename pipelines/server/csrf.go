package server

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// csrf makes the tokens that forms send back: an HMAC of what the request is bound to, a session, under a key of this
// process. Each time it is given out it looks different, so that its bytes cannot be guessed from how well a page is
// compressed (BREACH).
// A new key at each start: forms that were open before are refused, and opened again.
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

// token is a token for what a request is bound to: a pad, and the sum under the pad.
func (c *csrf) token(binding string) string {
	sum := c.sum(binding)
	// The pad is as long as the sum, and is sent in front of it.
	out := make([]byte, 2*len(sum))
	_, _ = rand.Read(out[:len(sum)]) // it never fails
	for i, b := range sum {
		// Exclusive or, so that the pad takes itself away again.
		out[len(sum)+i] = b ^ out[i]
	}
	return base64.RawURLEncoding.EncodeToString(out)
}

// valid reports whether a token is of what a request is bound to.
func (c *csrf) valid(token, binding string) bool {
	data, err := base64.RawURLEncoding.DecodeString(token)
	// The length first, so that the indexes below are safe.
	if err != nil || len(data) != 2*sha256.Size {
		return false
	}
	for i := range sha256.Size {
		data[sha256.Size+i] ^= data[i]
	}
	// In constant time, or the time would tell how many bytes are right.
	return hmac.Equal(data[sha256.Size:], c.sum(binding))
}
