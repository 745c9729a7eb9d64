// Package jobs runs commands for the users of the server: ingest, query and sources, as child processes of the same
// program, one after the other. What a job may be asked is a choice of the command's own flags (see Forms); nothing
// that names a server, a program or a place outside of the folders that the server was given is among them.
//
//	q, err := jobs.Open(dir, jobs.Options{Program: program})
//	job, err := q.Start(jobs.Request{Verb: "ingest", Args: args, By: "ada"})
//	defer q.Close()
//
// A job is a folder: job.json, which is replaced in one step whenever something changes, and log, to which the command
// writes itself. So a server that is killed loses nothing: when it is started again, a job that was running is run
// again, and goes on where it was, as these commands do; what waited, waits. A child ends with the server.
package jobs
