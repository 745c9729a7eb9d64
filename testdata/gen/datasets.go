package main

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// The tide tables of Wrenmouth as a dataset: two files, which several platforms have.
const (
	tides = "day,high,low\n1,06:12,12:31\n2,06:58,13:20\n3,07:49,14:14\n"
	about = "High and low water at Wrenmouth quay, in local time.\n"
)

// member is a file of a dataset.
type member struct{ name, text string }

var tideFiles = []member{{"data/tides.csv", tides}, {"readme.txt", about}}

func md5Hex(s string) string {
	sum := md5.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}

// datasetWARC has captures of landing pages, of answers of platforms' APIs, and of files.
type datasetWARC struct {
	*warc
	err error
}

// add writes an answer of a URL. A status other than 200 OK is that of a redirect, whose body is the address.
func (w *datasetWARC) add(url, mime, body string) {
	host, path, _ := strings.Cut(strings.TrimPrefix(url, "https://"), "/")
	x, err := answer(page{host, "/" + path, mime, []byte(body)})
	if err != nil && w.err == nil {
		w.err = err
	}
	w.visit(x)
}

// redirect writes a redirect.
func (w *datasetWARC) redirect(url, to string) {
	host, path, _ := strings.Cut(strings.TrimPrefix(url, "https://"), "/")
	x, err := answer(page{host, "/" + path, "text/html", nil})
	if err != nil && w.err == nil {
		w.err = err
	}
	x.status, x.header = "302 Found", append(x.header, field{"Location", to})
	w.visit(x)
}

