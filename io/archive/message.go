package archive

import (
	"github.com/gleaner-web/gleaner/io/archive/payload"
	"github.com/gleaner-web/gleaner/schemas"
)

// messageHead is the number of bytes of a message that are used to detect its format.
const messageHead = 64 << 10

// Message reads a message of a queue, which is what a line of a file is; its format is recognised by its content. It
// returns the quirks met. A nil capture is a message that holds none; an error is why it cannot be read, ErrUnsupported
// when it is of no known format. The capture has no origin.
func Message(value []byte, o Options) (*schemas.Capture, []string, error) {
	head := value[:min(len(value), messageHead)]
	for _, known := range formats {
		if known.lines != nil && known.lines.Match("", head) {
			return known.lines.Capture(value, payload.Options{MaxBody: o.MaxBody, MaxRatio: o.MaxRatio, HeadOnly: o.HeadOnly})
		}
	}
	return nil, nil, ErrUnsupported
}
