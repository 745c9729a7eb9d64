package linkindex

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"time"
)

// hashOf returns the hash of a text. Texts come from archives, so the hash is one for which nobody makes collisions.
func hashOf(s string) uint64 {
	sum := sha256.Sum256([]byte(s))
	return binary.LittleEndian.Uint64(sum[:])
}

// Key identifies a capture by the URL and the timestamp of its document or link. Captures of one URL at the same
// microsecond share it.
func Key(url, timestamp string) uint64 {
	micros := ""
	if t, err := time.Parse(time.RFC3339Nano, timestamp); err == nil {
		micros = strconv.FormatInt(t.UnixMicro(), 10)
	}
	return hashOf(url + "\x00" + micros)
}
