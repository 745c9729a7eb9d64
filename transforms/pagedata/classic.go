package pagedata

import "strings"

// classicTable has the classic microformats as microformats.org maps them to microformats2: the root, then classes with
// what they stand for, then relations of links.
var classicTable = []struct{ name, root, classes, rels string }{
	{
		"adr", "h-adr", "locality region extended-address post-office-box street-address postal-code country-name", "",
	},
	{"geo", "h-geo", "latitude longitude", ""},
	{
		"hentry", "h-entry",
		"category entry-title=p-name published=dt-published entry-content=e-content entry-summary=p-summary " +
			"author=p-author,h-card geo=p-geo,h-geo updated=dt-updated",
		"bookmark=u-url tag=tag",
	},
	{
		"hfeed", "h-feed",
		"category site-description=p-summary description=p-summary site-title=p-name title=p-name", "tag=tag",
	},
	{
		"hproduct", "h-product",
		"category price description url=u-url photo=u-photo brand identifier=u-identifier review=p-review,h-review " +
			"fn=p-name", "",
	},
	{
		"hrecipe", "h-recipe",
		"nutrition yield author=p-author,h-card duration=dt-duration photo=u-photo instructions=e-instructions summary " +
			"fn=p-name ingredient category",
		"tag=tag",
	},
	{
		"hresume", "h-resume",
		"experience=h-event,p-experience summary affiliation=p-affiliation,h-card contact=h-card,p-contact skill " +
			"education=h-event,p-education", "",
	},
	{
		"hreview-aggregate", "h-review-aggregate",
		"rating description photo=u-photo worst reviewer=p-reviewer,p-author,h-card best count votes " +
			"dtreviewed=dt-reviewed url=u-url summary=p-name fn=p-item,h-item,p-name", "",
	},
	{
		"hreview", "h-review",
		"rating worst dtreviewed=dt-reviewed reviewer=p-author,h-card url=p-item,h-item,u-url " +
			"photo=p-item,h-item,u-photo best description fn=p-item,h-item,p-name summary=p-name",
		"tag=tag",
	},
	{
		"vcard", "h-card",
		"tel honorific-suffix family-name photo=u-photo logo=u-logo postal-code country-name uid=u-uid category " +
			"adr=p-adr,h-adr locality nickname label note street-address latitude email=u-email bday=dt-bday " +
			"extended-address additional-name organization-unit given-name key=u-key org honorific-prefix " +
			"geo=p-geo,h-geo fn=p-name url=u-url region longitude organization-name title=p-job-title role", "",
	},
	{
		"vevent", "h-event",
		"attendee description duration=dt-duration dtend=dt-end dtstart=dt-start geo=p-location,h-geo organizer category " +
			"url=u-url summary=p-name contact location", "",
	},
}

// classics are the classic formats by the class of their root.
var classics = func() map[string]*classic {
	all := map[string]*classic{}
	for _, row := range classicTable {
		c := &classic{root: row.root, classes: map[string][]string{}, rels: map[string]string{}}
		for _, word := range strings.Fields(row.classes) {
			class, means, ok := strings.Cut(word, "=")
			if !ok {
				means = "p-" + class
			}
			c.classes[class] = strings.Split(means, ",")
		}
		for _, word := range strings.Fields(row.rels) {
			rel, means, _ := strings.Cut(word, "=")
			c.rels[rel] = means
		}
		all[row.name] = c
	}
	return all
}()
