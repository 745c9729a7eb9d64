package liveweb

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

func sha(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

// played is a dataset of a platform: where its parts are, so that any of them can go wrong.
type played struct {
	name, url  string // as it is asked for
	want       string // when nothing goes wrong
	page, file string // the landing page, and the bytes of the first file, by host and path
	apis       []string
	signed     bool // the file's address is signed for ten seconds
}

// everyPlatform are datasets of all platforms, in the shapes of then and of now.
var everyPlatform = []played{
	{
		name: "zenodo then", url: zenodoThen, want: "success web-fileset success success", page: "zenodo.org/record/10",
		apis: []string{"zenodo.org/api/records/10"}, file: tableThen,
	},
	{
		name: "zenodo now", url: zenodoNow, want: "success-file web-file success", page: "zenodo.org/records/20",
		apis: []string{"zenodo.org/api/records/20"}, file: "zenodo.org/api/records/20/files/table.csv/content",
	},
	{
		name: "figshare then", url: figshare, want: "success-file web-file success",
		page: "figshare.com/articles/dataset/Slug/10/1",
		apis: []string{"api.figshare.com/v2/articles/10/versions/1"}, file: signedTable, signed: true,
	},
	{
		name: "figshare now", url: "https://figshare.com/articles/dataset/Slug/20/2",
		want: "success web-fileset" + strings.Repeat(" success", 11), page: "figshare.com/articles/dataset/Slug/20/2",
		apis: []string{
			"api.figshare.com/v2/articles/20/versions/2",
			"api.figshare.com/v2/articles/20/versions/2/files?page=1&page_size=1000",
		},
		file: "s3-eu-west-1.amazonaws.com/pfigshare-u-files/100/table.csv", signed: true,
	},
	{
		name: "dataverse then", url: dataverseThen, want: "success-file web-file success",
		page: "demo.dataverse.org/dataset.xhtml?persistentId=doi:10.5072/FK2/J8SJZB",
		apis: []string{"demo.dataverse.org/api/datasets/:persistentId/?persistentId=doi:10.5072/FK2/J8SJZB"},
		file: "demo.dataverse.org/api/access/datafile/:persistentId/?persistentId=doi:10.5072/FK2/J8SJZB/AAAAAA&format=original",
	},
	{
		name: "dataverse now", url: dataverseNow, want: "success web-fileset success success",
		page: "demo.dataverse.org/dataset.xhtml?persistentId=doi:10.5072/FK2/NOWNOW",
		apis: []string{
			"demo.dataverse.org/api/datasets/:persistentId/?persistentId=doi:10.5072/FK2/NOWNOW",
			"demo.dataverse.org/api/datasets/:persistentId/?persistentId=doi:10.5072/FK2/NOWNOW&version=1.0",
		},
		file: "demo.dataverse.org/api/access/datafile/101",
	},
	{
		name: "archive.org", url: archiveorg, want: "success-file archiveorg-file success", page: "archive.org/details/CATS",
		apis: []string{"archive.org/metadata/CATS"}, file: "ia800000.us.archive.org/1/items/CATS/cats.csv",
	},
	{
		name: "dryad then", url: "https://datadryad.org/stash/dataset/doi:10.5061/dryad.then",
		want: "success-file web-file success",
		page: "datadryad.org/stash/dataset/doi:10.5061/dryad.then", file: dryadS3 + "7", signed: true,
		apis: []string{"datadryad.org/api/v2/datasets/doi%3A10.5061%2Fdryad.then", "datadryad.org/api/v2/versions/7/files"},
	},
	{
		name: "dryad now", url: "https://doi.org/10.5061/dryad.now", want: "success web-fileset success success",
		page: "datadryad.org/dataset/doi:10.5061/dryad.now", file: dryadS3 + "8", signed: true,
		apis: []string{
			"datadryad.org/api/v2/datasets/doi%3A10.5061%2Fdryad.now", "datadryad.org/api/v2/versions/8/files",
			"datadryad.org/api/v2/versions/8/files?page=2",
		},
	},
	{
		name: "osf", url: "https://osf.io/abc12/", want: "success web-fileset success success", page: "osf.io/abc12/",
		apis: []string{
			"api.osf.io/v2/nodes/abc12/", "api.osf.io/v2/nodes/abc12/files/osfstorage/",
			"api.osf.io/v2/nodes/abc12/files/osfstorage/f/",
		},
		file: "storage.googleapis.com/cos-osf-prod-files-us/1", signed: true,
	},
	{
		name: "osf, a registration", url: "https://osf.io/reg34/overview", want: "success-file web-file success",
		page: "osf.io/reg34/overview", file: "storage.googleapis.com/cos-osf-prod-files-us/1", signed: true,
		apis: []string{"api.osf.io/v2/registrations/reg34/", "api.osf.io/v2/registrations/reg34/files/osfstorage/"},
	},
	{
		name: "mendeley", url: "https://data.mendeley.com/datasets/f45bkkt8pr/1", want: "success web-fileset success success",
		page: "data.mendeley.com/datasets/f45bkkt8pr/1", file: mendeleyS3, signed: true,
		apis: []string{
			"data.mendeley.com/public-api/datasets/f45bkkt8pr/folders/1",
			"data.mendeley.com/public-api/datasets/f45bkkt8pr/files?folder_id=root&version=1",
			"data.mendeley.com/public-api/datasets/f45bkkt8pr/files?folder_id=h&version=1",
		},
	},
	{
		name: "hugging face", url: "https://huggingface.co/datasets/o/d", want: "success web-fileset success success",
		page: "huggingface.co/datasets/o/d", file: "cas-bridge.xethub.hf.co/table", signed: true,
		apis: []string{"huggingface.co/api/datasets/o/d", "huggingface.co/api/datasets/o/d/tree/" + commit +
			"?recursive=true"},
	},
	{
		name: "github", url: "https://github.com/o/r/releases/tag/v1.0", want: "success-file web-file success",
		page: "github.com/o/r/releases/tag/v1.0", file: "release-assets.githubusercontent.com/1", signed: true,
		apis: []string{"api.github.com/repos/o/r/releases/tags/v1.0"},
	},
	{
		name: "ckan", url: "https://data.example.org/en/dataset/tides", want: "success web-fileset success success",
		page: "data.example.org/en/dataset/tides", file: "data.example.org/files/table.csv",
		apis: []string{"data.example.org/api/3/action/package_show?id=tides"},
	},
	{
		name: "schema.org", url: "https://data.example.org/d/1", want: "success-file web-file success",
		page: "data.example.org/d/1",
		file: "data.example.org/files/table.csv",
	},
	{
		name: "signposting", url: "https://data.example.org/d/2", want: "success-file web-file success",
		page: "data.example.org/d/2",
		file: "data.example.org/files/table.csv",
	},
}

const (
	commit     = "0123456789abcdef0123456789abcdef01234567"
	dryadS3    = "dryad-assetstore-merritt-west.s3.us-west-2.amazonaws.com/"
	mendeleyS3 = "prod-dcd-datasets-public-files-eu-west-1.s3.eu-west-1.amazonaws.com/1"
)

// newer starts the platforms that Sandcrawler has not.
func (p *platforms) newer() {
	p.figshareNow()
	p.dryad()
	p.osf()
	p.mendeley()
	p.huggingface()
	p.github()
	p.anyHost()
}

func (p *platforms) figshareNow() {
	p.html("figshare.com/articles/dataset/Slug/20/2", "Figshare")
	file := func(id int) string {
		name := fmt.Sprint("table", id, ".csv")
		if id == 100 {
			name = "table.csv" // in a folder
		}
		return fmt.Sprintf(`{"id": %d, "name": %q, "size": %d, "is_link_only": false, "computed_md5": %q, "supplied_md5": "",
			"download_url": "https://ndownloader.figshare.com/files/%[1]d", "mimetype": "text/csv"}`, id, name, len(table),
			sum(table))
	}
	var files []string
	for id := 100; id < 111; id++ {
		files = append(files, file(id))
		p.signed(fmt.Sprint("ndownloader.figshare.com/files/", id), "s3-eu-west-1.amazonaws.com",
			fmt.Sprintf("/pfigshare-u-files/%d/table.csv", id), table, 10*time.Second)
	}
	const api = "api.figshare.com/v2/articles/20/versions/2"
	p.json(api, fmt.Sprintf(`{"id": 20, "title": "T", "is_public": true, "is_embargoed": false, "size": %d,
		"folder_structure": {"100": "data"}, "files": [%s]}`, 11*len(table), strings.Join(files[:10], ",")))
	p.json(api+"/files?page=1&page_size=1000", "["+strings.Join(files, ",")+"]")
}

func (p *platforms) dryad() {
	file := func(id int, path, body, link string) string {
		return fmt.Sprintf(`{"path": %q, "size": %d, "mimeType": "text/csv", "status": "copied", "digest": %q, "digestType": "sha-256",
			"_links": {"self": {"href": "/api/v2/files/%d"}, %q: {"href": "/api/v2/files/%[4]d/download"}}}`,
			path, len(body), sha(body), id, link)
	}
	for id, body := range map[int]string{7: table, 8: table, 9: readme} {
		p.signed(fmt.Sprint("datadryad.org/downloads/file_stream/", id), strings.TrimSuffix(dryadS3, "/"),
			fmt.Sprint("/", id), body,
			10*time.Second)
	}
	for id, n := range map[string]int{"then": 7, "now": 8} {
		p.json("datadryad.org/api/v2/datasets/doi%3A10.5061%2Fdryad."+id, fmt.Sprintf(
			`{"identifier": "doi:10.5061/dryad.%s", "title": "T", "_links": {"stash:version": {"href": "/api/v2/versions/%d"}}}`,
			id, n))
	}
	p.html("datadryad.org/stash/dataset/doi:10.5061/dryad.then", "Dryad")
	p.json("datadryad.org/api/v2/versions/7/files", `{"_embedded": {"stash:files": [`+
		file(7, "table.csv", table, "stash:file-download")+`]}}`)
	p.redirect("doi.org/10.5061/dryad.now", "https://datadryad.org/dataset/doi:10.5061/dryad.now")
	p.html("datadryad.org/dataset/doi:10.5061/dryad.now", "Dryad")
	const files = "/api/v2/versions/8/files"
	p.json("datadryad.org"+files, `{"_links": {"next": {"href": "`+files+`?page=2"}}, "count": 1, "total": 2,
		"_embedded": {"stash:files": [`+file(8, "table.csv", table, "stash:download")+`]}}`)
	p.json("datadryad.org"+files+"?page=2", `{"_embedded": {"stash:files": [`+
		file(9, "readme.txt", readme, "stash:download")+`]}}`)
}

func (p *platforms) osf() {
	const api = "api.osf.io/v2/"
	file := func(id int, path, body string) string {
		return fmt.Sprintf(`{"attributes": {"kind": "file", "materialized_path": %q, "size": %d, "extra": {"hashes": {"md5": %q, "sha256": %q}}},
			"links": {"download": "https://osf.io/download/%d/"}}`, path, len(body), sum(body), sha(body), id)
	}
	for id, body := range map[int]string{1: table, 2: readme} {
		p.redirect(fmt.Sprintf("osf.io/download/%d/", id),
			fmt.Sprint("https://files.osf.io/v1/resources/abc12/providers/osfstorage/", id))
		p.signed(fmt.Sprint("files.osf.io/v1/resources/abc12/providers/osfstorage/", id), "storage.googleapis.com",
			fmt.Sprint("/cos-osf-prod-files-us/", id), body, 10*time.Second)
	}
	p.html("osf.io/abc12/", "OSF")
	p.json(api+"nodes/abc12/", `{"data": {"type": "nodes", "attributes": {"title": "T", "public": true}}}`)
	p.json(api+"nodes/abc12/files/osfstorage/",
		`{"data": [{"attributes": {"kind": "folder", "name": "f"}, "relationships": {"files":
		{"links": {"related": {"href": "https://`+api+`nodes/abc12/files/osfstorage/f/"}}}}}, `+file(1, "/table.csv", table)+
			`],
		"links": {"next": null}}`)
	p.json(api+"nodes/abc12/files/osfstorage/f/", `{"data": [`+file(2, "/f/readme.txt", readme)+`]}`)
	p.html("osf.io/reg34/overview", "OSF")
	p.json(api+"registrations/reg34/", `{"data": {"type": "registrations", "attributes": {"title": "T", "public": true}}}`)
	p.json(api+"registrations/reg34/files/osfstorage/", `{"data": [`+file(1, "/table.csv", table)+`]}`)
}

func (p *platforms) mendeley() {
	const api = "data.mendeley.com/public-api/datasets/f45bkkt8pr/"
	file := func(id int, name, body string) string {
		return fmt.Sprintf(`[{"filename": %q, "size": %d, "content_details": {"content_type": "text/csv", "size": %[2]d, "sha256_hash": %q,
			"download_url": "https://data.mendeley.com/public-files/datasets/f45bkkt8pr/files/%d/file_downloaded"}}]`,
			name, len(body), sha(body), id)
	}
	for id, body := range map[int]string{1: table, 2: readme} {
		host, _, _ := strings.Cut(mendeleyS3, "/")
		p.signed(fmt.Sprintf("data.mendeley.com/public-files/datasets/f45bkkt8pr/files/%d/file_downloaded", id), host,
			fmt.Sprint("/", id), body, 10*time.Second)
	}
	p.html("data.mendeley.com/datasets/f45bkkt8pr/1", "Mendeley Data")
	p.json(api+"folders/1", `[{"id": "h", "name": "docs"}]`)
	p.json(api+"files?folder_id=root&version=1", file(1, "table.csv", table))
	p.json(api+"files?folder_id=h&version=1", file(2, "readme.txt", readme))
}

func (p *platforms) huggingface() {
	p.html("huggingface.co/datasets/o/d", "Hugging Face")
	p.json("huggingface.co/api/datasets/o/d", `{"sha": "`+commit+`", "private": false, "gated": false, "disabled": false}`)
	p.json("huggingface.co/api/datasets/o/d/tree/"+commit+"?recursive=true",
		fmt.Sprintf(`[{"type": "directory", "path": "data", "size": 0},
		{"type": "file", "path": "data/table.csv", "size": %d, "oid": "x", "xetHash": "y", "lfs": {"oid": %[2]q, "size": %[1]d, "pointerSize": 130}},
		{"type": "file", "path": "README.md", "size": %[3]d, "oid": "z"}]`, len(table), sha(table), len(readme)))
	p.signed("huggingface.co/datasets/o/d/resolve/"+commit+"/data/table.csv", "cas-bridge.xethub.hf.co", "/table", table,
		10*time.Second)
	p.file("huggingface.co/datasets/o/d/resolve/"+commit+"/README.md", readme)
}

func (p *platforms) github() {
	p.html("github.com/o/r/releases/tag/v1.0", "GitHub")
	const download = "github.com/o/r/releases/download/v1.0/table.csv"
	p.json("api.github.com/repos/o/r/releases/tags/v1.0",
		fmt.Sprintf(`{"name": "T", "draft": false, "assets": [{"name": "table.csv",
		"size": %d, "state": "uploaded", "content_type": "text/csv", "digest": "sha256:%s", "browser_download_url": "https://%s"}]}`,
			len(table), sha(table), download))
	p.signed(download, "release-assets.githubusercontent.com", "/1", table, 10*time.Second)
}

// anyHost starts a host with CKAN, with a page that describes a dataset itself, and with one whose Link fields do.
func (p *platforms) anyHost() {
	const host = "data.example.org"
	p.file(host+"/files/table.csv", table)
	p.file(host+"/files/readme.txt", readme)
	page := func(at, head string, links ...string) {
		p.pages[host+at] = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header()["Link"] = links
			_, _ = io.WriteString(w, "<!doctype html><html><head><title>T</title>"+head+"</head></html>")
		}
	}
	page("/en/dataset/tides", `<meta name="generator" content="ckan 2.11.0">`)
	p.json(host+"/api/3/action/package_show?id=tides",
		fmt.Sprintf(`{"success": true, "result": {"name": "tides", "title": "T", "state": "active",
		"resources": [{"id": "1", "url": "https://%s/files/table.csv", "size": %d, "hash": "md5:%s", "mimetype": "text/csv"},
		{"id": "2", "url": "https://%[1]s/files/readme.txt", "size": null, "hash": ""}]}}`, host, len(table), sum(table)))
	page("/d/1", fmt.Sprintf(`<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Dataset", "name": "T",
		"distribution": {"@type": "DataDownload", "contentUrl": "/files/table.csv", "sha256": %q, "contentSize": "%d B"}}</script>`,
		sha(table), len(table)))
	page("/d/2", "", `<https://schema.org/Dataset>; rel="type"`, `</files/table.csv>; rel="item"; type="text/csv"`)
}
