(async (input, answer, values) => {
	const text = () => document.querySelector(answer)?.textContent ?? "";
	const field = () => document.querySelector(input);
	const set = (value) => {
		const e = field();
		Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), "value").set.call(e, value); // as a person does, past what frameworks put in its place
		e.dispatchEvent(new Event("input", { bubbles: true }));
		e.dispatchEvent(new Event("change", { bubbles: true }));
	};
	// Resolves when the frame is done that shows another answer.
	bench.edit = (value, again) => new Promise((done, fail) => requestAnimationFrame(() => {
		const was = text(), from = performance.now();
		const painted = () => {
			if (text() === was) return;
			watch.disconnect();
			clearInterval(repeat);
			clearTimeout(late);
			const c = new MessageChannel();
			c.port1.onmessage = () => done(performance.now() - from);
			// From within a frame the message comes after its paint; from outside, the next frame is awaited.
			if (inFrame) c.port2.postMessage(0);
			else requestAnimationFrame(() => c.port2.postMessage(0));
		};
		let inFrame = true;
		const watch = new MutationObserver(painted);
		watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
		const repeat = again ? setInterval(() => set(value), 250) : 0;
		const late = setTimeout(() => fail(new Error("the answer does not change within 10 s of writing " + value + " into " + input)), 10000);
		set(value);
		painted();
		queueMicrotask(() => queueMicrotask(() => { inFrame = false }));
	}));
	if (!field()) throw new Error("no element is " + input);
	bench.next = 0;
	bench.shifted = bench.shift; // edits move things, which a reader expects
	bench.values = values;
	while (!bench.visible) await new Promise(requestAnimationFrame);
	await bench.edit(values[bench.next++], true);
	return bench.first = performance.now();
})
