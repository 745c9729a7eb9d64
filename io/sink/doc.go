// Package sink is the wing of servers that documents are sent to. It holds no code of its own:
//
//	elastic   indexes of Elasticsearch and OpenSearch
//	kafka     topics of Kafka, which can be read, too
package sink
