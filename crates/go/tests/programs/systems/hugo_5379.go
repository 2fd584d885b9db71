// Shortcodes: the content of a page is asked for within its own making.
//
// expect: stuck
// blocked: page@again, main@all
package hugo5379

import (
	"sync"
	"testing"
)

type shortcodeHandler struct {
	p                  *PageWithoutContent
	contentShortcodes  map[int]func() error
	contentShortcodesD map[int]func() error
	init               sync.Once
}

func (s *shortcodeHandler) executeShortcodesForDelta(p *PageWithoutContent) error {
	for k := range s.contentShortcodesD {
		render := s.contentShortcodesD[k]
		if err := render(); err != nil {
			continue
		}
	}
	return nil
}

func (s *shortcodeHandler) updateDelta() {
	s.init.Do(func() {
		s.contentShortcodes = createShortcodeRenderers(s.p.withoutContent())
	})
	s.contentShortcodesD = s.contentShortcodes
}

type Page struct {
	*pageInit
	*pageContentInit
	pageWithoutContent *PageWithoutContent
	contentInit        sync.Once
	contentInitMu      sync.Mutex
	shortcodeState     *shortcodeHandler
}

func (p *Page) WordCount() { p.initContentPlainAndMeta() }

func (p *Page) initContentPlainAndMeta() {
	p.initContent()
	p.initPlain(true)
}

func (p *Page) initPlain(lock bool) {
	p.plainInit.Do(func() {
		if lock {
			p.contentInitMu.Lock() //@again
			defer p.contentInitMu.Unlock()
		}
	})
}

func (p *Page) withoutContent() *PageWithoutContent {
	p.pageInit.withoutContentInit.Do(func() {
		p.pageWithoutContent = &PageWithoutContent{Page: p}
	})
	return p.pageWithoutContent
}

func (p *Page) initContent() {
	p.contentInit.Do(func() {
		if len(p.shortcodeState.contentShortcodes) == 0 {
			p.contentInitMu.Lock()
			defer p.contentInitMu.Unlock()
			p.shortcodeState.updateDelta()
			p.shortcodeState.executeShortcodesForDelta(p.withoutContent())
		}
	})
}

type PageWithoutContent struct {
	*Page
}

type pageInit struct {
	withoutContentInit sync.Once
}

type pageContentInit struct {
	contentInit sync.Once
	plainInit   sync.Once
}

func createShortcodeRenderers(p *PageWithoutContent) map[int]func() error {
	return map[int]func() error{
		1: func() error { return prepareShortcode(p) },
	}
}

func prepareShortcode(p *PageWithoutContent) error {
	p.initPlain(true)
	return nil
}

type Site struct {
	Pages []*Page
}

func (s *Site) render() {
	wg := &sync.WaitGroup{}
	for _, p := range s.Pages {
		wg.Add(1)
		go func(p *Page) { // a page
			defer wg.Done()
			p.WordCount()
		}(p)
	}
	wg.Wait() //@all
}

func TestHugo5379(t *testing.T) {
	p := &Page{pageInit: &pageInit{}, pageContentInit: &pageContentInit{}}
	p.shortcodeState = &shortcodeHandler{p: &PageWithoutContent{Page: p}}
	s := &Site{Pages: []*Page{p}}
	s.render()
}
