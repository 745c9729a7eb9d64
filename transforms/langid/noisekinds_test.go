package langid

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// noiseKinds are kinds of text in no language, a line each: whether rules were made for it, its name, how many times
// its pattern is in a line, the text between these, and the pattern. <a3-7> are 3 to 7 lower-case letters, A capitals,
// d digits, x and X hexadecimal digits, K capitals and digits, b those of base64, r repeats a letter. <=3abc> are 3 of
// these letters and <?no yes> is one of these words; a tilde is a space in it. All kinds were written before any was
// tried. Those that are "kept" were drawn by lot. The new ones came later.
const noiseKinds = `
seen|access log|1||<d2>.<d3>.<d1>.<d2> - - [<d2>/<?Jan May Oct>/20<d2>:<d2>:<d2>:<d2> +0000] "GET /<a5>/<a7>.<?html php gif css> HTTP/1.1" <?200 304 404 301> <d5>
kept|addresses of hosts|1||<d3>.<d2>.<d3>.<d1> <a4-9>.<?com net org example.org local>
kept|alphabets|1||A<?| . - />B<?| . - />C<?| . - />D<?| . - />E<?| . - />F<?| . - />G<?| . - />H<?| . - />I<?| . - />J K L M
seen|assembler|1||\t<?mov lea push pop xor cmp jne call ret add> <?eax ebx rdi rsp xmm0>, <?[rsp+8] 0x1f rax [rbp-4]>
seen|base64|1||<b64>
kept|books|1||ISBN 978-<d1>-<d4>-<d4>-X
seen|callsigns|6-9| |<A2><d1><A3>
kept|captions of buttons|8-14| |<A1>
seen|chemistry|5-8| + |<?CH3 NaCl H2SO4 C6H12O6 KMnO4 Fe2O3 CaCO3 NH4NO3 HCl><?~(aq) ~(s) ~(g)>
seen|chess|5-8| |<d1-2>. <?N B R Q K x><?a c e h><?1 4 8><?+ # !> <?N B R Q K><?b d f g><?2 3 5>
kept|chords|6-12|  |<?A B C D E F G><?m 7 maj7 m7 sus4 dim #m add9>
seen|colours|1||#<x6> rgb(<d2>,<d2>,0)
seen|commits|1||<x40> refs/pull/<d4>/head
kept|coordinates|1||<d2>.<d5> N <d2-3>.<d5> E
kept|crontab|1||<d2> <d1> * * <d1> /usr/local/bin/<a5> --<a4> /var/<a5>
seen|CSV|6-8|,|<?<A4> <d3> Y N NULL 0>
seen|dates|1||20<d2>-0<d1>-1<d1>T<d2>:<d2>:<d2>Z  <?Mon Tue Wed Fri> <d2> <?Jan Mar Jul Dec>
seen|diff|1||<?+ - @@> <a4>.<a5>(<a3>); //<d2>
kept|DNA|1||<=60ACGT>
seen|dna in lines of ten|6| |<=10acgt>
kept|environment|1||export <?PATH HOME LANG JAVA_HOME LD_LIBRARY_PATH GOFLAGS TERM EDITOR>=<?/usr/bin:/bin en_US.UTF-8 xterm-256color vim $HOME/.local>
kept|file list|1||-rw-r--r-- 1 root root <d4-6> <?Jan Mar Jul> <d2> <d2>:<d2> <a6>.<?txt jpg tar.gz c h log>
kept|flights|1||<A2><d4> <A3> <A3> <d2>:<d2> <d2>:<d2>
seen|formulas|1||\frac{<?x y z>_<?a b n>}{<?x y z>^2} + <?\sum \int \prod>_{<?i j k>=0}^{<?n m>} <?x y z>(<?i j k>) = <?a b n>
seen|functions of C|1||void *<a4>_<a5>(int <a1>, char **<a3>);
kept|G-code|1||G<d1> X<d2>.<d3> Y<d2>.<d3> Z<d1>.<d3> F<d4>
kept|hex dump|1||<x8>  <x2> <x2> <x2> <x2> <x2> <x2> <x2> <x2>  |<A3>..<a4>.|
seen|HTTP head|1|\n|<?Content-Type:~text/html;~charset=utf-8 Server:~nginx/1.18.0 Cache-Control:~no-cache,~private Vary:~Accept-Encoding Connection:~keep-alive X-Powered-By:~PHP/7.4.3 Accept-Ranges:~bytes Transfer-Encoding:~chunked X-Frame-Options:~SAMEORIGIN Pragma:~no-cache Keep-Alive:~timeout=5,~max=100 Content-Length:~1024>
kept|identifiers|2-4| |<?get set is on do><?Item Name Value Index Node><a3>_<d2>
kept|JSON|1||{"<a5>": "<a6>", "id": <d4>, "ok": true},
seen|key and value|1||<a6>.<a5>.<?enabled size path url timeout>=<?true false 100 null /tmp 0.5 none>
seen|keyboard rows|4-8| |<?qwertyuiop asdf ghjkl zxcvbnm poiuy trewq lkjh gfdsa mnbvcxz qwer sdfgh>
seen|licence keys|5|-|<K5>
kept|MAC addresses|1||<X2>:<X2>:<X2>:<X2>:<X2>:<X2>
kept|mail head|1||<?MIME-Version:~1.0 Content-Transfer-Encoding:~quoted-printable Content-Type:~multipart/alternative X-Mailer:~Microsoft~Outlook~16.0 Return-Path:~<a6>@example.com X-Spam-Status:~No,~score=-2.1 DKIM-Signature:~v=1;~a=rsa-sha256 Received:~by~mx.example.com~with~ESMTPS~id~4f9ab2>
kept|measures|3-5| x |<d2> <?mm cm kg g V mAh Hz dB rpm Nm kW °C>
seen|morse|8-14| |<=3.-> <?sos . ->
seen|one letter|3-8| |<r2-10>
seen|pages|10-16| ; |<d1-3>
kept|part numbers|3-5|  |<A3>-<d4><A1>/<d2>
kept|path of SVG|8-12| |<?M L C Q S A h v l c z><d2>.<d1>,<d2>.<d1>
seen|patterns|1||^(<?\w+ \d{3} [a-z]* .*? [^/]+>|<?\s+ [A-Z]{2} (?:a|b)* \S+>)<?$ \b+ [0-9]?><a3>
seen|PEM|1||<b48>==
kept|phones|1||+<d2> <d3> <d7> ext. <d3>
seen|protein|1||<=60ACDEFGHIKLMNPQRSTVWY>
seen|random letters|4-9| |<a3-9>
seen|results|1||<A3> <d1>:<d1> <A3> (<d1>:<d1>)
kept|roman numbers|8-12|. |<=3IVXLC>
kept|shrugs|8-14| |<?xD :D ^_^ o_O lol :P ;) hahaha T_T>
kept|sizes|4-6| / |<?XS S M L XL XXL 3XL EU US UK> <d2>
kept|stack trace|1||\tat org.<a6>.<a5>.Handler$<d1>.run(Handler.java:<d3>)
kept|syllables|5-9| |<=1bcdfghjklmnpqrstvwxz><=1aeiouy><=1bcdfghjklmnpqrstvwxz><=1aeiouy><=1bcdfghjklmnpqrstvwxz><=1aeiouy>
kept|table of numbers|6-9|\t|<d1-3>.<d2>
seen|tags|1||&lt;<?div span td tr li p> class="<a6>" id="<a4>">&lt;/<?div span td tr li p>>
kept|tickers|4-7|  |<A3-4> <d3>.<d2> <?+ ->1.<d1>%
kept|torrents|1||<a5>.S0<d1>E<d2>.<?720p 1080p>.<?WEB-DL BluRay HDTV>.x264-<A5>
seen|tracks|1||<d2> <a4><d2>.mp3 <d1>:<d2> 128 kbps
kept|UUIDs|1||<x8>-<x4>-<x4>-<x4>-<x12>
seen|versions|1||lib<a5>-<a3> <d1>.<d2>.<d1>-<d1>
seen|zone file|1||<a4-8>  <d4>  IN  <?A AAAA MX CNAME TXT NS>  <d2>.<d3>.<d1>.<d2>
new seen|processes|1||<?root www-data nobody postgres> <d4-5> <d1>.<d1> <d1>.<d1> <d6> <d4-5> ? <?S Ss R Sl> <?Jan01 Mar12 Jul30> <d1>:<d2> /usr/sbin/<a4-7> -<a1>
new kept|error log|1||20<d2>/0<d1>/<d2> <d2>:<d2>:<d2> [<?error warn crit>] <d4>#<d1>: *<d5> open() "/var/www/<a5>/<a6>.<?php ico png>" failed (2: ENOENT), client: <d2>.<d2>.<d2>.<d2>
new kept|syslog|1||<?Jan Mar Jul> <d2> <d2>:<d2>:<d2> <a5><d1> <?sshd cron kernel dhclient>[<d4>]: <?fd pid uid eth0 tty>=<d2-4> rc=<d1>
new seen|settings of INI|1||<?[main] [http] [db] max_conn=<d3> log_dir=/var/<a4> ttl=<d3> debug=off port=<d4>>
new seen|container file|1||<?RUN COPY ENV EXPOSE FROM> <?apt-get~install~-y~<a5>-dev --chown=<a4>~<a5>~/<a3> <A4>_<A3>=<a4> <d4> <a5>:<d1>.<d2>-slim>
new kept|Makefile|1||<a4>.o: <a4>.c <a5>.h\n\t$(CC) -O2 -W<a5> -o $@ $<
new kept|preamble of TeX|1||\<?usepackage documentclass newcommand setlength>[<a4>=<d1>pt,<a5>]{<a6>}
new seen|small style|1||.<a4>{<?margin padding top left>:<d1>px <d2>px;color:#<x3>}
new seen|script in one line|2-3||function <a1>(<a1>,<a1>){return <a1>.<a2>(<a1>,<d1>)||<a1>[<d1>]}
new seen|Python|1||<?from import> <a5>.<a4> as <a2>; <a3>_<a4> = <a2>.<a5>(<a3>=<d1>, *<a4>)
new seen|insert|1||INSERT INTO <a5> VALUES (<d3>,'<A3>','<x8>',NULL),(<d3>,'<A3>','<x8>',NULL);
new kept|BibTeX|1||@<?article book misc>{<a5><d4>, year={<d4>}, pages={<d3>--<d3>}, doi={10.<d4>/<a3>.<d4>}}
new seen|vCard|1||<?BEGIN:VCARD VERSION:3.0 N:<A1><a4>;<A1>.;;; TEL;TYPE=cell:+<d10> EMAIL:<a4>@<a5>.com END:VCARD>
new seen|calendar file|1||<?DTSTART:20<d6>T<d6>Z UID:<x8>@<a5>.com RRULE:FREQ=WEEKLY;BYDAY=MO SEQUENCE:<d1> STATUS:CONFIRMED>
new seen|EXIF|3-4|, |<?f/2.8 ISO~<d3> 1/<d3>s <d2>mm sRGB Canon~EOS~<d2>D Nikon~D<d3>>
new kept|MARC|1||=<d3>  <d1>\$a<A2><d4>.<A1><d2> $b <d4> $c<d2> cm.
new seen|call numbers|3-5|  |<A2><d3-4>.<A1><d2> <A1><d2> <d4>
new kept|GEDCOM|1||<d1> <?@I<d3>@~INDI SEX~M BIRT DATE~<d1>~JAN~18<d2> FAMS~@F<d2>@ FAMC~@F<d2>@>
new seen|FASTA|1||>sp|<A1><d5>|<A4>_<A5>\n<=50ACDEFGHIKLMNPQRSTVWY>
new seen|atoms|1||ATOM  <d4>  <?CA CB N O C> <?ALA GLY LEU SER> <?A B> <d3>  <d2>.<d3>  <d2>.<d3>  1.00 <d2>.<d2>           <?C N O>
new seen|letters in a grid|12| |<A1>
new kept|draws|6|  |<d2>
new seen|timetable|6-9|  |<d2>.<d2>
new seen|league table|1||<d1>. <A3> <d2> <d2> <d1> <d1> <d2>:<d2> <d2>
new kept|knitting|6-10|, |<?k p sl yo k2tog ssk><d1>
new kept|tablature|1||<?e B G D A E>|--<d1>---<d1>-----<?h p / ><d1>--|-----<d2>--|
new seen|music in ABC|4-6| |<?G A B c d e><?2 3 /2 >2 ><?G A B c d e><?^f =c _B ><?G A B>
new seen|captchas|3-6|  |<K6-8>
new kept|wallets|1||bc1q<=38acdefghjklmnpqrstuvwxyz023456789>
new seen|IBANs|1||<A2><d2> <A4> <d4> <d4> <d4> <d2>
new kept|NMEA|1||$GPGGA,<d6>,<d4>.<d3>,N,<d5>.<d3>,E,1,0<d1>,0.9,<d3>.4,M,46.9,M,,*<X2>
new kept|METAR|1||<A4> <d6>Z <d3><d2>KT <d4> <?BKN OVC FEW SCT>0<d2> <d2>/<d2> Q<d4>
new seen|pins|1||<d1-2>  <?GND VCC SDA SCL TX RX MOSI MISO D+ D-><?  ~(+5V)>  <?GPIO PIN IO><d2>
new seen|keys|4-6|  |<?Ctrl Alt Shift Cmd>+<?F<d1> <A1> Tab Esc>
new seen|dots|1||<d1>.<d1> ........ <d2> | <d1>.<d1> ....... <d3>
new kept|breadcrumbs of codes|3-5| > |<A2-3><d2>
new kept|sprites|1||<?icon-<a4> btn-<a3> col-md-<d1> fa-<a5>> <?icon-<a4> btn-<a3> mt-<d1> px-<d1>> <?d-flex w-100 is-<a4>>
new kept|user agents|1||Mozilla/5.0 (<?X11;~Linux~x86_64 Windows~NT~10.0;~Win64;~x64 iPhone;~CPU~iPhone~OS~<d2>_1>) AppleWebKit/<d3>.36 Chrome/<d3>.0.0.0
new seen|nested letters|1||<=1aeiou><=1aeiou><=1aeiou> <=2bcdfg><=1aeiou> <=4hjklm> <=3nprst><=1aeiou>
new seen|domain list|3-4|, |<a5-12>.<?com net ru cn xyz info top>
new seen|typing drill|4-8| |<?fjfj dkdk jjj fff asdf jkl; sadfas lkjlkj gfdgfd hjkhjk>
new seen|hashes with names|1||<x32>  <a6>-<d1>.<d1>.<?iso zip tar.xz>
new kept|key of a map|1||"<a4>.<a5>.<a6>" : <?0x<X4> @null <d2>f>
new kept|emoji rows|6-12| |<?:smile: :heart: :+1: :fire: :tada: ;-) :-(>
new seen|listing of a shop|1||<A2>-<d4>-<?BLK WHT RED GRN>-<?S M L XL> EUR <d2>.99 <d1>x
new kept|paths of Windows|1||C:\<?Windows Users ProgramData>\<a6>\<a5>.<?dll exe sys ini>
new kept|registry|1||[HKEY_LOCAL_MACHINE\SOFTWARE\<A1><a5>]\n"<a5>"=dword:<x8>
new kept|permissions|1||d<?rwx r-x>r-xr-x <d1> <a5> <a5> <d4> <d2>:<d2> <a4-9>/
`

