// Package sink says what a server has to do that gets documents beside the output, and has the sinks of a run work as
// one. It is also the wing of such servers, each a [Config] and a [Sink]:
//
//	elastic      indexes of Elasticsearch and OpenSearch
//	hbase        a table of Apache HBase
//	kafka        topics of Kafka, which can be read, too
//	postgres     tables of PostgreSQL
//	sandcrawler  tables and topics of Sandcrawler, which get results of datasets and have requests for them
//	sinktest     the contract of a Sink as a test
//
// A unit of a run goes to all sinks like this:
//
//	messages, err := sinks.Encode(page)                // side by side, as pages are enriched
//	d, err := sinks.Begin(ctx, &counts, reject)
//	defer d.Abort()
//	err = d.Write(messages)                            // in the order of the archive
//	err = d.Commit()                                   // then the unit is done
package sink
