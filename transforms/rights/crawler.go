package rights

import (
	"strings"

	"github.com/gleaner-web/gleaner/transforms/robots"
)

// All is the agent of rules for all crawlers.
const All = "*"

// crawlers are the crawlers of companies that train or feed models, by the names that their operators publish, and All.
// It was made in November 2026.
var crawlers = []string{
	All, "AI2Bot", "Ai2Bot-Dolma", "aiHitBot", "Amazonbot", "Andibot", "anthropic-ai", "Applebot", "Applebot-Extended",
	"bedrockbot", "Brightbot", "Bytespider", "CCBot", "ChatGPT-User", "Claude-SearchBot", "Claude-User", "Claude-Web",
	"ClaudeBot", "cohere-ai", "cohere-training-data-crawler", "Cotoyogi", "Crawlspace", "DeepSeekBot", "Devin", "Diffbot",
	"DuckAssistBot", "EchoboxBot", "FacebookBot", "FirecrawlAgent", "FriendlyCrawler", "Gemini-Deep-Research",
	"Google-CloudVertexBot", "Google-Extended", "GoogleAgent-Mariner", "GoogleOther", "GoogleOther-Image",
	"GoogleOther-Video", "GPTBot", "iaskspider", "ICC-Crawler", "ImagesiftBot", "img2dataset", "ISSCyberRiskCrawler",
	"LinerBot", "meta-externalagent", "meta-externalfetcher", "MistralAI-User", "NovaAct", "OAI-SearchBot", "omgili",
	"omgilibot", "Operator", "PanguBot", "Panscient", "Perplexity-User", "PerplexityBot", "PetalBot", "PhindBot",
	"QuillBot",
	"SBIntuitionsBot", "Scrapy", "SemrushBot-OCOB", "Spawning-AI", "SummalyBot", "TikTokSpider", "Timpibot",
	"VelenPublicWebCrawler", "Webzio-Extended", "YandexAdditional", "YandexAdditionalBot", "YouBot",
}

// engines are crawlers of search engines that pages address in <meta>.
var engines = []string{
	"googlebot", "googlebot-news", "bingbot", "msnbot", "slurp", "yandex", "yandexbot", "baiduspider", "duckduckbot",
	"mojeekbot",
}

// byToken has the names but All by their product tokens in lower case.
var byToken = func() map[string]string {
	m := map[string]string{}
	for _, name := range crawlers {
		if name != All {
			m[token(name)] = name
		}
	}
	return m
}()

// crawler returns the name of a crawler in the value of a line user-agent, or "" if it is of no such company.
func crawler(value string) string {
	value = strings.TrimSpace(value)
	if robots.ForAll(value) {
		return All
	}
	return byToken[token(value)]
}

// token returns the product token at the beginning, in lower case, since many write "Name/1.0". Digits are part of
// names, such as AI2Bot, though the RFC has none.
func token(value string) string {
	end := strings.IndexFunc(value, func(r rune) bool {
		return r != '-' && r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	if end >= 0 {
		value = value[:end]
	}
	return strings.ToLower(value)
}

// agentOf returns the crawler that a <meta> names, or "".
func agentOf(name string) string {
	if agent := byToken[name]; agent != "" {
		return agent
	}
	for _, engine := range engines {
		if name == engine {
			return engine
		}
	}
	return ""
}
