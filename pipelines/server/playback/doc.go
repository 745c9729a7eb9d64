// Package playback shows archived pages as they looked. Nothing of a page runs, and nothing leaves the server.
//
//	/replay/TIME/URL               a page of this server: the date, what is missing, and a frame
//	/replay/TICKET/TIMEkind/URL    at another origin: the page in the frame, and its parts
//
// The frame has an opaque origin, and a policy that allows only parts from the replay's origin: see Policy. A ticket is
// a random word that stands for the user. Browsers send no cookies from opaque origins, and other sites cannot guess
// it. The kinds are those of package transforms/replay; each answers only with media types that it is for.
package playback
