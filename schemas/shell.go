package schemas

import "strings"

// harmless are the characters that have no meaning in any shell.
const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+"

// ShellWord quotes a word for a POSIX shell, if necessary.
func ShellWord(word string) string {
	// An empty word needs quotes too.
	if word != "" && strings.Trim(word, harmless) == "" {
		return word
	}
	// Within single quotes only the single quote is special: it is closed, escaped, and opened again.
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
