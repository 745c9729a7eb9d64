//go:build !noiceberg && !local

package lake

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/table"
	"github.com/google/uuid"
)

// tableShape is the information of the table that registering a shard needs.
type tableShape struct {
	location string
	whole    iceberg.PartitionSpec  // the unpartitioned one
	monthly  *iceberg.PartitionSpec // by month(timestamp); nil if somebody has removed it
	order    int                    // sort order of our shards, 0 if the table does not know it
}

func shapeOf(meta table.Metadata) (tableShape, error) {
	s := tableShape{location: meta.Location()}
	found := false
	// The zero value has id 0, which no field has: without the column there is no monthly spec.
	stamp, _ := meta.CurrentSchema().FindFieldByName("timestamp")
	// Specs are found by content: others may have added specs, and ids differ between catalogues.
	for _, spec := range meta.PartitionSpecs() {
		switch {
		case spec.NumFields() == 0:
			s.whole, found = spec, true
		case spec.NumFields() == 1 && spec.Field(0).SourceID() == stamp.ID &&
			spec.Field(0).Transform.Equals(iceberg.MonthTransform{}):
			s.monthly = &spec
		}
	}
	if !found {
		return s, fmt.Errorf("lake: the table at %s has no unpartitioned spec: was it made by gleaner?", s.location)
	}
	// In Iceberg 0 means "not sorted". It is correct for any file, and only says less than is known.
	for _, o := range meta.SortOrders() {
		if o.OrderID() == sortOrderID {
			s.order = sortOrderID
		}
	}
	return s, nil
}

// sortOrderID is the id of the order (surt, timestamp), by which shards are sorted. It is not the table's default,
// because rows that others insert need not be sorted, and Spark would sort all of them first.
const sortOrderID = 1

// properties are the properties of new tables.
func properties() iceberg.Properties {
	p := iceberg.Properties{
		// The folder holds more than the table, and its shards belong to the collection. Others must not remove the
		// files that the table does not refer to, as remove_orphan_files and DROP TABLE … PURGE do. Expire cleans up
		// instead.
		"gc.enabled": "false",
		table.MetadataDeleteAfterCommitEnabledKey: "true",
		table.MetadataPreviousVersionsMaxKey:      strconv.Itoa(keptVersions),
		// Spark's vectorized reader knows few encodings, and fails on the encoding of the texts in our shards.
		"read.parquet.vectorization.enabled": "false",
		// Each commit reads all manifests and adds one or two. The library merges 20 small ones into one.
		table.ManifestMergeEnabledKey:     "true",
		table.ManifestMinMergeCountKey:    "20",
		"write.parquet.compression-codec": "zstd",
		"write.metadata.metrics.default":  "none",
	}
	for _, name := range bounded {
		// These are the columns of our own manifests, so that bounds also select the files that others write.
		p["write.metadata.metrics.column."+name] = "full"
	}
	p["write.metadata.metrics.column.surt"] = fmt.Sprintf("truncate(%d)", boundBytes)
	return p
}

// unborn is the catalogue of a table that does not exist yet. It collects commits until publish writes them all as the
// first version, so that nobody ever reads a table without its rows.
type unborn struct {
	t    *Table
	meta table.Metadata
}

var _ table.CatalogIO = &unborn{}

// begin begins a table.
func (t *Table) begin() (*unborn, error) {
	if err := checkLocation(t.location); err != nil {
		return nil, err
	}
	data, err := initial(t.location)
	if err != nil {
		return nil, fmt.Errorf("lake: %w", err)
	}
	meta, err := parse(data)
	if err == nil {
		err = t.f.Make(metadataDir) // holds the files written before the first version
	}
	if err != nil {
		return nil, fmt.Errorf("lake: %w", err)
	}
	return &unborn{t, meta}, nil
}

func (u *unborn) LoadTable(context.Context, table.Identifier) (*table.Table, error) {
	return newTable(u.t.f, u.t.ident, u.meta, "", u), nil
}

// CommitTable applies a change to the metadata in memory.
func (u *unborn) CommitTable(
	_ context.Context, _ table.Identifier, _ []table.Requirement, updates []table.Update,
) (table.Metadata, string, error) {
	meta, err := table.UpdateTableMetadata(u.meta, updates, "")
	if err != nil {
		return nil, "", fmt.Errorf("lake: %w", err)
	}
	u.meta = meta
	return meta, "", nil
}