var noiseParts = regexp.MustCompile(`<(\?|=)?([^<>]+)>`)

const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	decimals     = "0123456789"
)

var noiseLettersOf = map[byte]string{
	'a': lowerLetters, 'A': strings.ToUpper(lowerLetters), 'd': decimals,
	'x': decimals + "abcdef", 'X': decimals + "ABCDEF",
	'K': strings.ToUpper(lowerLetters) + decimals, 'b': lowerLetters + strings.ToUpper(lowerLetters) + decimals + "+/",
}

// between returns a number of a range such as 3-7.
func between(r *rand.Rand, text string) int {
	from, to, isRange := strings.Cut(text, "-")
	least, _ := strconv.Atoi(from)
	if !isRange {
		return least
	}
	most, _ := strconv.Atoi(to)
	return least + r.IntN(most-least+1)
}

// expand replaces the parts of a pattern, the inner ones first.
func expand(r *rand.Rand, pattern string) string {
	for noiseParts.MatchString(pattern) {
		pattern = noiseParts.ReplaceAllStringFunc(pattern, func(part string) string {
			body := part[1 : len(part)-1]
			if words, ok := strings.CutPrefix(body, "?"); ok {
				of := strings.Fields(words)
				return strings.ReplaceAll(of[r.IntN(len(of))], "~", " ")
			}
			kind, size := body[0], body[1:]
			of := noiseLettersOf[kind]
			switch kind {
			case '=':
				digits := len(size) - len(strings.TrimLeft(size, decimals))
				size, of = size[:digits], size[digits:]
			case 'r':
				of = string(lowerLetters[r.IntN(len(lowerLetters))])
			}
			text := make([]byte, between(r, size))
			for i := range text {
				text[i] = of[r.IntN(len(of))]
			}
			return string(text)
		})
	}
	return pattern
}

