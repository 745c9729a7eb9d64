// Package substrait replaces the module of the same path, which has the definitions of Substrait's functions as 2 MB of
// YAML. A package that iceberg-go's tables import parses them whenever a program starts: 90 ms and 32 MB, more than all
// others together. Only filters of rows that are read through iceberg-go need them; this project reads rows
// with its own reader, and plans with statistics of files. Without definitions such a filter is an error.
//
// Programs of other modules that import io/lake get the original, since replacements of go.mod are for its own module.
package substrait

import "embed"

// The one definition file names nothing: at least one must exist.
//
//go:embed extensions/none.yaml
var extensions embed.FS

// GetSubstraitFS returns the files of GetSubstraitExtensionsFS.
func GetSubstraitFS() embed.FS { return extensions }

// GetSubstraitExtensionsFS returns a file system with the folder extensions.
func GetSubstraitExtensionsFS() embed.FS { return extensions }