// json is a value as an API gives it.
func (w *datasetWARC) json(url string, v any) {
	text, err := json.Marshal(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.add(url, "application/json", string(text))
}

type object = map[string]any

// landing is the page of a dataset.
func landing(doi, more string) string {
	return `<!doctype html><html lang="en"><head><title>Tide tables of Wrenmouth</title>` +
		`<meta name="citation_title" content="Tide tables of Wrenmouth"><meta name="citation_doi" content="` + doi + `">` +
		`<meta name="citation_author" content="Pell, Ada"><meta name="citation_publication_date" content="2024/03/01">` + more +
		`</head><body><h1>Tide tables of Wrenmouth</h1></body></html>`
}

const asHTML = "text/html; charset=utf-8"

// zenodo writes a record as it was until 2023, and one as it is since; the file of the second is not what it should be.
func (w *datasetWARC) zenodo() {
	var old, now []object
	for _, f := range tideFiles {
		at := "https://zenodo.org/api/files/11111111-0000-4000-8000-000000000001/" + f.name
		old = append(old, object{
			"key": f.name, "size": len(f.text), "checksum": "md5:" + md5Hex(f.text), "links": object{"self": at},
		})
		w.add(at, "application/octet-stream", f.text)
		at = "https://zenodo.org/api/records/9000002/files/" + f.name + "/content"
		now = append(now, object{
			"key": f.name, "size": len(f.text), "checksum": "md5:" + md5Hex("other"), "links": object{"self": at},
		})
		w.add(at, "application/octet-stream", f.text)
	}
	w.redirect("https://doi.org/10.5281/zenodo.9000001", "https://zenodo.org/record/9000001")
	w.add("https://zenodo.org/record/9000001", asHTML, landing("10.5281/zenodo.9000001", ""))
	w.json("https://zenodo.org/api/records/9000001", object{
		"id": 9000001, "conceptrecid": "9000000", "doi": "10.5281/zenodo.9000001", "files": old,
		"metadata": object{"title": "Tide tables of Wrenmouth", "access_right": "open", "publication_date": "2024-03-01"},
	})
	w.add("https://zenodo.org/records/9000002", asHTML, landing("10.5281/zenodo.9000002", ""))
	w.json("https://zenodo.org/api/records/9000002", object{
		"id": 9000002, "conceptrecid": "9000000", "files": now, "metadata": object{"access_right": "open"},
	})
}

// figshare writes an article of one file, which a signed address gave.
func (w *datasetWARC) figshare() {
	w.add("https://figshare.com/articles/dataset/Tides/90001/1", asHTML, landing("10.6084/m9.figshare.90001.v1", ""))
	w.json("https://api.figshare.com/v2/articles/90001/versions/1", object{
		"is_public": true, "files": []object{{
			"name": "tides.csv", "size": len(tides), "computed_md5": md5Hex(tides),
			"download_url": "https://ndownloader.figshare.com/files/70001",
		}},
	})
	signed := "https://s3-eu-west-1.amazonaws.com/pfigshare-u-files/70001/tides.csv?X-Amz-Expires=10&X-Amz-Date=20240301T090000Z"
	w.redirect("https://ndownloader.figshare.com/files/70001", signed)
	w.add(signed, "text/csv", tides)
}

// dataverse writes a dataset with folders, one of whose files was not captured.
func (w *datasetWARC) dataverse() {
	const pid = "doi:10.5072/FK2/TIDES1"
	api := "https://dataverse.wrenmouth.example/api/datasets/:persistentId/?persistentId=" + pid
	version := object{"data": object{"latestVersion": object{"versionNumber": 1, "versionMinorNumber": 0, "files": []object{
		{"directoryLabel": "2024", "dataFile": object{
			"id": 41, "persistentId": pid + "/AAAAAA", "filename": "tides.csv", "contentType": "text/csv", "filesize": len(tides),
			"md5": md5Hex(tides),
		}},
		{"directoryLabel": "2025", "dataFile": object{
			"id": 42, "persistentId": pid + "/BBBBBB", "filename": "tides.csv", "contentType": "text/csv", "filesize": 9,
		}},
	}}}}
	w.add("https://dataverse.wrenmouth.example/dataset.xhtml?persistentId="+pid, asHTML, landing(pid, ""))
	w.json(api, version)
	w.json(api+"&version=1.0", version)
	w.add("https://dataverse.wrenmouth.example/api/access/datafile/:persistentId/?persistentId="+pid+"/AAAAAA", "text/csv", tides)
}

// others writes an item of archive.org, a page that describes its files itself, and one that is not a dataset.
func (w *datasetWARC) others() {
	var files []object
	for _, f := range tideFiles {
		files = append(files, object{"name": f.name, "source": "original", "size": fmt.Sprint(len(f.text)), "md5": md5Hex(f.text)})
		w.add("https://archive.org/download/wrenmouth-tides/"+f.name, "application/octet-stream", f.text)
	}
	files = append(files, object{"name": "wrenmouth-tides_meta.xml", "source": "original", "size": "9"})
	w.add("https://archive.org/details/wrenmouth-tides", asHTML, landing("", ""))
	w.json("https://archive.org/metadata/wrenmouth-tides", object{"metadata": object{"mediatype": "data"}, "files": files})
	port := "https://port.harbour-gazette.example/tides/"
	w.add(port, asHTML, landing("", `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Dataset",`+
		`"name":"Tide tables of Wrenmouth","identifier":"wrenmouth-tides","distribution":{"@type":"DataDownload",`+
		`"encodingFormat":"text/csv","contentUrl":"tides.csv"}}</script>`))
	w.add(port+"tides.csv", "text/csv", tides)
	w.add("https://port.harbour-gazette.example/ferries/", asHTML, "<!doctype html><html><head><title>Ferries</title></head></html>")
	w.add("https://zenodo.org/record/9000003", asHTML, landing("10.5281/zenodo.9000003", ""))
}

// datasetRequests ask for all of these, and for what is not there.
const datasetRequests = `{"ingest_type": "dataset", "base_url": "https://doi.org/10.5281/zenodo.9000001", "link_source": "doi", "link_source_id": "10.5281/zenodo.9000001", "ext_ids": {"doi": "10.5281/zenodo.9000001"}}
{"ingest_type": "dataset", "base_url": "https://zenodo.org/records/9000002", "link_source": "doi", "link_source_id": "10.5281/zenodo.9000002"}
{"ingest_type": "dataset", "base_url": "https://figshare.com/articles/dataset/Tides/90001/1", "link_source": "doi", "link_source_id": "10.6084/m9.figshare.90001.v1", "priority": 3}
{"ingest_type": "dataset", "base_url": "https://dataverse.wrenmouth.example/dataset.xhtml?persistentId=doi:10.5072/FK2/TIDES1"}
{"ingest_type": "dataset", "base_url": "https://archive.org/details/wrenmouth-tides"}
{"ingest_type": "dataset", "base_url": "http://port.harbour-gazette.example/tides"}
{"ingest_type": "dataset", "base_url": "https://port.harbour-gazette.example/ferries/"}
{"ingest_type": "dataset", "base_url": "https://zenodo.org/record/9000003"}
{"ingest_type": "dataset", "base_url": "https://zenodo.org/record/9000004"}
`

// oddRequests are a request of another type, and a line that is none.
const oddRequests = `{"ingest_type": "pdf", "base_url": "https://port.harbour-gazette.example/paper.pdf"}
not a request
`

// datasets are the captures and the requests.
func datasets(*site) ([]archive, error) {
	w := &datasetWARC{warc: &warc{
		name: "captures.warc.gz", version: "WARC/1.1", pack: gzipped, digest: sha1Base32,
		clock: time.Date(2024, 3, 1, 9, 0, 0, 0, time.UTC), step: time.Second,
	}}
	w.begin(conforms11)
	w.zenodo()
	w.figshare()
	w.dataverse()
	w.others()
	if w.err != nil {
		return nil, w.err
	}
	list, err := finishAll(w.warc)
	return append(list, archive{"requests.jsonl", []byte(datasetRequests)}, archive{"odd.jsonl", []byte(oddRequests)}), err
}
