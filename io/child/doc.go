// Package child groups the packages that work in child processes, because input is hostile and parsers are large. It
// has no code itself:
//
//	sandbox      a function called in child processes with limits on memory, processor time and system calls
//	docsandbox   PDF and office files read in such processes
package child
