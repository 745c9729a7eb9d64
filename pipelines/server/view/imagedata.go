package view

// ImagesRequest is a request for images.
type ImagesRequest struct {
	Collection string `json:"collection,omitempty" query:"collection" maxLength:"200" doc:"the first one without it"`
	Query      string `json:"query,omitempty" query:"query" maxLength:"1000" doc:"words; a star stands for any ending"`
	Format     string `json:"format,omitempty" query:"format" enum:"jpeg,png,gif,webp,bmp,tiff,avif,heic,ico,svg"`
	Size       string `json:"size,omitempty" query:"size" enum:"small,medium,large" doc:"below 200, below 1000, or more pixels"`
	Language   string `json:"lang,omitempty" query:"lang" maxLength:"40" doc:"of a page that shows the image"`
	Host       string `json:"host,omitempty" query:"host" maxLength:"300" doc:"of image or page, with its subdomains"`
	From       string `json:"from,omitempty" query:"from" maxLength:"40" doc:"captured since then: 2026-03"`
	To         string `json:"to,omitempty" query:"to" maxLength:"40" doc:"captured until then, included"`
	Animated   string `json:"animated,omitempty" query:"animated" enum:"yes" doc:"only images with several frames"`
	Like       string `json:"like,omitempty" query:"like" maxLength:"16" doc:"phash of an image, for similar ones"`
	Same       string `json:"same,omitempty" query:"same" maxLength:"16" doc:"id of an image"`
	Limit      int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"200" doc:"48 without it"`
	Cursor     string `json:"cursor,omitempty" query:"cursor" maxLength:"65536" doc:"next_cursor of the page before"`
}

// Images are images of a collection. Captures with the same digest are one image.
type Images struct {
	Answer
	Request  ImagesRequest `json:"request" doc:"as it was understood"`
	Filters  []Filter      `json:"filters"`
	Total    int64         `json:"total" doc:"images that match, on all pages of the list"`
	Images   []ImageRow    `json:"images"`
	Formats  []Choice      `json:"formats"`
	Sizes    []Choice      `json:"sizes"`
	Counts   []int64       `json:"counts" doc:"of formats, then of sizes"`
	Next     string        `json:"next_cursor,omitempty"`
	NextLink string        `json:"next,omitempty"`
	Left     int64         `json:"left" doc:"images after this page"`
	API      string        `json:"api" doc:"path of this server"`
	Bare     bool          `json:"bare,omitempty" doc:"the collection was made without the extractor images"`
}

// ImageRow is an image, described by the newest of its captures that match.
type ImageRow struct {
	ID        string            `json:"id" doc:"value for the parameter same"`
	URL       string            `json:"url"`
	Name      string            `json:"name" doc:"last part of the URL's path"`
	Host      string            `json:"host,omitempty"`
	Timestamp string            `json:"timestamp,omitempty"`
	MIME      string            `json:"mime_detected,omitempty"`
	Format    string            `json:"format,omitempty"`
	Width     int               `json:"width,omitempty" doc:"pixels"`
	Height    int               `json:"height,omitempty" doc:"pixels"`
	Frames    int               `json:"frames,omitempty"`
	Bytes     int64             `json:"body_bytes"`
	Digest    string            `json:"digest,omitempty"`
	PHash     string            `json:"phash,omitempty" doc:"value for the parameter like"`
	EXIF      map[string]string `json:"exif,omitempty"`
	Alt       string            `json:"alt,omitempty" doc:"of the first page"`
	Caption   string            `json:"caption,omitempty" doc:"of the first page"`
	Captures  int               `json:"captures" doc:"that match"`
	Similar   int               `json:"similar" doc:"other images that look like it"`
	Shown     int               `json:"shown" doc:"captures of pages that show it, at most 32 for each shard"`
	Pages     []ImagePage       `json:"pages" doc:"that show it, at most five"`
	Link      string            `json:"link" doc:"page of the capture"`
	Thumbnail string            `json:"thumbnail,omitempty" doc:"path of a JPEG file, if it can be made"`
	LikeLink  string            `json:"like_link,omitempty" doc:"images that look like it"`
}

// ImagePage is a capture of a page that shows an image.
type ImagePage struct {
	URL       string `json:"url"`
	Title     string `json:"title,omitempty"`
	Language  string `json:"language,omitempty"`
	Dir       string `json:"-"`
	Timestamp string `json:"timestamp,omitempty"`
	Link      string `json:"link"`
}
