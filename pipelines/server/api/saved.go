package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/gleaner-web/gleaner/pipelines/server/view"
)

// renaming is a request to give a saved search another name.
type renaming struct {
	ID   string `path:"id" maxLength:"24"`
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"100"`
	}
}

// saved adds the resources of saved searches.
func saved(a huma.API, v *view.Views) {
	get(a, "/saved", "saved", "Your saved searches, with their counts", v.Saved)
	get(a, "/saved/{id}", "saved-search", "One saved search", v.SavedOne)
	change(a, http.MethodPost, "/saved", "save-search", "Save a search",
		func(ctx context.Context, in *struct{ Body view.SaveRequest }) (*view.SavedRow, error) {
			return v.Save(ctx, in.Body)
		})
	change(a, http.MethodPost, "/saved/{id}", "rename-search", "Give a saved search another name",
		func(ctx context.Context, in *renaming) (*view.SavedRow, error) {
			return v.Rename(ctx, in.ID, in.Body.Name)
		})
	change(a, http.MethodPost, "/saved/{id}/seen", "seen-search", "Mark the captures of a saved search as seen",
		func(ctx context.Context, in *view.SavedOneRequest) (*view.SavedRow, error) {
			return v.Seen(ctx, *in)
		})
	change(a, http.MethodDelete, "/saved/{id}", "delete-search", "Delete a saved search",
		func(ctx context.Context, in *view.SavedOneRequest) (*view.SavedList, error) {
			return v.Unsave(ctx, *in)
		})
}
