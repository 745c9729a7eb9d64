// Package unit does one unit of a job: it reads the unit's inputs, enriches their captures, writes the results and
// commits them. It knows no plan and no other unit, except for the joined records of all.
//
// A Job is all that it has to know of the run. An Engine does units, and is what a runner sets up in a process. The
// engines of a job share a session there, which bounds their work.
package unit
