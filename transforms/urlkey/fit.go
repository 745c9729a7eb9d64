package urlkey

// Fit returns how well a capture answers for a URL, among captures of the same key and second. Such captures are, for
// example, of http and https, or of www and the bare host. Greater is better. A capture of the URL itself comes first
// with any status, so that a redirect from one twin to the other leads there. Then answers come before redirects, and
// redirects before errors; the last criterion is similarity.
func Fit(asked, url string, status int) int {
	const sameOrigin = 3 // see Likeness: with the same key, only the spelling of the path differs
	alike := Likeness(asked, url)
	n := 10*good(status) + alike
	if alike >= sameOrigin {
		n += 100
	}
	return n
}

// notModified is the status of a capture whose payload is that of an earlier one: section 15.4.5 of RFC 9110.
const notModified = 304

// good ranks statuses. A 304 stands for the answer that it refers to. A capture without a status was not made by HTTP.
func good(status int) int {
	switch {
	case status/100 == 2, status == notModified:
		return 3
	case status == 0:
		return 2
	case status/100 == 3:
		return 1
	}
	return 0
}
