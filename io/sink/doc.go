// Package sink defines servers that get documents in addition to the output, and combines the sinks of a run. Its
// subpackages are such servers, each a [Config] and a [Sink]:
//
//	elastic      indexes of Elasticsearch and OpenSearch
//	hbase        a table of Apache HBase
//	kafka        topics of Kafka, which can be read, too
//	postgres     tables of PostgreSQL
//	sandcrawler  tables and topics of Sandcrawler, for results and requests of datasets
//	sinktest     the contract of a Sink as a test
//
// A unit of a run goes to all sinks like this:
//
//	messages, err := sinks.Encode(page)                // concurrently, as pages are enriched
//	d, err := sinks.Begin(ctx, &counts, reject)
//	defer d.Abort()
//	err = d.Write(messages)                            // in the order of the archive
//	err = d.Commit()                                   // then the unit is done
//
// Of io, this wing imports rowstore, archive and storage. Only pipelines import it.
package sink
