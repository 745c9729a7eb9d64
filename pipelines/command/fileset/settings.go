package fileset

import (
	"github.com/gleaner-web/gleaner/io/storage/setting"
	core "github.com/gleaner-web/gleaner/transforms/fileset"
)

// The headings of --help.
const (
	input  = "Input"
	output = "Output"
	limits = "Limits"
	doing  = "Running"
)

func (c *config) inputSettings() []setting.Setting {
	return setting.Under(input, []setting.Setting{{
		Name: "requests", Value: &c.requests, Example: "requests.jsonl",
		Help: "ingest requests: files of JSON lines, plain or compressed, - for standard input, a topic of Kafka " +
			"(kafka://host:9092/sandcrawler-qa.ingest-file-requests-daily) up to its end at the start, or a database " +
			"(postgres://reader@host/sandcrawler) whose ingest_request has some without a result; " + ownRequests + " when " +
			"neither this nor --discover is given",
		Brief: "ingest requests, as JSON lines",
	}, {
		Name: "archives", Value: &c.named, Example: "/data/warcs/",
		Help: "the captures: archives of any format that ingest reads, folders, collections of ingest, " +
			"capture indexes (.cdx, .cdxj); arguments name more; " + ownArchives + " when nothing is named",
		Brief: "archives, collections, capture indexes",
	}, {
		Name: "warc_base", Value: &c.base, Example: "/data/warcs",
		Help:  "the folder that the names in capture indexes are below; by default that of each index",
		Brief: "folder that names in indexes are below",
	}, {
		Name: "cdx_server", Value: &c.options.Server, Example: "https://example.org/web/cdx",
		Help: "address of a CDX server, in place of --archives; archives are below --warc_base",
	}, {
		Name: "discover", Value: &c.discover,
		Help: "find datasets in the archives themselves: landing pages of platforms, pages that describe a dataset in " +
			"JSON-LD or by signposting links",
		Brief: "find datasets in the archives themselves",
	}})
}

func (c *config) outputSettings() []setting.Setting {
	return setting.Under(output, []setting.Setting{{
		Name: "output", Value: &c.options.Output, Default: "out-filesets", Example: "/data/filesets",
		Help:  "folder for results; a killed run continues there when it is started again",
		Brief: "folder for results",
	}, {
		Name: "add", Value: &c.add,
		Help: "keep the results of other requests that are in the folder; requests that are among them are not done again",
	}, {
		Name: "fresh", Value: &c.fresh,
		Help: "start over: remove the results that are in the folder",
	}, {
		Name: "format", Value: &c.format, Values: formatNames(),
		Help: "write the datasets that were found whole in another format too, one a line in the file FORMAT.jsonl: " +
			"fileset entities of fatcat, Data Packages of Frictionless Data, or RO-Crates",
	}})
}

func (c *config) limitSettings() []setting.Setting {
	return setting.Under(limits, []setting.Setting{{
		Name: "strategy", Value: &c.options.Strategy, Values: core.Strategies(),
		Help: "archive all datasets by this strategy; by default their number of files and sizes choose one of the four " +
			"that are not bundled",
		Brief: "strategy for all datasets",
	}, {
		Name: "max_total_size", Value: &c.options.MaxTotal, Default: "64GiB",
		Help: "largest dataset; of a larger one the status is too-large-size",
	}, {
		Name: "max_file_count", Value: (*setting.Count)(&c.options.MaxFiles), Default: "200",
		Help: "most files of a dataset, at most 10000; of more the status is too-many-files",
	}, {
		Name: "max_web_file", Value: &c.options.MaxWebFile, Default: "64MiB",
		Help: "a file of this size makes the strategy archiveorg-*",
	}, {
		Name: "max_web_total", Value: &c.options.MaxWebTotal, Default: "128GiB",
		Help: "files of this size together likewise",
	}})
}

func (c *config) runSettings() []setting.Setting {
	return setting.Under(doing, []setting.Setting{{
		Name: "plan", Value: &c.planOnly,
		Help: "show what would be done, and do nothing",
	}, {
		Name: "watch", Value: &c.every, Example: "10m",
		Help: "run again this long after each run, and do only new requests",
	}, {
		Name: "unit_requests", Value: &c.options.UnitSize, Default: "250",
		Help: "requests of a unit, which one worker does",
	}, {
		Name: "workers", Value: &c.options.Workers, Default: "0", Example: "4",
		Help: "units that a process does at once; 0 for as many as there are processors",
	}, {
		Name: "memory", Value: &c.options.Memory, Default: "64MiB",
		Help: "what sorting the index of captures holds in memory",
	}})
}
