// Package child is the wing of work that is done in child processes, since its input is hostile and its parsers are
// large. It holds no code of its own:
//
//	sandbox      a function called in child processes with limits on memory, processor time and system calls
//	docsandbox   PDF and office files read in such processes
package child
