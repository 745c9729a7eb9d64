package urlkey

import "strings"

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

// Asked returns a URL as a user asks for it, with a scheme if it is a host with a port: example.org:80/a. To the rules
// of keys, example.org would be its scheme.
func Asked(url string) string {
	n := schemeLen(url)
	if n == 0 || n+1 == len(url) || !isDigit(url[n+1]) || url[:n] != "localhost" && !strings.Contains(url[:n], ".") {
		return url
	}
	if port := strings.TrimLeft(url[n+1:], "0123456789"); port != "" && !strings.ContainsRune("/?#*", rune(port[0])) {
		return url
	}
	return "http://" + url
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
