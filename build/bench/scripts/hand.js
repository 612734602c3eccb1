const rest = (ms) => new Promise((done) => setTimeout(done, ms));
const until = async (f) => { for (let i = 0; i < 150 && !f(); i++) await rest(100); await rest(400); };
// Whether a worker counts something that is in sight; the rest waits until it is.
const working = () => [...document.querySelectorAll("details[open] > summary .said")].some((said) => said.textContent && said.checkVisibility() && said.getBoundingClientRect().top < innerHeight);
const settled = () => until(() => !document.querySelector(".fit.behind, .calc.waiting") && !working() && !("asked" in document.documentElement.dataset));
const type = async (name, text) => {
	const field = document.querySelector('[data-field] [name="' + name + '"]');
	for (let d = field.closest("details:not([open])"); d; d = d.parentElement.closest("details:not([open])")) d.open = true;
	field.focus();
	await rest(300);
	field.value = text;
	field.dispatchEvent(new Event("input", { bubbles: true }));
	await rest(500);
	if (field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }))) field.dispatchEvent(new Event("change", { bubbles: true }));
	if (field.dataset.picks) await until(() => field.value !== text);
	await rest(300);
	await settled();
};
const click = async (selector) => { await until(() => document.querySelector(selector)); const it = document.querySelector(selector); it.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true })); it.click(); await rest(300); await settled(); };
const show = async (selector) => { document.querySelector(selector).scrollIntoView(); await rest(300); await settled(); };
dispatchEvent(new PointerEvent("pointermove"));
await settled();
