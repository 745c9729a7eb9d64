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
type csrf struct{ key [32]byte }

func newCSRF() *csrf {
	// The key is not kept: after a restart forms that were open are out of date, and sent again from a
	// new page.
	c := &csrf{}
	_, _ = rand.Read(c.key[:]) // it never fails
	return c
}

func (c *csrf) sum(binding string) []byte {
	// Bound to the session, a token of one's own is no use against somebody else; nothing has to be
	// stored for it.
	h := hmac.New(sha256.New, c.key[:])
	_, _ = h.Write([]byte(binding)) // a hash never fails
	return h.Sum(nil)
}

// token is a token for what a request is bound to: a pad, and the sum under the pad.
func (c *csrf) token(binding string) string {
	sum := c.sum(binding)
	out := make([]byte, 2*len(sum))
	_, _ = rand.Read(out[:len(sum)]) // it never fails
	for i, b := range sum {
		out[len(sum)+i] = b ^ out[i]
	}
	return base64.RawURLEncoding.EncodeToString(out)
}

// valid tells whether a token is of what a request is bound to.
func (c *csrf) valid(token, binding string) bool {
	data, err := base64.RawURLEncoding.DecodeString(token)
	// The length first: what follows indexes by it.
	if err != nil || len(data) != 2*sha256.Size {
		return false
	}
	for i := range sha256.Size {
		data[sha256.Size+i] ^= data[i]
	}
	// In a time that does not depend on where the sums differ.
	return hmac.Equal(data[sha256.Size:], c.sum(binding))
}
