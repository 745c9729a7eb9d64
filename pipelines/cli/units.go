package cli

import (
	"fmt"
	"strconv"
	"time"
)

// FormatBytes writes a size for people: 999 B, 1.5 KiB, 64.0 MiB.
func FormatBytes(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	// Binary units throughout make sizes comparable.
	f, units := float64(n)/1024, "KMGTPE"
	for f >= 1023.95 && len(units) > 1 { // 1023.95 would print as 1024.0
		f, units = f/1024, units[1:]
	}
	return fmt.Sprintf("%.1f %ciB", f, units[0])
}

// FormatCount formats a number: 1,234,567.
func FormatCount(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	// From the right, so that the positions stay valid.
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// formatDuration formats a time to the second: 45s, 2m10s, 3h05m. It has no days, because hours are easier to
// compare.
func formatDuration(d time.Duration) string {
	s := int64(d.Round(time.Second) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	}
	return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
}
