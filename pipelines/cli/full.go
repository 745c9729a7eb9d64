//go:build !local

package cli

// LeftOut says what this program was built without, for messages, or is "" for a full build.
const LeftOut = ""