// publish makes the table. It returns errRace if another process has made it in the meantime.
func (u *unborn) publish(ctx context.Context) error {
	data, err := json.Marshal(u.meta)
	if err != nil {
		return fmt.Errorf("lake: %w", err)
	}
	// In a folder that keeps its own table, version 1 is written as a new file, and the second writer gets errRace.
	if v, ok := u.t.cat.(versions); ok {
		return v.writeBytes(data, 1)
	}
	return u.t.register(ctx, data)
}

// registrar is a catalogue that accepts the metadata of a table as it is written. Other catalogues would assign other
// ids to its columns.
type registrar interface {
	RegisterTable(ctx context.Context, ident table.Identifier, metadata string) (*table.Table, error)
}

// register registers the table in a catalogue.
func (t *Table) register(ctx context.Context, meta []byte) error {
	r := registrarOf(t.cat, t.properties)
	if r == nil {
		return errors.New("lake: this catalogue cannot register tables: of those that are known REST, Glue and SQL can")
	}
	if err := t.keep(); err != nil {
		return err
	}
	// Catalogues give this name to a first version. It has a random part, so names never race; the catalogue decides.
	name := fmt.Sprintf("%s/00000-%s.metadata.json", metadataDir, uuid.New())
	if err := t.f.Write(name, meta); err != nil {
		return fmt.Errorf("lake: %w", err)
	}
	// REST and Glue have no table without a namespace.
	if c, ok := t.cat.(catalog.Catalog); ok && len(t.ident) > 1 {
		err := c.CreateNamespace(ctx, t.ident[:len(t.ident)-1], nil)
		if err != nil && !errors.Is(err, catalog.ErrNamespaceAlreadyExists) {
			return fmt.Errorf("lake: %w", err)
		}
	}
	if _, err := r.RegisterTable(ctx, t.ident, t.location+"/"+name); err != nil {
		return fmt.Errorf("lake: %w", err)
	}
	return nil
}

// initial returns the first metadata of a table.
func initial(location string) ([]byte, error) {
	schema, err := today()
	if err != nil {
		return nil, err
	}
	b, err := table.NewMetadataBuilder(2)
	if err != nil {
		return nil, err
	}
	monthly, order, err := layoutOf(schema)
	if err != nil {
		return nil, err
	}
	err = errors.Join(
		// In Iceberg's updates -1 means the last one that was added.
		b.SetUUID(uuid.New()), b.AddSchema(schema), b.SetCurrentSchemaID(-1),
		b.AddSortOrder(&table.UnsortedSortOrder), b.AddSortOrder(&order), b.SetDefaultSortOrderID(0),
		b.AddPartitionSpec(iceberg.UnpartitionedSpec, true), b.AddPartitionSpec(&monthly, false), b.SetDefaultSpecID(-1),
		b.SetLoc(location), b.SetProperties(properties()))
	if err != nil {
		return nil, err
	}
	meta, err := b.Build()
	if err != nil {
		return nil, err
	}
	return reserve(meta)
}

// layoutOf returns the partition spec by month and the sort order of rows.
func layoutOf(schema *iceberg.Schema) (iceberg.PartitionSpec, table.SortOrder, error) {
	// Both columns are in every version of the schema.
	surt, _ := schema.FindFieldByName("surt")
	stamp, _ := schema.FindFieldByName("timestamp")
	by := func(id int) table.SortField {
		return table.SortField{
			SourceIDs: []int{id}, Transform: iceberg.IdentityTransform{}, Direction: table.SortASC, NullOrder: table.NullsFirst,
		}
	}
	order, err := table.NewSortOrder(sortOrderID, []table.SortField{by(surt.ID), by(stamp.ID)})
	if err != nil {
		return iceberg.PartitionSpec{}, order, err
	}
	spec, err := iceberg.NewPartitionSpecOpts(iceberg.WithSpecID(1),
		iceberg.AddPartitionFieldBySourceID(stamp.ID, "timestamp_month", iceberg.MonthTransform{}, schema, nil))
	return spec, order, err
}

// reserve marshals metadata with reservedIDs as the greatest assigned id.
func reserve(meta table.Metadata) ([]byte, error) {
	data, err := json.Marshal(meta)
	if err != nil {
		return nil, err
	}
	// Raw messages keep every other field exactly as the library wrote it.
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	// The builder would count the columns of the schema. The format allows a greater value.
	m["last-column-id"] = json.RawMessage(fmt.Sprint(reservedIDs))
	return json.Marshal(m)
}
