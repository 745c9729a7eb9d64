// Package odm is the object-document model of deliverable D8.1 of the project ASAP (FP7 619706), section 3.2, in Go:
// typed collections of rows whose versions are values of their own, over any table that is a [Store].
//
//	D8.1, in Java                                  here
//	class Resource extends Row<String>             odm.Row[string, ResourceVersion]
//	class ResourceVersion extends RowVersion       type ResourceVersion struct{ *odm.RowVersion }
//	class ResourceColl extends Collection<…>       odm.Collection[string, ResourceVersion]
//	createSchema(): schema.addColumn(q, f, class)  schema.AddColumn(q, f, odm.String)
//	useTable, createTable                          UseTable, CreateTable
//	createRowVersion(timestamp)                    CreateRowVersion(time)
//	getQualifierValue, setQualifierValue           QualifierValue, SetQualifierValue; odm.Get
//
// A collection can be used once it has a table. Values are bytes like those of org.apache.hadoop.hbase.util.Bytes, so
// that Java programs read our values and we read theirs.
//
// The package imports the standard library only. rowstore.ODM makes a Store of any table.
package odm
