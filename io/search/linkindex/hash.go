package linkindex

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
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
	return hashOf(url + "\x00" + strconv.FormatInt(microsOf(timestamp), 10))
}

// noTime stands for an unknown time, which is before all others.
const noTime = math.MinInt64

// microsOf returns a timestamp as microseconds since 1970.
func microsOf(timestamp string) int64 {
	t, err := time.Parse(time.RFC3339Nano, timestamp)
	if err != nil {
		return noTime
	}
	return t.UnixMicro()
}

// yearOf returns the year of a time, or 0 if the time is unknown.
func yearOf(micros int64) int {
	if micros == noTime {
		return 0
	}
	return time.UnixMicro(micros).UTC().Year()
}
