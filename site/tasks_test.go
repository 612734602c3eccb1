package site_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// tasksChapter has what a reader does in a text: a guess, a goal, a walk through pictures; and an address and a
// section that it once had.
const tasksChapter = `+++
title = "Tasks"
description = "A chapter with things to do."
question = "What can a reader do in a text?"
order = 2
date = 2026-11-21
query = "model=gpt2"
was = ["/duties/"]
moved = ["elsewhere /example/#shown"]
+++

How many parameters has GPT-2?

> [!GUESS] {= parameters.total short =} parameters
> They are counted.

::: figure kind=calculator id=asked
The cache of GPT-2 for {~drag batch *1 2 4~} texts takes {= memory.kv_cache.bytes gb =}.
:::

::: figure kind=goal goal="parameters<=100000000 set.n_embd>=768" met="set.n_layer=6"
At most a hundred million.
:::

::: figure kind=mechanism of=forward
Step by step.
:::

::: figure kind=bars rows="GPT-2: context=8192" parts="weights=memory.weights.bytes cache=memory.kv_cache.bytes"
For {~drag batch *1 2 4~} texts the cache takes {= memory.kv_cache.bytes =} bytes.
:::
`

// TestTasks does what a text asks for.
func TestTasks(t *testing.T) {
	flows(t, []flow{
		{"a guess is judged", guessed},
		{"a goal is reached", goalReached},
		{"pictures are walked through", walked},
		{"a number is dragged", draggedNumber},
		{"a number follows its calculator", draggedAside},
		{"old addresses lead on", ledOn},
	})
}

func guessed(t *testing.T, url string) {
	p := open(t, url, "/tasks/")
	const field, verdict = `document.querySelector("form.guess input")`, `document.querySelector("form.guess output").textContent`
	p.is("the field says its unit", `document.querySelector("form.guess label").textContent.startsWith("Your guess, in millions")`)
	p.is("the answer is folded", field+` && !document.querySelector("[data-guess]").open`)
	for _, c := range []struct{ mine, says string }{{"many", "Write a number first."}, {"62.2M", "Your guess is 50% too low."}, {"155,500,000", "Your guess is 25% too high."}, {"40M", "Your guess is 3.1 times too low."}, {"124 M", "Exactly."}} {
		eval[bool](p, `(`+field+`.value = "`+c.mine+`", document.querySelector("form.guess").requestSubmit(), true)`)
		p.is(c.says, verdict+` === "`+c.says+`"`)
	}
	p.is("the answer is shown", `document.querySelector("[data-guess]").open`)
}

func goalReached(t *testing.T, url string) {
	p := open(t, url, "/tasks/")
	p.is("one condition holds from the start", `[...document.querySelectorAll("[data-goal] li")].map((li) => li.dataset.met).join() === "no,yes"`)
	p.fill("set.n_layer", "6")
	p.is("the page says that it is reached", `document.querySelector("[data-goal-said]").textContent === "You have reached the goal."`)
	p.fill("set.n_layer", "12")
	p.is("and takes it back", `document.querySelector("[data-goal-said]").textContent === ""`)
}

func walked(t *testing.T, url string) {
	p := open(t, url, "/tasks/")
	const shown = `[...document.querySelectorAll("[data-walk] li")].filter((li) => !li.hidden).map((li) => li.querySelector(".title").textContent.split(".")[0]).join()`
	press := func(name string) {
		eval[bool](p, `([...document.querySelectorAll("[data-walk] button")].find((b) => b.textContent === "`+name+`").click(), true)`)
	}
	p.is("one picture is shown", shown+` === "1"`)
	press("Next")
	p.is("the next", shown+` === "2"`)
	eval[bool](p, `(document.querySelector("[data-walk]").focus(), true)`)
	p.keys(kb.ArrowRight)
	p.is("an arrow goes on", shown+` === "3"`)
	press("Show all")
	p.is("all of them", `[...document.querySelectorAll("[data-walk] li")].every((li) => !li.hidden)`)
	p.accessible(".walk")
}

// GPT-2 keeps keys and values of 12 layers, 768 wide, in two bytes: 36,864 for a token, so 301,989,888 for 8,192.
func draggedNumber(t *testing.T, url string) {
	p := open(t, url, "/tasks/")
	const slider, caption = `document.querySelector("figure.bars .drag")`, `document.querySelector("figure.bars figcaption").textContent`
	says := func(what, texts, bytes string) {
		p.is(what+": the sentence follows", caption+`.startsWith("For `+texts+` texts the cache takes `+bytes+` bytes.")`)
	}
	p.is("it is a slider with a name", slider+`.role === "slider" && `+slider+`.ariaLabel && `+slider+`.ariaValueText === "1"`)
	says("as written", "1", "301,989,888")
	eval[bool](p, `(`+slider+`.focus(), true)`)
	p.keys(kb.ArrowRight)
	says("an arrow", "2", "603,979,776")
	p.is("the figure follows", `document.querySelector("figure.bars small").textContent.includes("cache 604 MB")`)
	p.keys(kb.End)
	says("to the end", "4", "1,207,959,552")
	p.is("what it is now is said", slider+`.ariaValueNow === "2" && document.querySelector("figure.bars [role=status]").textContent.includes("1,207,959,552")`)
	p.keys(kb.Escape)
	says("taken back", "1", "301,989,888")
	eval[bool](p, `(() => {
		const s = `+slider+`, r = s.getBoundingClientRect();
		s.setPointerCapture = () => {}; // of a pointer that there is not
		for (const [type, by] of [["pointerdown", 0], ["pointermove", 30], ["pointerup", 30]]) s.dispatchEvent(new PointerEvent(type, { clientX: r.x + by, clientY: r.y, bubbles: true, cancelable: true }));
		return true;
	})()`)
	says("dragged", "2", "603,979,776")
	p.accessible("figure.bars")
}

// draggedAside: a number beside a calculator is what the calculator was asked, and the other way round.
func draggedAside(t *testing.T, url string) {
	p := open(t, url, "/tasks/")
	says := func(what, texts, takes string) {
		p.is(what, `document.querySelector("#asked figcaption").textContent.replace(/\s/g, " ").startsWith("The cache of GPT-2 for `+texts+` texts takes `+takes+`.")`)
	}
	p.ready()
	says("as written", "1", "302 MB")
	p.fill("batch", "4")
	says("an edit by hand is followed", "4", "1.21 GB")
	p.fill("batch", "3")
	says("one that is no step is named", "3", "what the calculator says")
	eval[bool](p, `(document.querySelector("#asked .drag").focus(), true)`)
	p.keys(kb.ArrowLeft)
	says("the step below it", "2", "604 MB")
	p.is("and the calculator follows", `document.querySelector("#asked [name=batch]").value === "2"`)
}

func ledOn(t *testing.T, url string) {
	p := open(t, url, "/duties/")
	p.is("an old address leads to the page's own", `location.pathname === "/tasks/"`)
	p.visit("/tasks/#elsewhere")
	p.is("a link to what has moved goes on", `location.pathname + location.hash === "/example/#shown"`)
}
