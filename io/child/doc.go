// Package child groups the packages that work in child processes, because input is hostile and parsers are large. It
// has no code itself:
//
//	sandbox      a function called in child processes with limits on memory, processor time and system calls
//	docsandbox   PDF and office files read in such processes
//	plug         extractors of one's own in any language: they get documents and return values
//
// Of io, this wing imports nothing. Only pipelines import it.
package child
