package view

// TakeRequest is a request for the data sets of a search. Without a search they are of the whole collection.
type TakeRequest struct {
	SearchRequest
	Fields string `json:"fields,omitempty" query:"fields" maxLength:"2000" doc:"columns of tables, with commas"`
}

// Take are the data sets of a search, each with a preview or a size.
type Take struct {
	Answer
	Request  TakeRequest  `json:"request" doc:"as it was understood"`
	Filters  []Filter     `json:"filters"`
	Captures int64        `json:"captures" doc:"all that the search finds"`
	Total    int64        `json:"total" doc:"rows of the files: captures, or the newest of each page"`
	Columns  []TakeColumn `json:"columns" doc:"all columns of documents"`
	Preview  TakePreview  `json:"preview"`
	Files    []TakeFile   `json:"files" doc:"captures and their records"`
	Tables   []TakeTable  `json:"tables" doc:"counts and other tables of all captures of the search"`
	Folds    []Choice     `json:"folds"`
	Search   string       `json:"search" doc:"page of the search"`
	Notebook string       `json:"notebook" doc:"a notebook that reads the Parquet file and draws it"`
}

// TakeColumn is a column that can be chosen.
type TakeColumn struct {
	Name     string `json:"name"`
	Text     string `json:"text"`
	Selected bool   `json:"selected"`
}

// TakePreview are the first rows with the chosen columns.
type TakePreview struct {
	Names []string   `json:"names"`
	Rows  [][]string `json:"rows"`
}

// TakeFile is a file of captures.
type TakeFile struct {
	Format  string `json:"format"`
	Label   string `json:"label"`
	Text    string `json:"text" doc:"content"`
	Rows    int64  `json:"rows" doc:"captures"`
	Bytes   int64  `json:"bytes" doc:"of the file; an estimate unless exact"`
	Exact   bool   `json:"exact,omitempty"`
	Link    string `json:"link"`
	Command string `json:"command" doc:"the same file, for a POSIX shell"`
}

// TakeTable is a table that SQL makes.
type TakeTable struct {
	Label     string     `json:"label"`
	Preview   string     `json:"preview" doc:"page with the first rows and their number"`
	Command   string     `json:"command"`
	Downloads []Download `json:"downloads"`
}