// noiseText makes text i of a kind: 150 to 550 bytes.
func noiseText(i int, name, times, joint, pattern string) string {
	r := rand.New(rand.NewPCG(uint64(i), uint64(len(name))))
	var text strings.Builder
	for want := 150 + r.IntN(400); text.Len() < want; text.WriteByte('\n') {
		for n := between(r, times); n > 0; n-- {
			text.WriteString(expand(r, pattern))
			if n > 1 {
				text.WriteString(joint)
			}
		}
	}
	return strings.NewReplacer("&lt;", "<", `\t`, "\t").Replace(text.String())
}

// Few texts of all kinds are called a language.
func TestNoise(t *testing.T) {
	const texts = 20
	d := New(Options{})
	all, wrong := map[string]int{}, map[string]int{}
	for line := range strings.Lines(strings.TrimSpace(noiseKinds)) {
		row := strings.SplitN(strings.TrimSuffix(line, "\n"), "|", 5)
		taken := map[string]int{}
		for i := range texts {
			text := noiseText(i, row[1], row[2], row[3], row[4])
			if found := d.Detect(text); len(found) > 0 && found[0].Code != NoLanguage && found[0].Code != Unknown {
				taken[found[0].Code]++
				wrong[row[0]]++
			}
		}
		all[row[0]] += texts
		if len(taken) > 0 && row[0] != "new kept" {
			t.Logf("%s: %v", row[1], taken)
		}
	}
	for half, want := range map[string]struct {
		most   float64
		fewest int // texts
	}{"seen": {0.02, 500}, "kept": {0.02, 500}, "new seen": {0.02, 500}, "new kept": {0.02, 400}} {
		rate := float64(wrong[half]) / float64(all[half])
		t.Logf("%s: %d of %d are called a language, %.1f %%", half, wrong[half], all[half], 100*rate)
		if rate > want.most || all[half] < want.fewest {
			t.Errorf("%s: %.3f of %d are called a language, want at most %.3f", half, rate, all[half], want.most)
		}
	}
}
