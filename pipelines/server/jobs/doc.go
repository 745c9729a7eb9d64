// Package jobs runs commands for the users of the server: ingest, query and sources. They run as child processes of
// the same program, one after the other. A job can only use selected flags of its command (see package form). None of
// them names a server, a program, or a place outside of the folders that the server was given.
//
//	q, err := jobs.Open(dir, jobs.Options{Program: program})
//	job, err := q.Start(jobs.Request{Verb: "ingest", Args: args, By: "ada"})
//	defer q.Close()
//
// A job is a folder with two files. job.json is replaced atomically at each change. The command writes its output to
// log itself. So nothing is lost if the server is killed. At the next start, waiting jobs still wait. A running job is
// run again, and its command continues at the same place. A child ends with the server.
package jobs
