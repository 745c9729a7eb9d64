package page_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBrowser_graph: from the overview to the graph, to a host's links, and to a page with one of them: three clicks.
// The picture is moved and scaled, and a drag is not a click.
func TestBrowser_graph(t *testing.T) {
	s := theSite(t)
	b := newBrowser(t)
	b.looks(false, 1200, 900)
	b.do(chromedp.Navigate(s.address + "/revised"))
	b.tabTo(`a[href$="/graph"]`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.await(`document.querySelectorAll("svg.graph.live circle").length > 1`)
	box := func() string { return ask[string](b, `document.querySelector("svg.graph").getAttribute("viewBox")`) }
	whole := box()
	b.tabTo(`button[aria-label="Larger"]`)
	b.do(chromedp.KeyEvent(kb.Enter))
	larger := box()
	if larger == whole {
		t.Error("the picture is not larger")
	}
	drag := `(() => {
		const svg = document.querySelector("svg.graph"), a = svg.querySelector("a");
		const say = (name, x, type = PointerEvent) => a.dispatchEvent(
			new type(name, {clientX: x, clientY: 400, bubbles: true, cancelable: true, button: 0}));
		say("pointerdown", 300); say("pointermove", 380); say("pointerup", 380);
		return say("click", 380, MouseEvent);
	})()`
	if ask[bool](b, drag) || box() == larger {
		t.Errorf("a drag is a click, or does not move the picture: %s", box())
	}
	b.do(chromedp.Click("tbody td a"))
	b.await(`location.pathname.endsWith("/links") && document.querySelectorAll("tbody tr").length > 0`)
	b.do(chromedp.Click("tbody th a"))
	b.await(`location.pathname.endsWith("/resource")`)
	b.silent()
}

// TestBrowser_graphWithoutScripts: a search leads to its graph. The picture and its links work.
func TestBrowser_graphWithoutScripts(t *testing.T) {
	s := theSite(t)
	b := newBrowser(t)
	b.looks(false, 390, 900)
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(s.address+"/revised/search?query=harbour"), chromedp.Click("form.row a.btn + a.btn"),
		chromedp.WaitVisible("svg.graph circle"), chromedp.Click("tbody th a"), chromedp.WaitVisible("main h1"))
}
