// Package pipelines is the parent of the commands and of the packages that they share. It has no code of its own.
//
// Its packages are on floors, from the lowest. A package imports packages of lower floors and of its own folder:
//
//	report stages       measurements; enrichment as a Beam transform
//	cli                 flags, errors and exit codes, for commands without Beam too
//	look run sinks      the style of pages; runners; the table of sinks
//	batch export sheet  the graph of units; forms of answers; report.html
//	job                 the engine of ingest
//	server              pages and the REST API
//	command             the commands
//	ingest query …      each command as a program
//
// All packages may import io, transforms and schemas. Outside pipelines, only tests and tools import them.
package pipelines
