// Package setting describes settings of commands and servers: name, help, default, and a pointer to the variable that a
// setting fills. A table of settings makes flags, their help, completions of shells, manual pages, and the keys of
// configuration files.
//
//	var o struct{ Output string; Workers int }
//	settings := []setting.Setting{
//		{Name: "output", Value: &o.Output, Default: "out", Help: "folder to write to", Example: "/data/out"},
//		{Name: "workers", Value: &o.Workers, Help: "units that are done at once", Example: "4"},
//	}
//
// Package cli parses command lines with it.
package setting
